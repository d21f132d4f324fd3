import { afterAll, beforeAll, expect, test } from "vitest";
import { parseMoney } from "../../platform/core/money.ts";
import { parseAddress } from "../../platform/network/address.ts";
import { listAudit } from "../audit/list.ts";
import { changeAccount } from "./change-account.ts";
import { createAccount } from "./create-account.ts";
import { replaceCallbackSecret } from "./credentials/replace-callback-secret.ts";
import { replaceToken } from "./credentials/replace-token.ts";
import { readAccount } from "./read-account.ts";
import { replaceAllowlist } from "./replace-allowlist.ts";
import { switchServices } from "./switch-services.ts";
import { newAccount, type TestSettings, testSettings } from "./testing/settings.ts";

let settings: TestSettings;
beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings.close());

const trail = (accountId: string) =>
  listAudit(settings.database.sql, { before: null, limit: 100, subject: { kind: "account", id: accountId } });

test("a new account is known by its token at once, and starts as the contract says", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx, "  Asha Stores ");
  expect(apiToken).toMatch(/^tok_live_[A-Za-z0-9_-]{43}$/);
  expect(settings.directory.byToken(apiToken)).toMatchObject({
    accountId,
    name: "Asha Stores",
    standing: "active",
    kyc: "verified",
    agreement: "signed",
    wallet: "active",
    services: new Set(["recharge"]),
    allowlist: { entries: [] },
    callbackVersion: 2,
    dailyLimit: null,
  });
});

test("a sandbox account gets a test token, also when it is replaced", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx, "Trial", true);
  expect(apiToken).toMatch(/^tok_test_/);
  const replaced = await replaceToken(settings.ctx, "test", { accountId });
  expect(replaced).toMatchObject({ kind: "done", apiToken: expect.stringMatching(/^tok_test_/) });
});

test.each(["", "   ", "a\nb", "x".repeat(121), "a\u2028b"])("%j is no name for an account", async (name) => {
  expect(await createAccount(settings.ctx, "test", { name, sandbox: false })).toEqual({ kind: "invalid_name" });
});

test("a replaced token dies at once, and its prefix or suffix never lived", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const replaced = await replaceToken(settings.ctx, "test", { accountId });
  if (replaced.kind !== "done") throw new Error("not replaced");
  expect(settings.directory.byToken(apiToken)).toBeNull();
  expect(settings.directory.byToken(replaced.apiToken)?.accountId).toBe(accountId);
  expect(settings.directory.byToken(replaced.apiToken.slice(0, -1))).toBeNull();
  expect(settings.directory.byToken(`${replaced.apiToken}x`)).toBeNull();
});

test("a change holds in memory when it is answered, and the audit log says what it was before", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const change = { accountId, standing: "paused", dailyLimit: parseMoney("2500"), callbackUrl: "https://example.com/cb" } as const;
  expect(await changeAccount(settings.ctx, "key:K1", { ...change, reason: "asked by phone" })).toEqual({ kind: "done" });
  expect(settings.directory.byId(accountId)).toMatchObject({
    standing: "paused",
    dailyLimit: 25_000_000n,
    callbackUrl: "https://example.com/cb",
  });
  const [entry] = await trail(accountId);
  expect(entry).toMatchObject({ actor: "key:K1", action: "account.changed" });
  expect(JSON.parse(entry?.details ?? "")).toEqual({
    reason: "asked by phone",
    changes: {
      standing: { from: "active", to: "paused" },
      daily_limit: { from: null, to: "2500.0000" },
      callback_url: { from: null, to: "https://example.com/cb" },
    },
  });
  await changeAccount(settings.ctx, "key:K1", { accountId, dailyLimit: null, callbackUrl: null });
  expect(settings.directory.byId(accountId)).toMatchObject({ dailyLimit: null, callbackUrl: null });
});

test("a change to what is already so leaves no trace", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const before = (await trail(accountId)).length;
  expect(await changeAccount(settings.ctx, "test", { accountId, standing: "active", callbackUrl: null })).toEqual({ kind: "done" });
  expect(await switchServices(settings.ctx, "test", { accountId, services: { recharge: true, bus: false } })).toEqual({ kind: "done" });
  expect(await replaceAllowlist(settings.ctx, "test", { accountId, entries: [] })).toEqual({ kind: "done" });
  expect(await trail(accountId)).toHaveLength(before);
});

