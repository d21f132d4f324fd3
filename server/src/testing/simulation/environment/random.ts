import { createHash } from "node:crypto";

/** Random numbers that depend only on the seed. */
export type Random = {
  /** From 0 to 1, without 1. */
  readonly next: () => number;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly fill: (buffer: Buffer) => Buffer;
  /** An independent source, so that more draws in one part do not change what another part draws. */
  readonly fork: (name: string) => Random;
};

/** The generator sfc32, which passes the usual statistical tests. */
export function seededRandom(seed: string): Random {
  const digest = createHash("sha256").update(seed).digest();
  let [a, b, c, counter] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), 1];
  const word = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  const next = () => word() / 2 ** 32;
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error("Nothing to pick from.");
      return item;
    },
    fill: (buffer) => {
      for (let at = 0; at < buffer.length; at++) buffer[at] = word() & 255;
      return buffer;
    },
    fork: (name) => seededRandom(`${seed}/${name}`),
  };
}
