import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { replaceAllowlist } from "../../../domain/accounts/replace-allowlist.ts";
import { closeAccount } from "../../../domain/orders/close-account.ts";
import { applyFinding } from "../../../domain/orders/recovery/apply-finding.ts";
import { findById } from "../../../domain/orders/store.ts";
import { contextOf } from "../../../domain/orders/testing/fixture.ts";
import type { Connector } from "../../../domain/providers/connector.ts";
import { createSimulator, endingOf } from "../../../domain/providers/simulator/simulator.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";
import { accountWithOrders, expectSoundLedger } from "../testing/orders.ts";
import { SIMULATED_RESULTS } from "./simulated-results.ts";

let fixture: PortalFixture;
let simulator: Connector;
beforeAll(async () => {
  fixture = await createPortalFixture();
  const { sql } = fixture.settings.database;
  const { clock } = fixture.settings;
  simulator = createSimulator({ delayMilliseconds: 60_000, timeoutMilliseconds: 50, clock, reportTo: () => {} });
  Object.assign(fixture.ctx, { orders: contextOf(sql, sql, clock, { providers: { simulator } }) });
});
afterAll(async () => {
  await simulator.close();
  await fixture.close();
});

async function withSandbox(): Promise<{
  readonly visitor: Visitor;
  readonly accountId: string;
  readonly sandboxId: string;
  readonly token: string;
}> {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("developer", accountId);
  const made = await visitor.post("/sandbox/create");
  expect(made.status).toBe(200);
  return { visitor, accountId, sandboxId: made.body.account_id, token: made.body.api_token };
}

async function recharge(visitor: Visitor, ending: string) {
  const answer = await visitor.post("/sandbox/recharge", { ending });
  expect([ending, answer.status]).toEqual([ending, 200]);
  return answer.body.transaction;
}

test("a sandbox is an account of its own that only the simulator serves, with the same addresses, money to try with and no receiver", async () => {
  const { accountId } = await fixture.newAccount({ name: "Asha Stores" });
  await replaceAllowlist(fixture.ctx, "test", { accountId, entries: ["203.0.113.7"] });
  await changeAccount(fixture.ctx, "test", { accountId, callbackUrl: "https://shop.example/cb" });
  const visitor = fixture.as("owner", accountId);
  expect((await visitor.get("/sandbox")).body).toMatchObject({
    sandbox_account: null,
    orders: [],
    endings: expect.arrayContaining([{ digits: "102", meaning: "FAILED at once" }]),
  });
  const made = (await visitor.post("/sandbox/create")).body;
  expect(made.api_token).toMatch(/^tok_test_/);
  const { sandbox_account: sandboxAccount } = (await visitor.get("/sandbox")).body;
  expect(sandboxAccount).toMatchObject({
    account_id: made.account_id,
    balance: "10000.0000",
    callback_url: null,
    allowlist: ["203.0.113.7"],
  });
  expect(fixture.ctx.accountById(made.account_id)).toMatchObject({ sandbox: true, name: "Asha Stores (sandbox)" });
  expect(fixture.settings.directory.byToken(made.api_token)?.accountId).toBe(made.account_id);
  const [entry] = await fixture.ctx.sql<{ actor: string }[]>`
    select actor from audit_log where subject_id = ${made.account_id} and action = 'account.created'`;
  expect(entry?.actor).toBe(`user:${visitor.session.userId}`);
});

test("an account has one sandbox, however often it is asked for at once, and a sandbox has none", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("owner", accountId);
  const before = (await fixture.ctx.sql`select from accounts`).length;
  const answers = await Promise.all([1, 2, 3, 4].map(() => visitor.post("/sandbox/create")));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409]);
  expect((await fixture.ctx.sql`select from accounts`).length).toBe(before + 1);
  const sandboxId = (await visitor.get("/sandbox")).body.sandbox_account.account_id;
  expect((await fixture.as("owner", sandboxId).post("/sandbox/create")).status).toBe(409);
});

test("a closed account opens none", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("developer", accountId);
  expect(await closeAccount(fixture.ctx, "test", { accountId })).toEqual({ kind: "done" });
  const { status, body } = await visitor.post("/sandbox/create");
  expect([status, body.message]).toEqual([409, "The account is closed."]);
  expect((await visitor.get("/sandbox")).body.sandbox_account).toBeNull();
});

