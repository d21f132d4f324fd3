import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTransfers, signMarch } from "../../../domain/signing/testing/fixture.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
let accountId: string;
let folder: string;
beforeAll(async () => {
  [api, folder] = [await testApi(), await mkdtemp(join(tmpdir(), "corprail-signing-"))];
  accountId = (await api.newAccount({ name: "Asha Stores" })).account_id;
  const { database, ctx } = api.settings;
  await addTransfers(database.sql, accountId, ["2026-03-01 10:00", "2026-03-01 11:00", "2026-03-02 10:00"]);
  await signMarch({ sql: database.sql, vault: ctx.vault }, folder);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const verify = async (program: string, text: string, key: string) => {
  const file = join(folder, "file.jsonl");
  await writeFile(file, text);
  const { verifyFile } = await import(new URL(`../../../../../contract/${program}`, import.meta.url).href);
  return await verifyFile(file, { key, anchor: join(folder, "anchor.jsonl") });
};
const keyId = async () => (await api.get("/signing")).body.keys[0].key_id;

test("the last signing run is shown with its key, and that signing is behind", async () => {
  const { status, body } = await api.get("/signing");
  expect(status).toBe(200);
  expect(body).toMatchObject({ behind: true, last_run: { run: 2, day: "2026-03-02", accounts: 1, lines: 1 }, keys: [{}] });
  expect(body.last_run.key_id).toBe(body.keys[0].key_id);
  const { parts } = (await api.get("/system")).body;
  const says = `Every day up to 2026-03-02 is signed. Days up to ${body.due_day} should be.`;
  expect(parts).toContainEqual({ name: "Ledger signing", state: "attention", says });
  expect(body.due_day <= indiaDate(Date.now())).toBe(true);
});

test("an account's signed days are listed page by page, and are part of its monthly statement", async () => {
  const first = (await api.get(`/accounts/${accountId}/signed-days?limit=1`)).body;
  expect(first.items).toMatchObject([{ day: "2026-03-02", number: 2, first_entry: 3, last_entry: 3, closing_balance: "3.0000" }]);
  const second = (await api.get(`/accounts/${accountId}/signed-days?limit=1&after=${first.next}`)).body;
  expect([second.items[0].day, second.next]).toEqual(["2026-03-01", null]);
  const { signed_days: days } = (await api.get(`/accounts/${accountId}/statements?month=2026-03`)).body;
  expect(days).toEqual([second.items[0], first.items[0]]);
  expect((await api.get(`/accounts/${accountId}/statements?month=2026-04`)).body.signed_days).toEqual([]);
  expect((await api.get("/accounts/AXXXXXXXXXXX/signed-days")).status).toBe(404);
});

test("the signed statement and the signed audit log pass the stand-alone verifiers", async () => {
  const statement = await api.get(`/accounts/${accountId}/signed-statements/2026-03.jsonl`);
  expect(statement.status).toBe(200);
  expect(await verify("verify-statement.mjs", statement.text, await keyId())).toMatchObject({
    faults: [],
    holds: `account ${accountId}, signed days: 2, transfers: 3`,
  });
  const audit = await api.get("/audit/export");
  expect(await verify("verify-audit.mjs", audit.text, await keyId())).toMatchObject({ faults: [] });
  const changed = audit.text.replace("account.created", "account.deleted");
  expect(await verify("verify-audit.mjs", changed, await keyId())).not.toMatchObject({ faults: [] });
});

test.each(["2026-13.jsonl", "2026-03.csv", "x"])("there is no signed statement %s", async (file) => {
  expect((await api.get(`/accounts/${accountId}/signed-statements/${file}`)).status).toBe(404);
});
