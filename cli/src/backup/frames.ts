import { createHash } from "node:crypto";

/**
 * A backup, inside gzip: a first line, then frames of one byte for the kind, four for the length, and the content.
 * The last frame holds the SHA-256 of everything before it.
 */
export const FIRST_LINE = "CORPRAIL-BACKUP 1\n";
export const KINDS = { header: "H", table: "T", rows: "R", tableEnd: "E", end: "Z" } as const;

export type FrameKind = (typeof KINDS)[keyof typeof KINDS];
export type Frame = { readonly kind: FrameKind; readonly content: Buffer };

export class BrokenBackup extends Error {}

const HEAD_BYTES = 5;
// The writer never exceeds this. A larger length means damage and is refused at once.
const MOST_BYTES = 16 * 1024 * 1024;
/** Rows are split into frames of at most this length. */
export const LONGEST_ROWS_BYTES = 4 * 1024 * 1024;

export function frameBytes(kind: FrameKind, content: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

export function jsonFrame(kind: FrameKind, value: unknown): Buffer {
  return frameBytes(kind, Buffer.from(JSON.stringify(value)));
}

/** Reads all frames. Throws if the file is not a backup, is truncated, has extra data or was changed. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void, undefined> {
  const read = createReader(source);
  const hash = createHash("sha256");
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  if (hashed(await read(FIRST_LINE.length)).toString("latin1") !== FIRST_LINE)
    throw new BrokenBackup("it is not a Corprail backup of a known form");
  for (;;) {
    const head = await read(HEAD_BYTES);
    const kind = Object.values(KINDS).find((known) => known === head.toString("latin1", 0, 1));
    const length = head.readUInt32BE(1);
    if (kind === undefined || length > MOST_BYTES) throw new BrokenBackup("it is damaged");
    const content = await read(length);
    if (kind === KINDS.end) {
      if (hash.digest("hex") !== content.toString("latin1")) throw new BrokenBackup("its checksum is wrong");
      if ((await read(1, true)).length > 0) throw new BrokenBackup("something follows its end");
      return;
    }
    hashed(head);
    yield { kind, content: hashed(content) };
  }
}

/** Reads exactly this many bytes. Fewer are an error unless `mayEnd` is set. */
function createReader(source: AsyncIterable<Buffer>): (count: number, mayEnd?: boolean) => Promise<Buffer> {
  const parts = source[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  return async (count, mayEnd = false) => {
    const held: Buffer[] = [rest];
    let bytes = rest.length;
    while (bytes < count) {
      const next = await parts.next();
      if (next.done) break;
      held.push(next.value);
      bytes += next.value.length;
    }
    if (bytes < count && !mayEnd) throw new BrokenBackup("it ends too early");
    const all = held.length === 1 ? rest : Buffer.concat(held);
    rest = all.subarray(count);
    return all.subarray(0, count);
  };
}
