import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../../e2e/harness/deadline.ts";
import { newAccount } from "../../../server/src/domain/accounts/testing/settings.ts";
import { createSigningFixture, type SigningFixture } from "../../../server/src/domain/signing/testing/fixture.ts";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { emptyDatabase, migratedDatabase } from "../../../server/src/testing/database.ts";
import { corprail, running } from "../../testing/processes.ts";

let home: SigningFixture;
let cell: Awaited<ReturnType<typeof migratedDatabase>> & { readonly sql: Sql; readonly close: () => Promise<void> };
/** An account at home and one that was moved to cell 1 after its days were signed. */
let [stayed, moved] = ["", ""];

const MINUTES = 60_000;

function variables() {
  return {
    CORPRAIL_DATABASE_URL: home.settings.database.url,
    CORPRAIL_CELLS: `1=${cell.url}`,
    CORPRAIL_DATA_DIR: home.folder,
    CORPRAIL_MASTER_KEY_FILE: home.settings.keyPath,
    CORPRAIL_AUDIT_ANCHOR_FILE: home.ctx.anchor,
  };
}

async function run(...given: readonly string[]) {
  const { code, stdout, stderr } = await corprail([...given, "--json"], variables());
  return { code, stderr, ...JSON.parse(stdout) };
}

beforeAll(async () => {
  home = await createSigningFixture();
  const database = await migratedDatabase();
  cell = { ...database, ...connect({ url: database.url, connections: 2, role: null }) };
  const { ctx } = home.settings;
  [stayed, moved] = [(await newAccount(ctx)).accountId, (await newAccount(ctx)).accountId];
  for (const accountId of [stayed, moved]) await home.addTransfers(accountId, ["2026-03-01 10:00", "2026-03-02 10:00"]);
  home.setTime("2026-03-03 01:00");
  await home.sign();
  expect(await run("cell", "add", "1")).toMatchObject({ code: 0 });
  expect(await run("cell", "move-account", moved, "1")).toMatchObject({ code: 0 });
}, 2 * MINUTES);
afterAll(async () => {
  await cell.close();
  await cell.drop();
  await home.close();
});

function keyIds(): readonly string[] {
  return readFileSync(home.settings.keyPath, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}

async function sealedWith(): Promise<ReadonlySet<string>> {
  const rows = await Promise.all([home.owner, cell.sql].map((sql) => sql<{ key_id: string }[]>`select key_id from credentials`));
  return new Set(rows.flat().map((row) => row.key_id));
}

test("signed days of a moved account are verified with the run of the cell that signed them", { timeout: MINUTES }, async () => {
  expect(await run("statement", "verify")).toMatchObject({ code: 0, runs: 2, accounts: 2, faults: [] });
  await cell.sql`update transfers set amount = amount + 1 where account_id = ${moved} and seq = 1`;
  expect(await run("statement", "verify")).toMatchObject({ code: 1, faults: [{ account_id: moved, day: "2026-03-01", seq: 1 }] });
  await cell.sql`update transfers set amount = amount - 1 where account_id = ${moved} and seq = 1`;
  expect(await run("statement", "verify", "--account", moved)).toMatchObject({ code: 0, accounts: 1 });
  await cell.sql`delete from signed_days where account_id = ${moved} and day = '2026-03-02'`;
  const faults = [{ day: "2026-03-02", why: expect.stringContaining("covers 2 accounts, but the database has the signed days of 1") }];
  expect(await run("statement", "verify")).toMatchObject({ code: 1, faults });
});

test("the ledger and every cell's audit log are verified, and exported to a file each", { timeout: MINUTES }, async () => {
  expect(await run("ledger", "verify")).toMatchObject({ code: 0, accounts: 2 + 1 });
  const file = join(home.folder, "audit.jsonl");
  const files = [file, `${file}.cell-1`];
  expect(await run("audit", "export", file)).toMatchObject({ code: 0, files });
  for (const one of files) expect(await run("audit", "verify", one)).toMatchObject({ code: 0 });
  expect(readFileSync(`${file}.cell-1`, "utf8")).toContain("account.moved_in");
});

test("a month leaves every cell, is found and verified as one, and comes back to where its accounts are", {
  timeout: 3 * MINUTES,
}, async () => {
  home.setTime("2026-04-02 01:00");
  await home.sign();
  const folder = join(home.folder, "archive");
  expect(await run("archive", "move", folder, "--keep-months", "3")).toMatchObject({ code: 0, moved: ["2026-03"] });
  expect(existsSync(join(folder, "cell-1", "2026-03", "manifest.json"))).toBe(true);
  expect(await run("archive", "verify", folder)).toMatchObject({ code: 0, months: ["2026-03"] });
  for (const accountId of [stayed, moved]) {
    const statement = await run("archive", "find", folder, "--account", accountId, "--month", "2026-03");
    expect(statement).toMatchObject({ code: 0, transfers: [{ seq: "1" }, { seq: "2" }] });
  }
  expect(await run("ledger", "verify")).toMatchObject({ code: 0 });
  expect(await run("cell", "move-account", moved, "home")).toMatchObject({ code: 0 });
  expect(await run("archive", "restore", "2026-03", folder)).toMatchObject({ code: 0, restored: { transfers: 4 } });
  expect(await home.owner`select from transfers where account_id = ${moved}`).toHaveLength(2);
  expect(await run("ledger", "verify")).toMatchObject({ code: 0 });
  expect(await run("cell", "move-account", moved, "1")).toMatchObject({ code: 0 });
});

test("an account does not move to a cell that has a month which its own cell has archived", { timeout: MINUTES }, async () => {
  await home.owner`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2026-03', '0', '0', '0', '', now())`;
  const refused = await run("cell", "move-account", stayed, "1");
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("2026-03 is archived in one of the two cells only") });
  await home.owner`delete from archived_months where month = '2026-03'`;
});

