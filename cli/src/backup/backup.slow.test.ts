import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createAccount } from "../../../server/src/domain/accounts/create-account.ts";
import { systemClock } from "../../../server/src/platform/core/clock.ts";
import { randomIds } from "../../../server/src/platform/core/ids.ts";
import { loadVault } from "../../../server/src/platform/crypto/vault.ts";
import { connect } from "../../../server/src/platform/db/connection.ts";
import { migrate } from "../../../server/src/platform/db/schema/migrate.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { scratchFolder } from "../../testing/client.ts";
import { type TestInstallation, testInstallation } from "../../testing/installation.ts";
import { corprail, running, temporaryFolder } from "../../testing/processes.ts";
import { readBackupFile, writeBackupFile } from "./backup-file.ts";
import { KINDS } from "./frames.ts";
import { type Header, parseHeader } from "./header.ts";
import { writeSequences } from "./tables.ts";

const SCHEMA = fileURLToPath(new URL("../../../server/schema/", import.meta.url));

async function createTestAccount({ database, keyFile }: TestInstallation, name: string): Promise<void> {
  const ctx = { sql: database.sql, clock: systemClock(0), ids: randomIds(), vault: await loadVault(keyFile), refresh: async () => {} };
  await createAccount(ctx, "test", { name, sandbox: false });
}

/** An installation with accounts whose names are hard to write down, and a backup of it. */
async function backedUp(more: readonly string[] = []): Promise<{ readonly source: TestInstallation; readonly file: string }> {
  const source = await testInstallation();
  for (const name of ["Tab\u00a0and \\N", "Ünïcode 💸", "\\."]) await createTestAccount(source, name);
  const file = join(scratchFolder(), "it.backup");
  expect(await corprail(["backup", file, ...more], source.variables)).toMatchObject({ code: 0 });
  return { source, file };
}

async function emptyTarget() {
  const database = await emptyDatabase();
  onTestFinished(() => database.drop());
  return { CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: join(temporaryFolder(), "data") };
}

async function rowsOf(url: string, table: string): Promise<readonly unknown[]> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  return [...(await sql.unsafe(`select to_jsonb(t)::text as row from ${table} t order by 1`).finally(close))];
}

test("every row of every table comes back as it was, into an empty database", async () => {
  const { source, file } = await backedUp();
  const target = await emptyTarget();
  const restored = await corprail(["restore", file, "--master-key", source.keyFile, "--json"], target);
  expect(restored).toMatchObject({ code: 0 });
  const header = await headerOf(file);
  expect(header.tables.length).toBeGreaterThan(30);
  // The restore itself is on record there, and the key has a place of its own.
  const changed = ["audit_log", "audit_head", "installation"];
  for (const { name } of header.tables.filter((table) => !changed.includes(table.name)))
    expect({ name, rows: await rowsOf(target.CORPRAIL_DATABASE_URL, name) }).toEqual({
      name,
      rows: await rowsOf(source.database.url, name),
    });
  const trail = await rowsOf(target.CORPRAIL_DATABASE_URL, "audit_log");
  expect(trail).toHaveLength((await rowsOf(source.database.url, "audit_log")).length + 1);
  expect(JSON.stringify(trail)).toContain("installation.restored");
  const keyFile = join(target.CORPRAIL_DATA_DIR, "master-key");
  expect(JSON.stringify(await rowsOf(target.CORPRAIL_DATABASE_URL, "installation"))).toContain(keyFile);
  expect(readFileSync(keyFile, "utf8")).toBe(readFileSync(source.keyFile, "utf8"));
});

async function headerOf(file: string): Promise<Header> {
  for await (const { content } of readBackupFile(file)) return parseHeader(content);
  throw new Error("It has no header.");
}

const DAMAGE: readonly (readonly [string, (file: string) => void])[] = [
  ["a file of something else", (file) => writeFileSync(file, "hello, world")],
  ["an empty file", (file) => truncateSync(file, 0)],
  ["a file cut short", (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
  ["another's gzip file", (file) => writeFileSync(file, gzipSync("CORPRAIL-BACKUP 9\nhello"))],
  ["a changed byte", (file) => damage(file, (bytes) => bytes.writeUInt8((bytes.at(-200) ?? 0) ^ 1, bytes.length - 200))],
  ["rows that were cut out", (file) => writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).subarray(0, -2000)))],
  ["something after its end", (file) => writeFileSync(file, gzipSync(Buffer.concat([gunzipSync(readFileSync(file)), Buffer.from("x")])))],
];

function damage(file: string, change: (bytes: Buffer) => void): void {
  const bytes = gunzipSync(readFileSync(file));
  change(bytes);
  writeFileSync(file, gzipSync(bytes));
}

test("whatever is wrong with the file, it is refused before anything is written", async () => {
  const { file } = await backedUp();
  const folder = join(temporaryFolder(), "data");
  for (const [what, breakIt] of DAMAGE) {
    const broken = join(scratchFolder(), "broken.backup");
    copyFileSync(file, broken);
    breakIt(broken);
    const { code, stderr } = await corprail(["restore", broken], { CORPRAIL_DATA_DIR: folder });
    expect({ what, code, stderr }).toEqual({ what, code: 1, stderr: expect.stringContaining("cannot be restored") });
    expect(existsSync(folder)).toBe(false);
  }
  expect(await corprail(["restore", join(folder, "nothing")], { CORPRAIL_DATA_DIR: folder })).toMatchObject({ code: 1 });
});

