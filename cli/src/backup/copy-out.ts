import type { Transaction } from "@corprail/server/platform/db/connection";
import type { BackupWriter } from "./backup-file.ts";
import { quotedName, type Table } from "./tables.ts";

const NEWLINE = 0x0a;

// PostgreSQL sends rows one by one. Writing them in blocks is several times faster and holds the snapshot for less time.
const PIECE_BYTES = 64 * 1024;

/** Writes a table's rows in COPY format and returns their number. `onRows` is called after each write. */
export async function copyOut(tx: Transaction, table: Table, writer: BackupWriter, onRows: (rows: number) => void): Promise<number> {
  let rows = 0;
  await writer.table(table);
  // COPY of a partitioned table itself is refused.
  const source = await tx
    .unsafe(`copy (select ${table.columns.map(quotedName).join(", ")} from ${quotedName(table.name)}) to stdout`)
    .readable();
  for await (const piece of inPieces(source as AsyncIterable<Buffer>)) {
    rows += newlines(piece);
    await writer.rows(piece);
    onRows(rows);
  }
  await writer.tableEnd(rows);
  return rows;
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

// COPY escapes newlines within values, so each newline byte ends a row.
export function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
