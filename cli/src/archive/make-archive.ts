import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { cellName } from "@corprail/server/domain/cells/cell";
import { isArchivedMonth } from "@corprail/server/domain/ledger/archived-months";
import { orderIdAt } from "@corprail/server/platform/core/ids";
import { indiaMonthSpan, type Span } from "@corprail/server/platform/core/india-time";
import type { Sql, Transaction } from "@corprail/server/platform/db/connection";
import { keepMonths } from "@corprail/server/platform/db/partitions/frozen-months";
import { withCells } from "../cell/find-cells.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { ARCHIVED, type ArchivedColumn, readColumns, selected } from "./archived-tables.ts";
import { CLOSING_COLUMNS, readClosings } from "./closings.ts";
import { type ArchivedFile, FORMAT, folderOfCell, type Manifest, manifestPath } from "./manifest.ts";
import { type ArchivedRow, writeParquet } from "./parquet.ts";

const ROWS_A_BATCH = 5_000;
const TRANSFERS = "transfers";

/** Writes a month of orders and transfers as Parquet files, as of one moment, while services keep running. Deletes nothing. */
export async function makeArchive(ctx: CommandContext, month: string, folder: string): Promise<Outcome> {
  const span = indiaMonthSpan(month);
  if (span === null) throw new UsageFault(`${month} is not a month such as 2026-01.`);
  return await withCells(ctx, async (cells) => {
    const targets = cells.map(({ cell, sql }) => ({ cell, sql, target: join(folderOfCell(resolve(folder), cell), month) }));
    for (const { cell, sql, target } of targets) {
      if (existsSync(target)) return failed(`${target} exists already.`);
      const fault = await monthFault(sql, month, span);
      if (fault !== null) return failed(cells.length === 1 ? fault : `${cellName(cell)}: ${fault}`);
    }
    const manifests: Manifest[] = [];
    for (const { sql, target } of targets) manifests.push(await writeMonth(ctx, sql, { month, span, target }));
    return report(
      month,
      targets.map(({ target }) => target),
      manifests,
    );
  });
}

/** An order that can still be settled, and a month that is not over, would make the archive wrong. */
export async function monthFault(sql: Sql, month: string, { fromMilliseconds, toMilliseconds }: Span): Promise<string | null> {
  const [row] = await sql<{ is_over: boolean; has_left: boolean; pending: number }[]>`
    select now() > ${new Date(toMilliseconds)} + interval '1 hour' as is_over,
      exists (select from archived_months where month = ${month}) as has_left, (select count(*)::int from orders
      where order_id >= ${orderIdAt(fromMilliseconds)} and order_id < ${orderIdAt(toMilliseconds)} and state = 0) as pending`;
  if (!row?.is_over) return `${month} is not over in India: an archive holds whole months.`;
  if (row.has_left)
    return `${month} has left the database: its archive was made then. If a restore of it was interrupted, run the restore again.`;
  return row.pending === 0 ? null : `${row.pending} orders of ${month} are still pending: settle them first.`;
}

type Month = {
  readonly month: string;
  readonly span: Span;
  readonly target: string;
  /** Ends the writing before it is complete. */
  readonly interrupted?: AbortSignal;
};

/** Writes the files of a month. */
export async function writeMonth(ctx: CommandContext, sql: Sql, one: Month): Promise<Manifest> {
  const partial = `${one.target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const manifest = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await keepMonths(tx);
    if (await isArchivedMonth(tx, one.month)) throw new Error(`${one.month} has just left the database for the archive.`);
    return await writeFiles(ctx, tx, one, partial);
  });
  await writeFile(manifestPath(partial), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  // Rows may change again after an interruption, and the next run would find this archive different.
  one.interrupted?.throwIfAborted();
  // Only a complete archive has its name.
  await rename(partial, one.target);
  return manifest;
}

function report(month: string, targets: readonly string[], manifests: readonly Manifest[]): Outcome {
  const files = manifests.flatMap((manifest) => manifest.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows: Record<string, number> = {};
  for (const file of files) rows[file.table] = (rows[file.table] ?? 0) + file.rows;
  const words = `The archive of ${month} is in ${targets.join(", ")}: ${rows["orders"] ?? 0} orders, ${rows[TRANSFERS] ?? 0} transfers, ${bytes} bytes.`;
  return done(words, { folder: targets[0], ...(targets.length === 1 ? {} : { folders: targets }), month, bytes, rows });
}

async function writeFiles(ctx: CommandContext, tx: Transaction, { month, span, interrupted }: Month, folder: string): Promise<Manifest> {
  const [from, to] = [new Date(span.fromMilliseconds), new Date(span.toMilliseconds)];
  const files: ArchivedFile[] = [];
  const write = async (table: string, columns: readonly ArchivedColumn[], batches: Batches) => {
    const name = `${table}.parquet`;
    files.push({ table, ...(await writeParquet(join(folder, name), name, columns, unlessInterrupted(batches, interrupted))) });
    ctx.note(`${table}: ${files.at(-1)?.rows} rows`);
  };
  const closings = await readClosings(tx, month, from, to);
  await write("closings", CLOSING_COLUMNS, single(closings));
  const columns = await readColumns(tx, TRANSFERS);
  await write(TRANSFERS, columns, readTransfers(tx, columns, closings));
  const ids = [orderIdAt(span.fromMilliseconds), orderIdAt(span.toMilliseconds)];
  for (const { name, where, order } of ARCHIVED) {
    const own = await readColumns(tx, name);
    const query = `select ${own.map(selected).join(", ")} from ${name} t where ${where} order by ${order}`;
    await write(name, own, tx.unsafe<ArchivedRow[]>(query, ids).cursor(ROWS_A_BATCH));
  }
  const [installation] = await tx<{ installation_id: string }[]>`select installation_id from installation`;
  const installation_id = installation?.installation_id ?? "";
  return {
    format: FORMAT,
    installation_id,
    month,
    from: from.toISOString(),
    to: to.toISOString(),
    made_at: new Date().toISOString(),
    files,
  };
}

type Batches = AsyncIterable<readonly ArchivedRow[]>;

async function* unlessInterrupted(batches: Batches, interrupted: AbortSignal | undefined): AsyncGenerator<readonly ArchivedRow[]> {
  for await (const batch of batches) {
    interrupted?.throwIfAborted();
    yield batch;
  }
}

async function* single(rows: readonly ArchivedRow[]): AsyncGenerator<readonly ArchivedRow[]> {
  yield rows;
}

type Numbers = { readonly account_id: string; readonly opening_seq: bigint; readonly closing_seq: bigint };

async function* readTransfers(
  tx: Transaction,
  columns: readonly ArchivedColumn[],
  closings: readonly Numbers[],
): AsyncGenerator<readonly ArchivedRow[]> {
  const query = `select ${columns.map(selected).join(", ")} from ${TRANSFERS} t
    where t.account_id = $1 and t.seq > $2 and t.seq <= $3 order by t.seq`;
  for (const { account_id, opening_seq, closing_seq } of closings)
    if (closing_seq > opening_seq) yield* tx.unsafe<ArchivedRow[]>(query, [account_id, opening_seq, closing_seq]).cursor(ROWS_A_BATCH);
}
