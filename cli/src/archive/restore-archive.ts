import { join, resolve } from "node:path";
import { readAccountCells } from "@corprail/server/domain/cells/store";
import type { Sql } from "@corprail/server/platform/db/connection";
import { withArchiveLock } from "@corprail/server/platform/db/partitions/frozen-months";
import { makeWhenFree } from "@corprail/server/platform/db/partitions/make-partitions";
import { historyPartitions } from "@corprail/server/platform/db/partitions/partitioned-tables";
import { prepareRole } from "@corprail/server/platform/db/schema/privileges";
import { quotedName } from "../backup/tables.ts";
import { type ConnectedCell, withCells } from "../cell/find-cells.ts";
import { withoutMoves } from "../cell/without-moves.ts";
import { done, errorText, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type ArchivedColumn, readColumns, restored } from "./archived-tables.ts";
import { withRights } from "./leave-database.ts";
import { folderOfCell, listCellFolders, listMonths, type Manifest, manifestPath, readManifest } from "./manifest.ts";
import { ARCHIVE_BUSY } from "./move-archive.ts";
import { type ArchivedRow, readParquet, sha256Of } from "./parquet.ts";
import { monthFaults } from "./verify-archive.ts";

const ROWS_A_STATEMENT = 2_000;

/** Puts back what is missing in the database of an archived month. Rows that are there are left as they are. */
export async function restoreArchive(ctx: CommandContext, month: string, given: string): Promise<Outcome> {
  const folder = resolve(given);
  const paths = await archivesOf(folder, month);
  if (paths.length === 0) return failed(`There is no archive of ${month} in ${folder}.`);
  const faults = (await Promise.all(paths.map((path) => faultsIn(path, month)))).flat();
  if (faults.length > 0) return failed("The archive is damaged: nothing was restored.", { faults }, faults.join("\n"));
  const archives = await Promise.all(paths.map(readArchive));
  return await withCells(ctx, async (cells) => {
    const [home, ...others] = cells;
    const restoreAlone = () => withArchiveLocks(cells, () => restoreUnlessRefused(ctx, cells, { month, folder, archives }));
    // The rows of an account that moved meanwhile would be put into its old cell.
    return home && others.length > 0 ? await withoutMoves(home.sql, restoreAlone) : await restoreAlone();
  });
}

/** Holds the archive's lock in every cell, because a month comes back to all of them. */
async function withArchiveLocks(cells: readonly ConnectedCell[], run: () => Promise<Outcome>): Promise<Outcome> {
  const [first, ...others] = cells;
  if (!first) return await run();
  return (await withArchiveLock(first.sql, () => withArchiveLocks(others, run))) ?? failed(ARCHIVE_BUSY);
}

type Archive = { readonly path: string; readonly manifest: Manifest; readonly sha256: string };

/** A month's archives in a folder, at most one of each cell. */
type FoundMonth = { readonly month: string; readonly folder: string; readonly archives: readonly Archive[] };

async function archivesOf(folder: string, month: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const own of await listCellFolders(folder)) if ((await listMonths(own)).includes(month)) paths.push(join(own, month));
  return paths;
}

async function faultsIn(path: string, month: string): Promise<readonly string[]> {
  return (await monthFaults(path, month)).map((fault) => `${path}: ${fault}`);
}

async function readArchive(path: string): Promise<Archive> {
  return { path, manifest: await readManifest(path), sha256: await sha256Of(manifestPath(path)) };
}

