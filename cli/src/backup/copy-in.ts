import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transaction } from "@corprail/server/platform/db/connection";
import { type Frame, KINDS } from "./frames.ts";
import { type Header, parseFrame } from "./header.ts";
import { copyTarget, type Table } from "./tables.ts";

type OpenCopy = { readonly table: Table; readonly stream: Writable; readonly failed: Promise<never> };

/** Copies the rows of every table into the database. */
export async function copyIn(tx: Transaction, header: Header, frames: AsyncIterable<Frame>): Promise<void> {
  let open: OpenCopy | null = null;
  try {
    for await (const frame of frames) open = await takeIn(tx, header, frame, open);
  } catch (error) {
    // An open COPY would read the end of the transaction as rows.
    open?.stream.destroy(error instanceof Error ? error : new Error(String(error)));
    await nextTurn();
    throw error;
  }
}

async function takeIn(tx: Transaction, header: Header, { kind, content }: Frame, open: OpenCopy | null): Promise<OpenCopy | null> {
  if (kind === KINDS.table) return await startCopy(tx, header, String(parseFrame(content)));
  if (open === null) return null;
  if (kind === KINDS.rows) await Promise.race([written(open.stream, content), open.failed]);
  if (kind !== KINDS.tableEnd) return open;
  await endCopy(open);
  return null;
}

async function startCopy(tx: Transaction, header: Header, name: string): Promise<OpenCopy> {
  const table = header.tables.find((known) => known.name === name);
  if (table === undefined) throw new Error(`The backup's header does not name the table ${name}.`);
  const stream = await tx.unsafe(`copy ${copyTarget(table)} from stdin`).writable();
  const failed = new Promise<never>((_resolve, reject) => stream.once("error", reject));
  failed.catch(() => {});
  return { table, stream, failed };
}

function written(stream: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
}

/** Ends the COPY. Throws with the database's reason if it refuses the rows. */
async function endCopy({ table, stream }: OpenCopy): Promise<void> {
  stream.end();
  await finished(stream).catch((error: unknown) => {
    throw new Error(`The rows of ${table.name} were refused: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
}
