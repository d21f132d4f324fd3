import { randomFillSync } from "node:crypto";

// Crockford's base32 alphabet has no I, L, O or U, so that ids can be read aloud without mistakes.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const POOL_BYTES = 4096;
const TIME_LETTERS = 10;
const SECRET_BYTES = 32;

/** Fills a buffer with random bytes and returns it. */
export type FillRandom = (buffer: Buffer) => Buffer;

export type Ids = {
  readonly account: () => string;
  readonly order: (nowMilliseconds: number) => string;
  readonly request: () => string;
  readonly entry: (nowMilliseconds: number) => string;
  readonly operatorKey: () => string;
  /** A token or secret: the prefix and 32 random bytes. */
  readonly secret: (prefix: string) => string;
};

/** Generates ids. Order and entry ids start with the time, so that they sort by age and indexes stay dense. */
export function randomIds(fill: FillRandom = randomFillSync): Ids {
  const letters = letterSource(fill);
  // Many ids are generated in the same millisecond.
  let [timed, time] = [-1, ""];
  const withTime = (now: number): string => {
    if (now !== timed) [timed, time] = [now, timeLetters(now)];
    return time + letters(8);
  };
  return {
    account: () => `A${letters(11)}`,
    order: withTime,
    request: () => letters(20),
    entry: withTime,
    operatorKey: () => `K${letters(11)}`,
    secret: (prefix) => prefix + fill(Buffer.alloc(SECRET_BYTES)).toString("base64url"),
  };
}

/** The cell in which ids without a letter for their cell were made. */
export const HOME_CELL = 0;
export const MAX_CELL = ALPHABET.length - 1;
const PLAIN_LETTERS = TIME_LETTERS + 8;

/** Ids of a cell: order and entry ids end with a letter for it. Home's ids have none. */
export function idsOfCell(ids: Ids, cell: number): Ids {
  if (cell === HOME_CELL) return ids;
  const letter = ALPHABET.charAt(cell);
  return { ...ids, order: (now) => ids.order(now) + letter, entry: (now) => ids.entry(now) + letter };
}

/** The cell in which an id was made. An account that has moved since took its orders along, under the same ids. */
export function cellOfId(id: string): number {
  return Math.max(HOME_CELL, ALPHABET.indexOf(id.charAt(PLAIN_LETTERS) || "0"));
}

/** The smallest order id of this time, for range queries. */
export function orderIdAt(milliseconds: number): string {
  return timeLetters(milliseconds);
}

/** The creation time of an id that starts with its time. */
export function timeOfId(id: string): number {
  return [...id.slice(0, TIME_LETTERS)].reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0);
}

function timeLetters(nowMilliseconds: number): string {
  let rest = nowMilliseconds;
  let text = "";
  for (let position = 0; position < TIME_LETTERS; position++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

// One call to the system's random generator serves many ids, and its bytes become letters all at once.
function letterSource(fill: FillRandom): (count: number) => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let text = "";
  let used = POOL_BYTES;
  return (count) => {
    if (used + count > POOL_BYTES) {
      fill(pool);
      for (let at = 0; at < POOL_BYTES; at++) pool[at] = ALPHABET.charCodeAt((pool[at] ?? 0) & 31);
      text = pool.toString("latin1");
      used = 0;
    }
    used += count;
    return text.slice(used - count, used);
  };
}