/** Refuses before anything is changed. The caller holds the archive's locks. */
async function restoreUnlessRefused(ctx: CommandContext, cells: readonly ConnectedCell[], found: FoundMonth): Promise<Outcome> {
  const { month, folder, archives } = found;
  const fault = (await installationFault(cells, archives)) ?? (await orderFault(cells, month));
  if (fault !== null) return failed(fault);
  const left = await cellsWithout(cells, month);
  const missing = missingArchives(left, found);
  if (missing.length > 0) return failed(notMovedTo(month, folder), { faults: missing }, missing.join("\n"));
  const isUsed = ({ sha256 }: Archive) => left.length === 0 || left.some((one) => one.sha256 === sha256);
  for (const { path } of archives.filter((one) => !isUsed(one))) ctx.note(`${path} is left out: no database expects this archive`);
  ctx.note(`${month}: being restored. If the command is interrupted, run it again`);
  return await restoreMonth(ctx, cells, left, { ...found, archives: archives.filter(isUsed) }).catch((error: unknown) => {
    const advice = "Run the same command again, which continues it.";
    throw new Error(`${month} was restored only in part. ${advice} The reason: ${errorText(error)}`, { cause: error });
  });
}

function notMovedTo(month: string, folder: string): string {
  const advice = "Find the folder with the expected manifest.json, for example in your backups, put it there, and run the command again.";
  return `${folder} does not hold the archive that ${month} was moved to: nothing was restored. ${advice}`;
}

/**
 * What is missing of the archives that the month was moved to. One from before a reversal would make the order successful again;
 * without that of a cell, the cell's closings would be deleted although its transfers are not back.
 */
function missingArchives(left: readonly LeftCell[], { month, folder, archives }: FoundMonth): readonly string[] {
  const missing = left.filter(({ sha256 }) => !archives.some((one) => one.sha256 === sha256));
  return [...new Set(missing.map(({ sha256 }) => sha256))].map((expected) => {
    // A younger cell that an account moved to has the record of the account's old cell, and no archive.
    const places = missing.filter(({ sha256 }) => sha256 === expected).map(({ cell }) => join(folderOfCell(folder, cell), month));
    const actual = archives.filter(({ path }) => places.includes(path)).map(({ sha256 }) => sha256);
    const words = actual.length === 0 ? "there is no archive" : `it is ${actual.join(" and ")}`;
    return `${places.join(" or ")}: the SHA-256 of manifest.json must be ${expected}, but ${words}.`;
  });
}

async function installationFault([home]: readonly ConnectedCell[], archives: readonly Archive[]): Promise<string | null> {
  const rows = home ? await home.sql<{ installation_id: string }[]>`select installation_id from installation` : [];
  const isOurs = archives.every(({ manifest }) => rows[0]?.installation_id === manifest.installation_id);
  return isOurs ? null : "The archive is that of another installation: nothing was restored.";
}

/** The ledger starts from the newest archived month, so months come back in the order in which they would have been kept. */
async function orderFault(cells: readonly ConnectedCell[], month: string): Promise<string | null> {
  for (const { sql } of cells) {
    const [leaving] = await sql`select from archived_months where month = ${month} and dropped_at is null`;
    if (leaving) return `${month} is being moved to the archive. Run that command again first, then restore.`;
    const [later] = await sql<{ month: string }[]>`
      select month from archived_months where month > ${month} and exists (select from archived_months where month = ${month})
      order by month desc limit 1`;
    if (later) return `${later.month} is archived too. Restore the newest month first: nothing was restored.`;
  }
  return null;
}

/** An account may have moved to another cell since: its rows go where it is now. */
async function restoreMonth(
  ctx: CommandContext,
  cells: readonly ConnectedCell[],
  left: readonly LeftCell[],
  { month, archives }: FoundMonth,
): Promise<Outcome> {
  const [home] = cells;
  if (!home) throw new Error("There is no home cell.");
  for (const { sql } of left) for (const partition of historyPartitions(month)) await makeWhenFree(sql, partition);
  const places = await readAccountCells(home.sql, "all");
  const sqlOf = (accountId: string) => (cells.find(({ cell }) => cell === places.get(accountId)?.cell) ?? home).sql;
  const counts: Record<string, number> = {};
  for (const { path, manifest } of archives)
    for (const { table, rows } of manifest.files) {
      if (table === "closings" || rows === 0) continue;
      const inserted = await restoreTable(path, table, sqlOf);
      counts[table] = (counts[table] ?? 0) + inserted;
      ctx.note(`${table}: ${inserted} of ${rows} rows were missing`);
    }
  // Only now that all rows are there, so that a restore that ends early leaves the month archived and can be run again.
  for (const { sql } of left) await bringBack(sql, month);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const words = `${month}: ${total} missing rows were restored. Check the result with: corprail ledger verify`;
  return done(words, { month, restored: counts });
}

