import { chownSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadKeyring } from "../../server/src/platform/crypto/key-file.ts";
import { emptyDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { call, openAccounts } from "../testing/accounts.ts";
import { corprail, serving, temporaryFolder } from "../testing/processes.ts";

const SECONDS = 1000;
const MINUTES = 60 * SECONDS;

function keyIds(folder: string): readonly string[] {
  return readFileSync(join(folder, "master-key"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}

test("every token keeps working while the key of a running service is rotated, and after the next start", {
  timeout: 2 * MINUTES,
}, async () => {
  const folder = temporaryFolder();
  const variables = { CORPRAIL_DATA_DIR: folder };
  const service = await serving(variables);
  const tokens = await openAccounts(service, 5);
  const before = keyIds(folder);
  const progress = { over: false };
  const rotation = corprail(["rotate-key", "--json"], variables).finally(() => {
    progress.over = true;
  });
  const statuses: number[] = [];
  while (!progress.over) statuses.push(...(await Promise.all(tokens.map((token) => call(service, token)))));
  const { code, stdout, stderr } = await rotation;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("sealed again") });
  expect(statuses.length).toBeGreaterThan(100);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const after = keyIds(folder);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  // Five tokens, and the demo account's token and signing secret.
  expect(JSON.parse(stdout)).toEqual({ ok: true, key_id: after[0], resealed: 7, key_file: join(folder, "master-key") });
  for (const token of tokens) expect(await call(service, token)).toBe(200);
  expect(await service.stop()).toBe(0);
  const again = await serving(variables);
  for (const token of tokens) expect(await call(again, token)).toBe(200);
  expect(await again.stop()).toBe(0);
});

test("with no service running the database is started for the rotation, and stopped after it", { timeout: 2 * MINUTES }, async () => {
  const folder = temporaryFolder();
  const variables = { CORPRAIL_DATA_DIR: folder };
  const service = await serving(variables);
  const [token = ""] = await openAccounts(service, 1);
  expect(await service.stop()).toBe(0);
  const before = keyIds(folder);
  const rotated = await corprail(["rotate-key"], variables);
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining("starting its database") });
  expect(keyIds(folder)).toHaveLength(1);
  expect(keyIds(folder)).not.toEqual(before);
  expect(statSync(join(folder, "master-key")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "database-url"), { throwIfNoEntry: false })).toBeUndefined();
  const again = await serving(variables);
  expect(await call(again, token)).toBe(200);
});

test("two rotations one after the other leave the tokens working on a database that was named", { timeout: 2 * MINUTES }, async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder(), CORPRAIL_DATABASE_URL: database.url };
  const service = await serving(variables);
  const [token = ""] = await openAccounts(service, 1);
  for (let turn = 0; turn < 2; turn++) expect(await corprail(["rotate-key"], variables)).toMatchObject({ code: 0 });
  expect(await call(service, token)).toBe(200);
  const trail = await database.sql<{ actor: string }[]>`select distinct actor from audit_log where subject_kind = 'master_key'`;
  expect(trail).toEqual([{ actor: expect.stringMatching(/^cli:./) }]);
  expect(await corprail(["audit", "verify"], variables)).toMatchObject({ code: 0 });
  await service.stop();
});

test("no output of a rotation holds a key or a token", { timeout: 2 * MINUTES }, async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const folder = temporaryFolder();
  const variables = { CORPRAIL_DATA_DIR: folder, CORPRAIL_DATABASE_URL: database.url };
  const service = await serving(variables);
  const tokens = await openAccounts(service, 2);
  const keys = () =>
    readFileSync(join(folder, "master-key"), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
  const secrets = [...tokens, ...keys(), new URL(database.url).password];
  const { stdout, stderr } = await corprail(["rotate-key", "--json"], variables);
  for (const secret of [...secrets, ...keys()]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(stdout + stderr).not.toContain(secret);
  }
  await service.stop();
});

test("a folder without a database is refused, and none is made there", async () => {
  const folder = join(temporaryFolder(), "elsewhere");
  const { code, stderr } = await corprail(["rotate-key"], { CORPRAIL_DATA_DIR: folder });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`There is no database in ${folder}`) });
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
});

test("a database without this version's schema, or without a first start, is refused and left as it was", async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.drop());
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder(), CORPRAIL_DATABASE_URL: database.url };
  const empty = await corprail(["rotate-key", "--json"], variables);
  expect(empty.code).toBe(1);
  expect(JSON.parse(empty.stdout)).toEqual({ ok: false, error: expect.stringContaining("corprail migrate") });
  await corprail(["migrate"], variables);
  const unused = await corprail(["rotate-key"], variables);
  expect(unused).toMatchObject({ code: 1, stderr: expect.stringContaining("no master key yet") });
});

test.runIf(process.getuid?.() === 0)("a key file of another user is left alone", { timeout: 2 * MINUTES }, async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const folder = temporaryFolder();
  const variables = { CORPRAIL_DATA_DIR: folder, CORPRAIL_DATABASE_URL: database.url };
  await (await serving(variables)).stop();
  const before = keyIds(folder);
  chownSync(join(folder, "master-key"), 12_345, 12_345);
  const refusedRun = await corprail(["rotate-key"], variables);
  expect(refusedRun).toMatchObject({ code: 1, stderr: expect.stringContaining("belongs to user 12345") });
  expect(keyIds(folder)).toEqual(before);
});

test("providers' secrets are sealed again with the new key", { timeout: 2 * MINUTES }, async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const folder = temporaryFolder();
  const keyFile = join(folder, "master-key");
  const variables = { CORPRAIL_DATA_DIR: folder, CORPRAIL_DATABASE_URL: database.url };
  await (await serving(variables)).stop();
  const { keyId, sealed } = (await loadKeyring(keyFile)).seal("their token", "provider/acme");
  await database.sql`
    insert into providers (provider, connector, settings, secret_key_id, secret, enabled, created_at)
    values ('acme', 'corprail', '{}', ${keyId}, ${sealed}, false, now())`;
  expect(await corprail(["rotate-key"], variables)).toMatchObject({ code: 0 });
  const [row] = await database.sql<{ secret_key_id: string; secret: Buffer }[]>`
    select secret_key_id, secret from providers where provider = 'acme'`;
  expect(row?.secret_key_id).toBe(keyIds(folder)[0]);
  const opened = (await loadKeyring(keyFile)).open({ keyId: row?.secret_key_id ?? "", sealed: row?.secret ?? sealed }, "provider/acme");
  expect(opened).toBe("their token");
});