test("callback version 3 needs a callback secret, and nothing else of that change is made without one", async () => {
  const { accountId } = await newAccount(settings.ctx);
  expect(await changeAccount(settings.ctx, "test", { accountId, callbackVersion: 3, wallet: "suspended" })).toMatchObject({
    kind: "conflict",
  });
  expect(settings.directory.byId(accountId)).toMatchObject({ callbackVersion: 2, wallet: "active", hasCallbackSecret: false });
  expect(await replaceCallbackSecret(settings.ctx, "test", { accountId })).toMatchObject({
    callbackSecret: expect.stringMatching(/^cbk_/),
  });
  expect(await changeAccount(settings.ctx, "test", { accountId, callbackVersion: 3 })).toEqual({ kind: "done" });
  expect(settings.directory.byId(accountId)).toMatchObject({ callbackVersion: 3, hasCallbackSecret: true });
});

test("services are switched one by one", async () => {
  const { accountId } = await newAccount(settings.ctx);
  await switchServices(settings.ctx, "test", { accountId, services: { recharge: false, bus: true } });
  expect(settings.directory.byId(accountId)?.services).toEqual(new Set(["bus"]));
});

test("an allowlist is replaced whole, with host bits masked and doubles dropped", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const entries = ["203.0.113.77/24", "203.0.113.0/24", "::ffff:198.51.100.7", "2001:DB8::1"];
  expect(await replaceAllowlist(settings.ctx, "test", { accountId, entries })).toEqual({ kind: "done" });
  const list = settings.directory.byId(accountId)?.allowlist;
  expect(list?.entries).toEqual(["203.0.113.0/24", "198.51.100.7", "2001:db8::1"]);
  const address = parseAddress("203.0.113.200");
  expect(address && list?.admits(address)).toBe(true);
  expect(await replaceAllowlist(settings.ctx, "test", { accountId, entries: ["10.0.0.1", "10.0.0.0/33"] })).toEqual({
    kind: "invalid_entry",
    entry: "10.0.0.0/33",
  });
});

test("an unknown account is answered as such by every verb", async () => {
  const accountId = "ANOBODY";
  const none = { kind: "not_found" };
  expect(await changeAccount(settings.ctx, "test", { accountId, kyc: "pending" })).toEqual(none);
  expect(await switchServices(settings.ctx, "test", { accountId, services: {} })).toEqual(none);
  expect(await replaceAllowlist(settings.ctx, "test", { accountId, entries: [] })).toEqual(none);
  expect(await replaceToken(settings.ctx, "test", { accountId })).toEqual(none);
  expect(await replaceCallbackSecret(settings.ctx, "test", { accountId })).toEqual(none);
  expect(await readAccount(settings.ctx, accountId)).toBeNull();
});

test("a second process sees a change within one second", async () => {
  const other = await settings.another();
  const { accountId, apiToken } = await newAccount(settings.ctx);
  await expect.poll(() => other.directory.byToken(apiToken)?.accountId, { interval: 20 }).toBe(accountId);
  await changeAccount(settings.ctx, "test", { accountId, standing: "inactive" });
  await expect.poll(() => other.directory.byId(accountId)?.standing, { interval: 20 }).toBe("inactive");
  const replaced = await replaceToken(settings.ctx, "test", { accountId });
  await expect.poll(() => other.directory.byToken(apiToken), { interval: 20 }).toBeNull();
  expect(other.directory.byToken(replaced.kind === "done" ? replaced.apiToken : "")?.accountId).toBe(accountId);
});

test("tokens and secrets are nowhere in the database in clear", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const replaced = await replaceCallbackSecret(settings.ctx, "test", { accountId });
  const secrets = [apiToken, replaced.kind === "done" ? replaced.callbackSecret : ""];
  const rows = await settings.database.sql`select * from credentials where account_id = ${accountId}`;
  const stored =
    rows.map((row) => `${row["sealed"].toString("latin1")} ${row["digest"].toString("latin1")}`).join() +
    JSON.stringify(await trail(accountId), (_, value) => (typeof value === "bigint" ? `${value}` : value));
  expect(rows).toHaveLength(2);
  for (const secret of secrets) expect(stored).not.toContain(secret.slice(4));
});