test("a new token ends the old one; both need a fresh proof of who asks, and a builder", async () => {
  const { visitor, accountId, sandboxId, token } = await withSandbox();
  const replaced = (await visitor.post("/sandbox/token")).body.api_token;
  expect([fixture.settings.directory.byToken(token), fixture.settings.directory.byToken(replaced)?.accountId]).toEqual([null, sandboxId]);
  const stale = fixture.as("owner", accountId, { provedAt: fixture.ctx.clock.now() - 6 * 60_000 });
  for (const path of ["/sandbox/create", "/sandbox/token"]) {
    expect((await stale.post(path)).body.error).toBe("step_up_required");
    for (const role of ["operations", "read_only"] as const) expect((await fixture.as(role, accountId).post(path)).status).toBe(403);
  }
});

test("every ending that is offered is one of the simulator's, and does what it says", async () => {
  const { visitor } = await withSandbox();
  for (const { digits } of SIMULATED_RESULTS.slice(1))
    expect(endingOf({ target: `9876543${digits}`, operation: "" })).not.toEqual({ send: "succeeded" });
  await visitor.post("/sandbox/top-up", { amount: "1000" });
  const said: Record<string, string> = {};
  for (const { digits } of SIMULATED_RESULTS) {
    const transaction = await recharge(visitor, digits);
    expect(transaction.account.endsWith(digits)).toBe(true);
    said[digits] = transaction.shown;
  }
  expect(said).toEqual({
    ...{ "000": "SUCCESS", "102": "FAILED", "200": "pending", "202": "pending", "110": "pending", "120": "SUCCESS" },
    // With a time-out of 50 ms, two seconds are too long.
    ...{ "130": "pending", "131": "pending", "140": "FAILED", "141": "pending", "150": "pending" },
  });
  expect((await visitor.get("/sandbox")).body.orders).toHaveLength(SIMULATED_RESULTS.length);
  await expectSoundLedger(fixture);
});

test("any transition can be made manually: settled, failed, reversed, and taken back by the simulator", async () => {
  const { visitor, sandboxId } = await withSandbox();
  await visitor.post("/sandbox/top-up", { amount: "100" });
  const [one, other, later] = [await recharge(visitor, "110"), await recharge(visitor, "110"), await recharge(visitor, "120")];
  const settle = (orderId: string, status: string) => visitor.post(`/sandbox/orders/${orderId}/settle`, { status });
  expect((await settle(one.order_id, "SUCCESS")).body.transaction).toMatchObject({
    shown: "SUCCESS",
    operator_ref: expect.stringMatching(/^SBX/),
  });
  expect((await settle(other.order_id, "FAILED")).body.transaction).toMatchObject({ shown: "FAILED" });
  expect((await settle(other.order_id, "SUCCESS")).status).toBe(409);
  expect((await visitor.post(`/sandbox/orders/${one.order_id}/reverse`)).body.transaction).toMatchObject({
    shown: "Reversed",
    status: "FAILED",
  });
  expect((await visitor.post(`/sandbox/orders/${one.order_id}/reverse`)).status).toBe(409);
  const order = await findById(fixture.ctx.sql, later.order_id, sandboxId);
  if (order) await applyFinding(fixture.ctx.orders, order, { kind: "reversed", reason: "Taken back." });
  const shown = (await visitor.get("/sandbox")).body;
  expect(shown.orders.map((item: { shown: string }) => item.shown)).toEqual(["Reversed", "FAILED", "Reversed"]);
  expect(shown.sandbox_account).toMatchObject({ balance: "10100.0000", held: "0.0000" });
  await expectSoundLedger(fixture);
});

