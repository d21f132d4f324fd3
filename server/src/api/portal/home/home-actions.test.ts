import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceAllowlist } from "../../../domain/accounts/replace-allowlist.ts";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";
import { accountWithOrders, fund, untilNoon } from "../testing/orders.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
  untilNoon(fixture);
});
afterAll(() => fixture.close());

async function tell(accountId: string, state: "waiting" | "delivered", attempts: number): Promise<void> {
  const { sql, clock, ids } = fixture.ctx;
  const [id, at] = [ids.entry(clock.now()), new Date(clock.now())];
  await sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, state, attempts, next_at, created_at, delivered_at)
    values (${accountId}, ${id}, 'status', ${id}, 'u', 'SUCCESS', ${state}, ${attempts}, ${at}, ${at}, ${state === "delivered" ? at : null})`;
}

async function doneSteps(visitor: Visitor): Promise<readonly string[]> {
  const { body } = await visitor.get("/home");
  const steps: readonly { step: string; done: boolean }[] = body.checklist;
  expect(steps.map((one) => one.step)).toEqual(["token", "address", "first_call", "signing_secret", "callback_2xx", "version_3"]);
  expect(body.is_new).toBe(steps.some((one) => !one.done));
  return steps.filter((one) => one.done).map((one) => one.step);
}

test("the checklist follows an account from its token to version 3", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("read_only", accountId);
  const { ctx } = fixture;
  const done = ["token"];
  expect(await doneSteps(visitor)).toEqual(done);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["address", () => replaceAllowlist(ctx, "test", { accountId, entries: ["203.0.113.7"] })],
    ["first_call", () => fund(fixture, accountId, 100).then(() => buildOrder(ctx.orders, accountId, {}))],
    ["signing_secret", () => replaceSigningSecret(ctx, "test", { accountId })],
    ["callback_2xx", () => tell(accountId, "delivered", 1)],
    [
      "version_3",
      () => replaceCallbackSecret(ctx, "test", { accountId }).then(() => changeAccount(ctx, "test", { accountId, callbackVersion: 3 })),
    ],
  ];
  for (const [step, take] of steps) {
    await take();
    done.push(step);
    expect(await doneSteps(visitor)).toEqual(done);
  }
});

test("a call that left no order and a test callback that was delivered count as steps; refused ones do not", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("owner", accountId);
  const { sql } = fixture.ctx;
  const call = (status: number) => sql`
    insert into api_calls (account_id, at, request_id, method, path, status, milliseconds, address, signed, times)
    values (${accountId}, now(), ${`R${status}`}, 'GET', '/balance', ${status}, 1, '203.0.113.7', 'none', 1)`;
  const tried = (error: string | null) => sql`
    insert into callback_tests (account_id, settings_version, url, at, http_status, error)
    values (${accountId}, 0, 'https://shop.example/cb', now(), 200, ${error})
    on conflict (account_id) do update set error = excluded.error`;
  await call(403);
  await tried("HTTP 500");
  expect(await doneSteps(visitor)).toEqual(["token"]);
  await call(200);
  await tried(null);
  expect(await doneSteps(visitor)).toEqual(["token", "first_call", "callback_2xx"]);
});

test("home counts today's transactions, what has been pending for long, and callbacks that fail", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [{}, {}, { amount: 250_000n }, { state: "FAILED" }, { state: "pending" }]);
  await reverseManually(fixture.ctx.orders, "test", { orderId: ids[0] ?? "", reason: "Taken back." });
  const visitor = fixture.as("operations", accountId);
  expect((await visitor.get("/home")).body).toMatchObject({
    balance: "999955.0000",
    held: "10.0000",
    low_balance: null,
    today: { value: "35.0000", count: 5, success: 2, failed: 2, pending: 1, success_rate: 0.5 },
    pending_old: { count: 0 },
    callbacks_failing: { count: 0 },
  });
  const { sql } = fixture.ctx;
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select account_id, order_id, 'pending', now(), now() from orders where account_id = ${accountId} and state = 0`;
  await sql`update orders set created_at = created_at - interval '11 minutes' where account_id = ${accountId} and state = 0`;
  await tell(accountId, "waiting", 0);
  await tell(accountId, "waiting", 2);
  expect((await visitor.get("/home")).body).toMatchObject({ pending_old: { count: 1 }, callbacks_failing: { count: 1 } });
  expect((await visitor.get("/menu-counts")).body).toEqual({ transactions: 1, callbacks: 1 });
});