test("a key file that does not fit, a database in use and a newer backup are refused, and leave everything as it was", {
  timeout: 60_000,
}, async () => {
  const { source, file } = await backedUp();
  const [other, target] = [await testInstallation(), await emptyTarget()];
  expect(await corprail(["restore", file, "--master-key", other.keyFile], target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not hold the master key"),
  });
  expect(existsSync(target.CORPRAIL_DATA_DIR)).toBe(false);
  expect(await corprail(["restore", file], other.variables)).toMatchObject({ code: 1, stderr: expect.stringContaining("not empty") });
  expect(await rowsOf(other.database.url, "accounts")).toEqual([]);
  const development = await rewritten(file, (header) => ({ ...header, migrations: [{ version: 1, name: "foundation", checksum: "x" }] }));
  expect(await corprail(["restore", development, "--master-key", source.keyFile], target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("development version"),
  });
  const newer = await rewritten(file, (header) => ({
    ...header,
    migrations: [...header.migrations, { version: 9999, name: "later", checksum: "x" }],
  }));
  expect(await corprail(["restore", newer, "--master-key", source.keyFile], target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("9999 (later)"),
  });
});

/** A backup with a right checksum and other content. */
async function rewritten(file: string, change: (header: Header) => Header, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(scratchFolder(), "rewritten.backup");
  await writeBackupFile(path, async (writer) => {
    let table = "";
    for await (const { kind, content } of readBackupFile(file)) {
      if (kind === KINDS.header) await writer.header(change(parseHeader(content)));
      if (kind === KINDS.table) table = JSON.parse(content.toString("utf8"));
      if (kind === KINDS.table) await writer.table({ name: table, columns: [] });
      if (kind === KINDS.rows) await writer.rows(content);
      if (kind !== KINDS.tableEnd) continue;
      if (more[table] !== undefined) await writer.rows(Buffer.from(more[table] ?? ""));
      await writer.tableEnd(Number(content.toString("utf8")) + (more[table] === undefined ? 0 : 1));
    }
  });
  return path;
}

test.each([
  ["a row that breaks a rule", "operator_aliases", "X\tNO-SUCH-OPERATOR\n"],
  ["a row that is none", "wallets", "A1\tnot a number\n"],
])("%s undoes the whole restore, and the folder is empty again", async (_what, table, row) => {
  const { source, file } = await backedUp();
  const folder = temporaryFolder();
  const odd = await rewritten(file, (header) => header, { [table]: row });
  const { code, stderr } = await corprail(["restore", odd, "--master-key", source.keyFile], { CORPRAIL_DATA_DIR: folder });
  expect({ code, left: readdirSync(folder) }).toEqual({ code: 1, left: [] });
  expect(stderr).toMatch(/operator_aliases|bigint|wallets/);
});

// The schema's versions; there is something to test once there is a second one.
const LATER = readdirSync(join(SCHEMA, "migrations")).filter((name) => name.endsWith(".sql"));
const OLDER_BACKUP = "an older version's backup is restored with its own schema and then brought to this version's";

test.runIf(LATER.length > 0)(OLDER_BACKUP, async () => {
  const older = join(scratchFolder(), "schema");
  cpSync(SCHEMA, older, { recursive: true });
  rmSync(join(older, "migrations", LATER.toSorted().at(-1) ?? ""));
  const [database, target] = [await emptyDatabase(), await emptyTarget()];
  onTestFinished(() => database.drop());
  await migrate(database.url, older);
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  await sql`insert into installation (installation_id, created_at, master_key_file, master_key_id) values ('I1', now(), '/nowhere', 'mk000000000000')`;
  await close();
  const file = join(scratchFolder(), "old.backup");
  expect(await corprail(["backup", file], { CORPRAIL_DATABASE_URL: database.url })).toMatchObject({ code: 0 });
  const restored = await corprail(["restore", file], target);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining("mk000000000000 is not here") });
  expect(await rowsOf(target.CORPRAIL_DATABASE_URL, "schema_migrations")).toHaveLength(1 + LATER.length);
});

test("an existing file is not overwritten, and nothing half-written is left", async () => {
  const { source, file } = await backedUp();
  const before = readFileSync(file);
  expect(await corprail(["backup", file], source.variables)).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(join(file, ".."))).toEqual(["it.backup"]);
  const empty = await emptyTarget();
  expect(await corprail(["backup", `${file}.2`], empty)).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing to back up") });
});

test("without --with-master-key the key is not in the file, with it it is", async () => {
  const { source, file } = await backedUp();
  const [, key = "?"] = readFileSync(source.keyFile, "utf8").trim().split(" ");
  expect(gunzipSync(readFileSync(file)).includes(key)).toBe(false);
  const whole = `${file}.whole`;
  expect(await corprail(["backup", whole, "--with-master-key", "--json"], source.variables)).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(whole)).includes(key)).toBe(true);
});

test("sequences go on where they were", async () => {
  const { database } = await testInstallation();
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  await sql.unsafe('create sequence "Odd name"');
  await writeSequences(sql, [{ name: "Odd name", last: "41" }]);
  expect(await sql`select nextval('"Odd name"') as next`).toEqual([{ next: 42n }]);
  await close();
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends a backup at once and leaves nothing beside its place", async (signal) => {
  const source = await testInstallation();
  const folder = scratchFolder();
  const stranger = connect({ url: source.database.url, connections: 1, role: null });
  onTestFinished(stranger.close);
  // Its rows cannot be read until the stranger is through.
  await stranger.sql.unsafe("begin; lock table accounts");
  const backup = running(["backup", join(folder, "it.backup")], source.variables);
  while (!readdirSync(folder).some((name) => name.endsWith(".part"))) await nextTurn();
  const words = expect.stringContaining("The backup was interrupted; nothing was kept.");
  expect(await backup.interrupt(signal)).toMatchObject({ code: null, stderr: words });
  expect(readdirSync(folder)).toEqual([]);
  await stranger.sql.unsafe("rollback");
});
