import { join, resolve } from "node:path";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { makeWhenFree } from "@corprail/server/platform/db/partitions/make-partitions";
import { historyPartitions } from "@corprail/server/platform/db/partitions/partitioned-tables";
import { prepareRole } from "@corprail/server/platform/db/privileges";
import { quotedName } from "../backup/tables.ts";
import { severalCellsFault } from "../cell/find-cells.ts";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { schemaFault } from "../schema.ts";
import { type ArchivedColumn, readColumns, restored } from "./archived-tables.ts";
import { withRights } from "./leave-database.ts";
import { listMonths, type Manifest, readManifest } from "./manifest.ts";
import { type ArchivedRow, readParquet } from "./parquet.ts";
import { monthFaults } from "./verify-archive.ts";

const ROWS_A_STATEMENT = 2_000;

/** Puts back what is missing in the database of an archived month. Rows that are there are left as they are. */
export async function restoreArchive(ctx: CommandContext, month: string, folder: string): Promise<Outcome> {
  if (!(await listMonths(resolve(folder))).includes(month)) return failed(`There is no archive of ${month} in ${resolve(folder)}.`);
  const path = join(resolve(folder), month);
  const faults = await monthFaults(path, month);
  if (faults.length > 0) return failed("The archive is damaged: nothing was restored.", { faults }, faults.join("\n"));
  const manifest = await readManifest(path);
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 1, role: null });
    try {
      const fault = (await schemaFault(sql)) ?? (await severalCellsFault(sql)) ?? (await installationFault(sql, manifest));
      return fault === null ? await restoreMonth(ctx, sql, path, manifest) : failed(fault);
    } finally {
      await close();
    }
  });
}

async function installationFault(sql: Sql, { installation_id }: Manifest): Promise<string | null> {
  const [row] = await sql<{ installation_id: string }[]>`select installation_id from installation`;
  return row?.installation_id === installation_id ? null : "The archive is that of another installation: nothing was restored.";
}

async function restoreMonth(ctx: CommandContext, sql: Sql, path: string, manifest: Manifest): Promise<Outcome> {
  const { month } = manifest;
  const [left] = await sql<
    { is_dropped: boolean }[]
  >`select dropped_at is not null as is_dropped from archived_months where month = ${month}`;
  if (left && !left.is_dropped) return failed(`${month} is being moved to the archive. Run that command again first, then restore.`);
  if (left) for (const partition of historyPartitions(month)) await makeWhenFree(sql, partition);
  const counts: Record<string, number> = {};
  for (const { table, rows } of manifest.files) {
    if (table === "closings" || rows === 0) continue;
    const columns = await readColumns(sql, table);
    let inserted = 0;
    for await (const group of readParquet(join(path, `${table}.parquet`)))
      for (let from = 0; from < group.length; from += ROWS_A_STATEMENT)
        inserted += await insertMissing(sql, table, columns, group.slice(from, from + ROWS_A_STATEMENT));
    counts[table] = inserted;
    ctx.note(`${table}: ${inserted} of ${rows} rows were missing`);
  }
  if (left) await bringBack(sql, month);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return done(`${manifest.month}: ${total} missing rows were restored. Check the result with: corprail ledger verify`, {
    month: manifest.month,
    restored: counts,
  });
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
