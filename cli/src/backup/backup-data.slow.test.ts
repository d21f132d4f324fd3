import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { scratchFolder } from "../../testing/client.ts";
import { fillTables } from "../../testing/fill-tables.ts";
import { type TestInstallation, testInstallation } from "../../testing/installation.ts";
import { corprail, temporaryFolder } from "../../testing/processes.ts";

// Each round is a backup and a restore. BACKUP_ROUNDS=50 npx vitest run cli/src/backup/backup-data.slow.test.ts
const ROUNDS = Number(process.env["BACKUP_ROUNDS"] ?? 1);
// The restore writes its own audit entry, and names its own key file.
const CHANGED_BY_RESTORE = ["audit_log", "audit_head", "installation"];
// Tables of one row, of fixed rows, of one row an account, which the account brings, and with values that depend on each other.
const NOT_FILLED = [
  "account_cells",
  "account_moves",
  "aeps_encryption_key",
  "alert_settings",
  "applied_configuration",
  "approval_rules",
  "archive_runs",
  "archived_months",
  "cells",
  "identity_providers",
  "installation_mode",
  "ledger_closings",
  "ledger_month_sums",
  "onboarding_documents",
  "one_time_passwords",
  "operators",
  "order_rollup_position",
  "owner_notice_cursor",
  "status_notices",
  "status_settings",
  "status_subscriptions",
  "transfer_kinds",
  "transfer_settings",
  "wallets",
];

type Checksums = ReadonlyMap<string, string>;

async function checksums(sql: Sql, tables: readonly string[]): Promise<Checksums> {
  const sums = new Map<string, string>();
  for (const name of tables) {
    const [row] = await sql.unsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(h, '' order by h)), '') as sum from (select md5(t::text) as h from ${name} t) s`,
    );
    sums.set(name, row?.sum ?? "");
  }
  return sums;
}

async function tableNames(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and not exists (select from pg_inherits i join pg_class n on n.oid = i.inhrelid where i.inhparent = c.oid and n.relpersistence = 'u')`;
  return rows.map(({ name }) => name).filter((name) => !CHANGED_BY_RESTORE.includes(name) && name !== "schema_migrations");
}

/** Backs up and restores into an empty database, and lends that. */
async function restored(source: TestInstallation, look: (sql: Sql) => Promise<void>): Promise<void> {
  const file = join(scratchFolder(), "it.backup");
  const target = await emptyDatabase();
  try {
    const made = await corprail(["backup", file, "--json"], source.variables);
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Backing up") });
    const variables = { CORPRAIL_DATABASE_URL: target.url, CORPRAIL_DATA_DIR: join(temporaryFolder(), "data") };
    const back = await corprail(["restore", file, "--master-key", source.keyFile, "--json"], variables);
    // With its words, so that one that fails among many says why.
    expect({ code: back.code, stderr: back.stderr }).toEqual({ code: 0, stderr: expect.stringContaining("The rows are in") });
    expect(JSON.parse(back.stdout)).toMatchObject({ ok: true, ledger_ok: true, audit_ok: true });
    const { sql, close } = connect({ url: target.url, connections: 1, role: null });
    await look(sql).finally(close);
  } finally {
    rmSync(file, { force: true });
    await target.drop();
  }
}

async function filledInstallation(rows: number, isLeftEmpty: (name: string) => boolean) {
  const source = await testInstallation();
  const { sql, close } = connect({ url: source.database.url, connections: 2, role: null });
  onTestFinished(close);
  const filled = await fillTables(sql, rows, isLeftEmpty);
  return { source, sql, filled };
}

// Twice as many rounds, idle and under load, and minutes for each where the machine is busy with others.
const OPTIONS = { timeout: 120_000 + 2 * ROUNDS * 120_000 };

test("with thousands of rows in every table a backup ends and is restored row by row, idle and under load", OPTIONS, async () => {
  const { source, sql, filled } = await filledInstallation(2500, () => false);
  const names = await tableNames(sql);
  expect(names.filter((name) => !filled.includes(name)).toSorted()).toEqual(NOT_FILLED);
  const before = await checksums(sql, names);
  for (let round = 0; round < ROUNDS; round += 1)
    await restored(source, async (target) => expect(await checksums(target, names)).toEqual(before));
  const quiet = names.filter((name) => name !== "pending_polls" && name !== "sign_in_attempts");
  const writer = startWriter(sql);
  for (let round = 0; round < ROUNDS; round += 1)
    await restored(source, async (target) => {
      expect(await checksums(target, quiet)).toEqual(await checksums(sql, quiet));
      await expectOneMoment(target);
    });
  expect(await writer.stop()).toBeGreaterThan(0);
});

test("with empty tables between full ones a backup ends and is restored row by row", OPTIONS, async () => {
  // Tables that others refer to are filled, so that those others can be.
  const neededByOthers = ["accounts", "users", "operators", "circles", "providers"];
  const isLeftEmpty = (name: string) => !neededByOthers.includes(name) && name.length % 2 === 0;
  const { source, sql, filled } = await filledInstallation(1000, isLeftEmpty);
  expect(filled.length).toBeGreaterThan(15);
  const names = await tableNames(sql);
  const before = await checksums(sql, names);
  for (let round = 0; round < ROUNDS; round += 1)
    await restored(source, async (target) => expect(await checksums(target, names)).toEqual(before));
});

/** One transaction writes a row and counts it: at any one moment the two agree. */
async function expectOneMoment(target: Sql): Promise<void> {
  const [written] = await target<{ rows: number; last: number; counted: number }[]>`
    select count(*)::int as rows, coalesce(max(polls), 0) as last, (select count from sign_in_attempts where scope = 'load') as counted
    from pending_polls where account_id = 'load'`;
  expect(written).toEqual({ rows: written?.last, last: written?.last, counted: written?.last });
}

function startWriter(sql: Sql): { readonly stop: () => Promise<number> } {
  let count = 0;
  let isOn = true;
  const work = async () => {
    await sql`insert into sign_in_attempts (scope, key, count, window_started_at) values ('load', decode('00', 'hex'), 0, now())`;
    while (isOn) {
      count += 1;
      await sql.begin(async (tx) => {
        await tx`insert into pending_polls (account_id, order_id, why, since, polls, not_found, due_at, needs_human)
          values ('load', ${`O${count}`}, ${"x".repeat(count % 2000)}, now(), ${count}, 0, now(), false)`;
        await tx`update sign_in_attempts set count = count + 1 where scope = 'load'`;
      });
    }
  };
  const working = work();
  return {
    stop: async () => {
      isOn = false;
      await working;
      return count;
    },
  };
}