/** A cell that a month has left, with the SHA-256 of the manifest of its archive. */
type LeftCell = ConnectedCell & { readonly sha256: string };

async function cellsWithout(cells: readonly ConnectedCell[], month: string): Promise<readonly LeftCell[]> {
  const left: LeftCell[] = [];
  for (const one of cells) {
    const [row] = await one.sql<{ sha256: string }[]>`select manifest_sha256 as sha256 from archived_months where month = ${month}`;
    if (row) left.push({ ...one, sha256: row.sha256 });
  }
  return left;
}

async function restoreTable(path: string, table: string, sqlOf: (accountId: string) => Sql): Promise<number> {
  let inserted = 0;
  let columns: readonly ArchivedColumn[] | null = null;
  for await (const group of readParquet(join(path, `${table}.parquet`))) {
    const byCell = new Map<Sql, ArchivedRow[]>();
    for (const row of group) {
      const sql = sqlOf(String(row["account_id"]));
      const own = byCell.get(sql);
      if (own) own.push(row);
      else byCell.set(sql, [row]);
    }
    for (const [sql, rows] of byCell) {
      columns ??= await readColumns(sql, table);
      for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
        inserted += await insertMissing(sql, table, columns, rows.slice(from, from + ROWS_A_STATEMENT));
    }
  }
  return inserted;
}

/** From now on the ledger check covers the month again. Until here it left its rows out, because they were not complete. */
async function bringBack(sql: Sql, month: string): Promise<void> {
  const role = await prepareRole(sql);
  await sql.begin((tx) =>
    withRights(tx, role, async () => {
      await tx`delete from ledger_closings where month = ${month}`;
      await tx`delete from archived_months where month = ${month}`;
    }),
  );
}

/** An order comes back with its reference, in one statement, so that it is never without. */
async function insertMissing(sql: Sql, table: string, columns: readonly ArchivedColumn[], rows: readonly ArchivedRow[]): Promise<number> {
  const names = columns.map(({ name }) => quotedName(name)).join(", ");
  const values = columns.map(({ name }) => rows.map((row) => (row[name] === null || row[name] === undefined ? null : String(row[name]))));
  const arrays = columns.map((_, place) => `$${place + 1}::text[]`).join(", ");
  const insert = `insert into ${quotedName(table)} (${names}) select ${columns.map(restored).join(", ")}
    from unnest(${arrays}) as n (${names}) on conflict do nothing`;
  if (table === "transfers") return await insertTransfers(sql, insert, values);
  if (table !== "orders") return (await sql.unsafe(insert, values)).count;
  const [row] = await sql.unsafe<{ count: number }[]>(
    `with missing as (${insert} returning account_id, order_id, service, reference, operation), referred as (
      insert into order_references (account_id, digest, order_id)
      select account_id, order_reference_digest(account_id, service, reference, operation), order_id from missing on conflict do nothing)
    select count(*)::int as count from missing`,
    values,
  );
  return row?.count ?? 0;
}

/** A reference stays when its transfer leaves, but a lost row may have lost its reference too. */
async function insertTransfers(sql: Sql, insert: string, values: readonly (readonly (string | null)[])[]): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `with missing as (${insert} returning account_id, reference, seq, kind, amount), referred as (
      insert into transfer_references (account_id, reference, seq, kind, amount)
      select account_id, reference, seq, kind, amount from missing where reference is not null on conflict do nothing)
    select count(*)::int as count from missing`,
    values as (string | null)[][],
  );
  return row?.count ?? 0;
}
