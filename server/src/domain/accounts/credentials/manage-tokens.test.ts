import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../../audit/list.ts";
import { readCallbackEpoch } from "../store.ts";
import { newAccount, type TestSettings, testSettings } from "../testing/settings.ts";
import { changeToken, createToken, MAX_TOKENS, makePrimary, type NewToken, revokeToken } from "./manage-tokens.ts";
import { readTokens } from "./read-tokens.ts";
import { replaceToken } from "./replace-token.ts";

let settings: TestSettings;
beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings.close());

const trail = (accountId: string) =>
  listAudit(settings.database.sql, { before: null, limit: 100, subject: { kind: "account", id: accountId } });
const tokensOf = (accountId: string) => readTokens(settings.ctx, accountId);

async function add(accountId: string, name: string, more: Partial<NewToken> = {}) {
  const input = { accountId, name, scopes: null, readOnly: false, expiresAt: null, ...more };
  const created = await createToken(settings.ctx, "test", input);
  if (created.kind !== "done") throw new Error(`The token was not created: ${JSON.stringify(created)}`);
  return created;
}

test("an additional token works beside the primary one, with its limits in memory", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const expiresAt = new Date(settings.clock.now() + 60_000);
  const added = await add(accountId, "Branch", { scopes: ["recharge", "bus", "recharge"], readOnly: true, expiresAt });
  expect(added.apiToken).toMatch(/^tok_live_[A-Za-z0-9_-]{43}$/);
  expect(settings.directory.findToken(added.apiToken)).toMatchObject({
    account: { accountId },
    tokenId: added.tokenId,
    scopes: new Set(["bus", "recharge"]),
    readOnly: true,
    expiresAt: expiresAt.getTime(),
  });
  expect(settings.directory.findToken(apiToken)).toMatchObject({ scopes: null, readOnly: false, expiresAt: null });
  expect(await tokensOf(accountId)).toMatchObject([
    { name: "First token", isPrimary: true },
    { name: "Branch", isPrimary: false, masked: `tok_live_••••${added.apiToken.slice(-4)}`, scopes: ["bus", "recharge"] },
  ]);
  const [entry] = await trail(accountId);
  expect(entry?.action).toBe("account.token_created");
  expect(JSON.parse(entry?.details ?? "")).toMatchObject({ name: "Branch", read_only: true, scopes: ["bus", "recharge"] });
  expect(entry?.details).not.toContain(added.apiToken.slice(9));
});

test("rotation replaces the primary token alone, and the new one keeps its name and limits", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const added = await add(accountId, "Branch", { scopes: ["bills"] });
  await makePrimary(settings.ctx, "test", { accountId, tokenId: added.tokenId });
  const replaced = await replaceToken(settings.ctx, "test", { accountId });
  if (replaced.kind !== "done") throw new Error("not replaced");
  expect(settings.directory.findToken(added.apiToken)).toBeNull();
  expect(settings.directory.findToken(apiToken)).toMatchObject({ scopes: null });
  expect(settings.directory.findToken(replaced.apiToken)).toMatchObject({ scopes: new Set(["bills"]) });
  expect((await tokensOf(accountId)).map(({ name, isPrimary }) => [name, isPrimary])).toEqual([
    ["Branch", true],
    ["First token", false],
  ]);
});

test("a revoked token dies at once in every process; the primary one cannot be revoked", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const other = await settings.another();
  const { tokenId, apiToken } = await add(accountId, "Branch");
  await expect.poll(() => other.directory.findToken(apiToken)?.tokenId, { interval: 20 }).toBe(tokenId);
  expect(await revokeToken(settings.ctx, "test", { accountId, tokenId })).toEqual({ kind: "done" });
  expect(settings.directory.findToken(apiToken)).toBeNull();
  await expect.poll(() => other.directory.findToken(apiToken), { interval: 20 }).toBeNull();
  expect(await revokeToken(settings.ctx, "test", { accountId, tokenId })).toEqual({ kind: "not_found" });
  const [primary] = await tokensOf(accountId);
  expect(await revokeToken(settings.ctx, "test", { accountId, tokenId: primary?.tokenId ?? "" })).toMatchObject({ kind: "conflict" });
  expect(await tokensOf(accountId)).toHaveLength(1);
});

test("a new primary token makes waiting callbacks due and keeps the previous token valid; choosing it again changes nothing", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const { tokenId } = await add(accountId, "New");
  const before = await readCallbackEpoch(settings.ctx.sql, accountId);
  for (let times = 0; times < 2; times++) expect(await makePrimary(settings.ctx, "test", { accountId, tokenId })).toEqual({ kind: "done" });
  expect(await readCallbackEpoch(settings.ctx.sql, accountId)).toBe((before ?? 0) + 1);
  expect(settings.directory.byToken(apiToken)?.accountId).toBe(accountId);
  expect((await trail(accountId)).filter(({ action }) => action === "account.primary_token_changed")).toHaveLength(1);
});

test("the primary token never expires, and an expired token can only be revoked", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const soon = new Date(settings.clock.now() + 1_000);
  const { tokenId } = await add(accountId, "Short", { expiresAt: soon });
  const [primary] = await tokensOf(accountId);
  const later = new Date(settings.clock.now() + 100_000);
  const change = (id: string, more: object) => changeToken(settings.ctx, "test", { accountId, tokenId: id, ...more });
  expect(await change(primary?.tokenId ?? "", { expiresAt: later })).toMatchObject({ kind: "conflict" });
  expect(await makePrimary(settings.ctx, "test", { accountId, tokenId })).toMatchObject({ kind: "conflict" });
  expect(await change(tokenId, { expiresAt: new Date(settings.clock.now()) })).toMatchObject({ kind: "conflict" });
  settings.clock.advance(1_000);
  expect(await change(tokenId, { expiresAt: later })).toMatchObject({ kind: "conflict" });
  expect(await change(tokenId, { name: "Old" })).toEqual({ kind: "done" });
  expect(await revokeToken(settings.ctx, "test", { accountId, tokenId })).toEqual({ kind: "done" });
});

test("names are unique among the tokens of an account, whose number is limited", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const create = (name: string) => createToken(settings.ctx, "test", { accountId, name, scopes: null, readOnly: false, expiresAt: null });
  expect(await create("First token")).toMatchObject({ kind: "conflict" });
  const made = await Promise.all(Array.from({ length: MAX_TOKENS }, (_, index) => create(`Token ${index}`)));
  expect(made.filter(({ kind }) => kind === "done")).toHaveLength(MAX_TOKENS - 1);
  const [, second, third] = await tokensOf(accountId);
  const change = { accountId, tokenId: second?.tokenId ?? "", name: third?.name };
  expect(await changeToken(settings.ctx, "test", change)).toMatchObject({ kind: "conflict" });
  expect(
    await createToken(settings.ctx, "test", { ...change, accountId: "A0", name: "x", scopes: null, readOnly: false, expiresAt: null }),
  ).toEqual({
    kind: "not_found",
  });
});