test("a key rotation that is killed leaves every secret readable, and the next run completes it in all cells", {
  timeout: 2 * MINUTES,
}, async () => {
  const [old = ""] = keyIds();
  const killed = running(["rotate-key"], variables());
  await until("the new key is in the file", async () => {
    if (killed.hasEnded()) throw new Error(`The rotation ended: ${killed.said()}`);
    return keyIds().length < 2 ? null : true;
  });
  await killed.interrupt("SIGKILL");
  const [next = ""] = keyIds();
  expect(keyIds()).toEqual([next, old]);
  for (const key of await sealedWith()) expect(keyIds()).toContain(key);
  expect(await run("rotate-key")).toMatchObject({ code: 0, key_id: next });
  expect(keyIds()).toEqual([next]);
  expect(await sealedWith()).toEqual(new Set([next]));
  const retired = await cell.sql`select from audit_log where action = 'master_key.retired' and subject_id = ${old}`;
  expect(retired.length).toBe(1);
});

test("a backup has every cell, and is restored as one; files that do not fit are refused", { timeout: 3 * MINUTES }, async () => {
  const folder = join(home.folder, "all");
  expect(await run("backup", folder, "--with-master-key")).toMatchObject({ code: 0, cells: [0, 1] });
  const [newHome, newCell, other] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()];
  onTestFinished(async () => {
    for (const { drop } of [newHome, newCell, other]) await drop();
  });
  const into = {
    CORPRAIL_DATABASE_URL: newHome.url,
    CORPRAIL_CELLS: `1=${newCell.url}`,
    CORPRAIL_DATA_DIR: join(home.folder, "restored"),
  };
  const restore = async (path: string, changed: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await corprail(["restore", path, "--json"], { ...into, ...changed });
    return { code, stderr, ...JSON.parse(stdout) };
  };
  expect(await restore(join(folder, "home.backup"))).toMatchObject({ code: 1, error: expect.stringContaining("of several cells") });
  const tooMany = `1=${newCell.url} 2=${other.url}`;
  expect(await restore(folder, { CORPRAIL_CELLS: tooMany })).toMatchObject({
    code: 1,
    error: expect.stringContaining("cell 1 beside home"),
  });
  expect(await restore(folder)).toMatchObject({ code: 0, ledger_ok: true, audit_ok: true });
  const verified = await corprail(["ledger", "verify", "--json"], into);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, accounts: 3 });
  expect(await restore(folder)).toMatchObject({ code: 1, error: expect.stringContaining("not empty") });
});

test("a restore lists accounts that no cell has or that are in another cell than home says", { timeout: 2 * MINUTES }, async () => {
  const [folder, missing] = [join(home.folder, "incomplete"), "A00000000000"];
  await home.owner`insert into account_cells (account_id, cell, since) values (${missing}, 1, now()), (${stayed}, 1, now())`;
  expect(await run("backup", folder, "--with-master-key")).toMatchObject({ code: 0 });
  await home.owner`delete from account_cells where account_id in (${missing}, ${stayed})`;
  const [newHome, newCell] = [await emptyDatabase(), await emptyDatabase()];
  onTestFinished(async () => {
    for (const { drop } of [newHome, newCell]) await drop();
  });
  const { code, stdout } = await corprail(["restore", folder, "--json"], {
    CORPRAIL_DATABASE_URL: newHome.url,
    CORPRAIL_CELLS: `1=${newCell.url}`,
    CORPRAIL_DATA_DIR: join(home.folder, "restored incomplete"),
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ledger_ok: true, audit_ok: true, lost_accounts: [stayed], missing_accounts: [missing] });
});

test("an account that is between two cells keeps a backup and the archive from being made or restored", { timeout: MINUTES }, async () => {
  await home.owner`
    insert into account_moves (move_id, account_id, account_ids, from_cell, to_cell, phase, callbacks_paused, started_by, started_at, phase_at)
    values ('M', ${stayed}, ${[stayed]}, 0, 1, 'held', '{}', 'test', now(), now())`;
  const folder = join(home.folder, "archive");
  const commands = [
    ["backup", join(home.folder, "none")],
    ["archive", "move", folder, "--keep-months", "3"],
    ["archive", "restore", "2026-03", folder],
  ];
  for (const command of commands) expect(await run(...command)).toMatchObject({ code: 1, error: expect.stringContaining("not completed") });
  await home.owner`delete from account_moves where move_id = 'M'`;
});