test("an account without anything has a home of nothing", async () => {
  const visitor = fixture.as("owner", (await fixture.newAccount()).accountId);
  expect((await visitor.get("/home")).body.today).toEqual({
    value: "0.0000",
    count: 0,
    success: 0,
    failed: 0,
    pending: 0,
    success_rate: null,
  });
  expect((await visitor.get("/home/charts")).body.per_hour).toHaveLength(24);
});

test("charts have every hour of India's clock, and how long transactions took to be final", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [{}, {}, { state: "FAILED" }, { state: "pending" }, {}]);
  const { sql, clock } = fixture.ctx;
  await reverseManually(fixture.ctx.orders, "test", { orderId: ids[4] ?? "", reason: "Taken back." });
  await sql`update orders set updated_at = created_at + interval '40 seconds' where order_id = ${ids[1] ?? ""}`;
  await sql`update orders set operator_ref = null, updated_at = created_at + interval '1 hour' where order_id = ${ids[2] ?? ""}`;
  const answer = await fixture.as("read_only", accountId).get("/home/charts?hours=3");
  const hour = `${indiaDateTime(clock.now()).slice(0, 13)}:00:00`;
  expect(answer.body.per_hour.at(-1)).toEqual({ at: hour, success: 2, failed: 2, pending: 1 });
  expect(answer.body.per_hour.slice(0, 2).every((one: { success: number }) => one.success === 0)).toBe(true);
  expect(answer.body.time_to_final).toEqual([
    { bucket: "within 1 s", count: 1 },
    { bucket: "within 5 s", count: 0 },
    { bucket: "within 30 s", count: 0 },
    { bucket: "within 2 min", count: 1 },
    { bucket: "within 10 min", count: 0 },
    { bucket: "longer", count: 1 },
  ]);
  for (const hours of ["0", "73", "x"]) expect((await fixture.as("owner", accountId).get(`/home/charts?hours=${hours}`)).status).toBe(400);
});

test("operators and services are those of the client API, with the account's own switches and limits", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("read_only", accountId);
  const operators = (await visitor.get("/operators")).body;
  expect(operators.items[0]).toMatchObject({ operator: "AT", name: "Airtel", status: "up", success_rate_1h: null, min_amount: "10.0000" });
  expect(operators.next).toBe(null);
  const services = (await visitor.get("/services?limit=2")).body;
  expect(services.items.map((one: { service: string; enabled: boolean }) => [one.service, one.enabled])).toEqual([
    ["recharge", true],
    ["bills", false],
  ]);
  expect((await visitor.get(`/services?limit=200&after=${services.next}`)).body.items).toHaveLength(3);
  expect((await visitor.get("/operators?after=nonsense")).status).toBe(400);
});

test("complaints are raised by who works, listed newest first by status, and never another account's", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [{}, {}, { state: "FAILED" }, { state: "pending" }]);
  const worker = fixture.as("operations", accountId);
  const raise = (orderId = "", more: object = {}) =>
    worker.post("/complaints", { order_id: orderId, reason: "not_credited", description: "Nothing arrived.", ...more });
  const refs: string[] = [];
  for (const orderId of ids.slice(0, 2)) {
    refs.push((await raise(orderId)).body.complaint_ref);
    fixture.settings.clock.advance(1_000);
  }
  const page = (await worker.get("/complaints?limit=1")).body;
  expect(page.items[0]).toMatchObject({ complaint_ref: refs[1], status: "OPEN", order_id: ids[1] });
  expect((await worker.get(`/complaints?limit=1&after=${page.next}`)).body).toMatchObject({
    items: [{ complaint_ref: refs[0] }],
    next: null,
  });
  expect((await worker.get("/complaints?status=REFUNDED")).body.items).toEqual([]);
  expect((await worker.get(`/complaints/${refs[0]}`)).body).toMatchObject({ stage: "logged", reason_code: "not_credited" });
  const statuses = await Promise.all([
    raise(ids[0]),
    raise(ids[2]),
    raise(ids[3]),
    raise("NONE"),
    raise(ids[0], { reason: "x" }),
    raise(ids[0], { description: "no" }),
  ]);
  expect(statuses.map((answer) => answer.status)).toEqual([409, 409, 409, 404, 400, 400]);
  expect((await fixture.as("read_only", accountId).post("/complaints", {})).status).toBe(403);
  const stranger = fixture.as("owner", (await fixture.newAccount()).accountId);
  expect((await stranger.get(`/complaints/${refs[0]}`)).status).toBe(404);
  expect((await stranger.get("/complaints/nonsense")).status).toBe(404);
  expect((await stranger.post("/complaints", { order_id: ids[0], reason: "other", description: "Not mine." })).status).toBe(404);
  expect((await stranger.get("/complaints")).body.items).toEqual([]);
});
