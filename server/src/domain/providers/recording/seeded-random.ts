import { createHash } from "node:crypto";
import type { Random } from "../description/request/scope.ts";

/** Values that look random and are the same for the same seed, so that a replay sends the same ids. */
export function seededRandom(seed: string): Random {
  let drawn = 0;
  const block = (): Buffer => {
    drawn++;
    return createHash("sha256").update(`${seed}/${drawn}`).digest();
  };
  const bytes = (count: number): Buffer => {
    const blocks = Array.from({ length: Math.ceil(count / 32) }, block);
    return Buffer.concat(blocks).subarray(0, count);
  };
  return { bytes, uuid: () => uuidOf(bytes(16)) };
}

/** Version 4, RFC 9562. */
function uuidOf(bytes: Buffer): string {
  const marked = Buffer.from(bytes);
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x40;
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80;
  return marked.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
