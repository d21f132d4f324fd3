import type { Transaction } from "@corprail/server/db/connection";
import type { BackupWriter } from "./backup-file.ts";
import { copyTarget, type Table } from "./tables.ts";

const NEWLINE = 0x0a;

/** Writes a table's rows as COPY gives them. Answers how many there are. */
export async function copyOut(tx: Transaction, table: Table, writer: BackupWriter, onRows: (rows: number) => void): Promise<number> {
  let rows = 0;
  let failure: unknown = null;
  await writer.table(table);
  const source = await tx.unsafe(`copy ${copyTarget(table)} to stdout`).readable();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    // The rest is read all the same: the driver would wait for a reader of it for ever.
    if (failure !== null) continue;
    rows += newlines(chunk);
    onRows(rows);
    await writer.rows(chunk).catch((error: unknown) => {
      failure = error;
    });
  }
  if (failure !== null) throw failure;
  await writer.tableEnd(rows);
  return rows;
}

// COPY writes a newline within a value as \n, two characters: each real one ends a row.
export function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