test("nothing here touches the real account, another account or another's sandbox", async () => {
  const [realId, realOrders] = await accountWithOrders(fixture, [{ state: "pending" }, {}]);
  const visitor = fixture.as("owner", realId);
  await visitor.post("/sandbox/create");
  const before = (await visitor.get("/wallet")).body.balance;
  const other = await withSandbox();
  await other.visitor.post("/sandbox/top-up", { amount: "50" });
  const theirs = await recharge(other.visitor, "110");
  for (const orderId of [...realOrders, theirs.order_id, "NONE"]) {
    expect((await visitor.post(`/sandbox/orders/${orderId}/settle`, { status: "SUCCESS" })).status).toBe(404);
    expect((await visitor.post(`/sandbox/orders/${orderId}/reverse`)).status).toBe(404);
  }
  await visitor.post("/sandbox/top-up", { amount: "70" });
  await recharge(visitor, "000");
  expect((await visitor.get("/wallet")).body.balance).toBe(before);
  expect((await visitor.get("/transactions")).body.items).toHaveLength(2);
  expect((await visitor.get("/sandbox")).body.sandbox_account.balance).toBe("10060.0000");
  expect((await other.visitor.get("/sandbox")).body.sandbox_account.balance).toBe("10040.0000");
  const sandboxless = fixture.as("owner", (await fixture.newAccount()).accountId);
  for (const [path, body] of [
    ["/sandbox/token", {}],
    ["/sandbox/top-up", { amount: "1" }],
    ["/sandbox/recharge", { ending: "000" }],
  ] as const)
    expect((await sandboxless.post(path, body)).status).toBe(404);
  await expectSoundLedger(fixture);
});

test("test money has bounds, and a recharge is refused for what a client's would be", async () => {
  const { visitor } = await withSandbox();
  expect((await visitor.post("/sandbox/recharge", { ending: "000", amount: "10001" })).status).toBe(409);
  expect((await visitor.post("/sandbox/top-up", { amount: "90000" })).status).toBe(200);
  for (let times = 0; times < 9; times++) expect((await visitor.post("/sandbox/top-up", { amount: "100000" })).status).toBe(200);
  expect((await visitor.post("/sandbox/top-up", { amount: "1" })).status).toBe(409);
  expect((await visitor.post("/sandbox/top-up", { amount: "100000.01" })).status).toBe(409);
  for (const body of [{ amount: "-1" }, { amount: "0" }, {}]) expect((await visitor.post("/sandbox/top-up", body)).status).toBe(400);
  for (const body of [{ ending: "999" }, { ending: "000", operator: "ZZ" }, { ending: "000", amount: "x" }, {}])
    expect((await visitor.post("/sandbox/recharge", body)).status).toBe(400);
  expect((await visitor.post("/sandbox/recharge", { ending: "000", amount: "1" })).status).toBe(409);
  const dth = await visitor.post("/sandbox/recharge", { ending: "102", operator: "DISHTV", amount: "250" });
  expect(dth.body.transaction).toMatchObject({ operator: "DT", operator_name: "Dish TV", amount: "250.0000", shown: "FAILED" });
});

test("a sandbox takes over addresses that came later, and has receivers of its own, never the live ones", async () => {
  const { visitor, accountId } = await withSandbox();
  const settings = async () => {
    const { allowlist, callback_url, complaint_callback_url } = (await visitor.get("/sandbox")).body.sandbox_account;
    return [allowlist, callback_url, complaint_callback_url];
  };
  await replaceAllowlist(fixture.ctx, "test", { accountId, entries: ["203.0.113.7", "198.51.100.0/24"] });
  await changeAccount(fixture.ctx, "test", {
    accountId,
    callbackUrl: "https://8.8.8.8/cb",
    complaintCallbackUrl: "https://8.8.8.8/c",
  });
  expect((await visitor.post("/sandbox/allowlist")).status).toBe(200);
  expect(await settings()).toEqual([["203.0.113.7", "198.51.100.0/24"], null, null]);
  const urls = (callback: string | null, complaint: string | null) =>
    visitor.post("/sandbox/urls", { callback_url: callback, complaint_callback_url: complaint });
  const live = await urls("https://8.8.8.8/cb", "https://8.8.8.8/cb");
  expect([live.status, Object.keys(live.body.fields)]).toEqual([400, ["callback_url", "complaint_callback_url"]]);
  expect((await urls("http://8.8.4.4/cb", null)).status).toBe(400);
  expect(await settings()).toEqual([["203.0.113.7", "198.51.100.0/24"], null, null]);
  expect((await urls("https://8.8.4.4/cb", null)).body).toMatchObject({ callback_url: "https://8.8.4.4/cb" });
  expect((await urls(null, null)).body).toMatchObject({ callback_url: null, complaint_callback_url: null });
  const other = fixture.as("owner", (await fixture.newAccount()).accountId);
  expect((await other.post("/sandbox/allowlist")).status).toBe(404);
  expect((await other.post("/sandbox/urls", { callback_url: null, complaint_callback_url: null })).status).toBe(404);
});
