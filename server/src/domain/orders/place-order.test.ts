import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../testing/deadline.ts";
import type { Connector, Outcome, ProviderRequest, Unsuitable } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";
import { type Placed, placeOrder } from "./place-order.ts";
import { findById } from "./store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture, type OrdersProcess, type ProcessOptions } from "./testing/fixture.ts";
import { DECLINED, deferred, NOT_SENT, PENDING, SUCCEEDED, scripted, UNKNOWN } from "./testing/scripted-connector.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

type Setting = { readonly ctx: OrdersContext; readonly process: OrdersProcess; readonly accountId: string };

async function open(providers: Readonly<Record<string, Connector>>, rupees = 100, more: ProcessOptions = {}): Promise<Setting> {
  const process = fixture.startProcess({ providers, ...more });
  return { ctx: process.ctx, process, accountId: await fixture.newAccount(process, rupees) };
}

function orderOf(placed: Placed) {
  if (placed.kind !== "order") throw new Error(`Answered ${placed.kind}.`);
  return placed.order;
}

const inDatabase = (orderId: string) => findById(fixture.database.sql, orderId);
const settled = async (ctx: OrdersContext) => ctx.inProgress.drained();
const attemptsOf = async (orderId: string) =>
  (await fixture.database.sql`select attempt, provider, outcome from order_attempts where order_id = ${orderId} order by attempt`).map(
    (row) => ({
      ...row,
    }),
  );

describe("a provider's answer", () => {
  test.each([
    { said: SUCCEEDED, state: "SUCCESS", operatorRef: "OP1", left: 90 },
    { said: DECLINED, state: "FAILED", operatorRef: null, left: 100 },
    { said: NOT_SENT, state: "FAILED", operatorRef: null, left: 100 },
    { said: PENDING, state: "pending", operatorRef: null, left: 90 },
    { said: UNKNOWN, state: "pending", operatorRef: null, left: 90 },
  ] as const)("$said.kind is answered at once as $state", async ({ said, state, operatorRef, left }) => {
    // An hour, so that the reply cannot come from the deadline.
    const { ctx, accountId } = await open({ first: scripted({ send: said }) }, 100, { replyWaitMilliseconds: 3_600_000 });
    const placed = await placeOrder(ctx, newRequest(accountId));
    expect(placed).toMatchObject({ kind: "order", order: { state, operatorRef, answeredPending: state === "pending" } });
    expect(await inDatabase(orderOf(placed).orderId)).toMatchObject({ state, operatorRef, answeredPending: state === "pending" });
    expect(await fixture.balance(accountId)).toBe(left);
    if (placed.kind === "order") expect(Number(placed.available) / 10_000).toBe(left);
  });

  test("an order is in doubt, not failed, when the connector throws", async () => {
    const { ctx, accountId } = await open({ first: scripted({ send: () => Promise.reject(new Error("bug")) }), second: scripted({}) });
    expect(orderOf(await placeOrder(ctx, newRequest(accountId))).state).toBe("pending");
    expect(await fixture.balance(accountId)).toBe(90);
  });

  test("is stored for staff beside the reason that the client sees", async () => {
    const { ctx, accountId } = await open({ first: scripted({ send: DECLINED }) });
    const failure = { code: "declined", words: "The number is not known." };
    const { orderId } = orderOf(await placeOrder(ctx, newRequest(accountId)));
    expect((await findById(ctx.sql, orderId))?.failure).toEqual(failure);
  });
});

describe("the next provider", () => {
  test.each([DECLINED, NOT_SENT])("is tried after $kind with the same reference, and its answer counts", async (said) => {
    const [first, second] = [scripted({ send: said }), scripted({})];
    const { ctx, accountId } = await open({ first, second });
    const order = orderOf(await placeOrder(ctx, newRequest(accountId)));
    expect(order).toMatchObject({ state: "SUCCESS", provider: "second", attempt: 2 });
    expect([first, second].map((one) => one.sent.map((request) => request.reference))).toEqual([[order.orderId], [order.orderId]]);
    expect(await attemptsOf(order.orderId)).toMatchObject([
      { attempt: 1, provider: "first", outcome: said.kind },
      { attempt: 2, provider: "second" },
    ]);
  });

  test.each([UNKNOWN, PENDING, SUCCEEDED])("is never tried after $kind", async (said) => {
    const [first, second] = [scripted({ send: said }), scripted({})];
    const { ctx, accountId } = await open({ first, second });
    await placeOrder(ctx, newRequest(accountId));
    await settled(ctx);
    expect(second.sent).toEqual([]);
  });

  test("is not one that was switched off while the one before was asked", async () => {
    const usable = new Set(["first", "second", "third"]);
    const first = scripted({
      send: async () => {
        usable.delete("second");
        return DECLINED;
      },
    });
    const [second, third] = [scripted({}), scripted({})];
    const { ctx, accountId } = await open({ first, second, third });
    const providerRegistry = { ...ctx.providerRegistry, mayServe: (provider: string) => usable.has(provider) };
    const order = orderOf(await placeOrder({ ...ctx, providerRegistry }, newRequest(accountId)));
    expect([order.state, second.sent.length, third.sent.length]).toEqual(["SUCCESS", 0, 1]);
    expect(await attemptsOf(order.orderId)).toMatchObject([
      { provider: "first", outcome: "declined" },
      { provider: "second", outcome: "not_sent" },
      { provider: "third", outcome: null },
    ]);
  });

  test("is never tried after a second provider in doubt", async () => {
    const [first, second, third] = [scripted({ send: DECLINED }), scripted({ send: UNKNOWN }), scripted({})];
    const { ctx, accountId } = await open({ first, second, third });
    expect(orderOf(await placeOrder(ctx, newRequest(accountId)))).toMatchObject({ state: "pending", provider: "second" });
    expect(third.sent).toEqual([]);
  });

  test("when all have declined, the order fails with the last reason and the money is returned", async () => {
    const { ctx, accountId } = await open({
      a: scripted({ send: NOT_SENT }),
      b: scripted({ send: NOT_SENT }),
      c: scripted({ send: DECLINED }),
    });
    expect(orderOf(await placeOrder(ctx, newRequest(accountId)))).toMatchObject({
      state: "FAILED",
      failure: { code: "declined", words: "The number is not known." },
    });
    expect(await fixture.balance(accountId)).toBe(100);
  });

  test("a decline is reported to the client rather than the next provider's unreachability", async () => {
    const declined: Outcome = { kind: "declined", reason: "E7", failure: "number_not_valid" };
    const { ctx, accountId } = await open({ a: scripted({ send: declined }), b: scripted({ send: NOT_SENT }) });
    expect(orderOf(await placeOrder(ctx, newRequest(accountId))).failure).toEqual({
      code: "number_not_valid",
      words: "connection refused",
    });
  });

  test("an unsuitable provider is skipped without effect on its health", async () => {
    const against: Unsuitable = { why: "whole rupees only", failure: "amount_not_accepted" };
    const [picky, next] = [{ ...scripted({}), unsuitable: () => against }, scripted({})];
    const { ctx, accountId } = await open({ picky, next });
    expect(orderOf(await placeOrder(ctx, newRequest(accountId)))).toMatchObject({ state: "SUCCESS", provider: "next", attempt: 1 });
    expect(picky.sent).toEqual([]);
  });

  test("when every provider is unsuitable, the order fails unsent with the reason, and the money is returned", async () => {
    const against: Unsuitable = { why: "whole rupees only", failure: "amount_not_accepted" };
    const picky = { ...scripted({}), unsuitable: () => against };
    const { ctx, accountId } = await open({ picky });
    const failure = { code: "amount_not_accepted", words: "picky cannot take it: whole rupees only" };
    expect(orderOf(await placeOrder(ctx, newRequest(accountId)))).toMatchObject({ state: "FAILED", provider: "none", failure });
    expect(picky.sent).toEqual([]);
    expect(await fixture.balance(accountId)).toBe(100);
  });

  test("without any provider nothing is created or charged", async () => {
    const { ctx, accountId } = await open({});
    expect(await placeOrder(ctx, newRequest(accountId))).toEqual({ kind: "no provider" });
    expect(await fixture.balance(accountId)).toBe(100);
    expect(await ctx.sql`select from orders where account_id = ${accountId}`).toHaveLength(0);
  });
});

test("every attempt is recorded with its provider before its first byte is sent", async () => {
  const seen: unknown[] = [];
  const looking = (outcome: Outcome) => async (request: ProviderRequest) => {
    const order = await inDatabase(request.reference);
    seen.push({ state: order?.state, provider: order?.provider, attempt: order?.attempt });
    return outcome;
  };
  const [first, second] = [scripted({ send: looking(DECLINED) }), scripted({ send: looking(SUCCEEDED) })];
  const { ctx, accountId } = await open({ first, second });
  await placeOrder(ctx, newRequest(accountId));
  expect(seen).toEqual([
    { state: "pending", provider: "first", attempt: 1 },
    { state: "pending", provider: "second", attempt: 2 },
  ]);
});

test("an order delayed too long after its acceptance is not sent, because another process may be polling it", async () => {
  const first = scripted({});
  const { ctx, accountId } = await open({ first });
  const write: typeof ctx.writer.write = async (operation) => {
    const written = await ctx.writer.write(operation);
    if (operation.kind === "accept") fixture.clock.advance(11_000);
    return written;
  };
  const placed = await placeOrder({ ...ctx, writer: { ...ctx.writer, write } }, newRequest(accountId));
  expect(orderOf(placed).state).toBe("pending");
  expect(first.sent).toEqual([]);
});

describe("a provider that does not answer in time", () => {
  const slow = { replyWaitMilliseconds: 40 };

  test("leads to a pending reply at the deadline, and a late success counts", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const { ctx, accountId } = await open({ first: scripted({ send: () => answer.promise }) }, 100, slow);
    const order = orderOf(await placeOrder(ctx, newRequest(accountId)));
    expect(order).toMatchObject({ state: "pending", answeredPending: true });
    expect(await fixture.database.sql`select from pending_polls where order_id = ${order.orderId}`).toHaveLength(1);
    answer.resolve(SUCCEEDED);
    await settled(ctx);
    expect(await inDatabase(order.orderId)).toMatchObject({ state: "SUCCESS", operatorRef: "OP1" });
    expect(await fixture.database.sql`select from pending_polls where order_id = ${order.orderId}`).toHaveLength(0);
  });

  test("is not waited for when the process stops: the request is answered pending, and a late success counts", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const providers = { first: scripted({ send: () => answer.promise }) };
    const { ctx, accountId } = await open(providers, 100, { replyWaitMilliseconds: 3_600_000 });
    const request = newRequest(accountId);
    const [placed, retried] = [placeOrder(ctx, request), placeOrder(ctx, request)];
    await expect.poll(() => ctx.inProgress.waits.size()).toBe(2);
    ctx.inProgress.endWaits();
    const order = orderOf(await placed);
    expect(order).toMatchObject({ state: "pending", answeredPending: true });
    expect(orderOf(await retried)).toMatchObject({ orderId: order.orderId, state: "pending", answeredPending: true });
    answer.resolve(SUCCEEDED);
    await settled(ctx);
    expect(await inDatabase(order.orderId)).toMatchObject({ state: "SUCCESS", operatorRef: "OP1" });
  });

  test("is not waited for after the waits have ended", async () => {
    const providers = { first: scripted({ send: () => deferred<typeof SUCCEEDED>().promise }) };
    const { ctx, accountId } = await open(providers, 100, { replyWaitMilliseconds: 3_600_000 });
    ctx.inProgress.endWaits();
    expect(orderOf(await placeOrder(ctx, newRequest(accountId)))).toMatchObject({ state: "pending", answeredPending: true });
  });

  test("may decline late: the next provider is tried, and the pending order gets its final state", async () => {
    const answer = deferred<typeof DECLINED>();
    const second = scripted({});
    const { ctx, accountId } = await open({ first: scripted({ send: () => answer.promise }), second }, 100, slow);
    const order = orderOf(await placeOrder(ctx, newRequest(accountId)));
    answer.resolve(DECLINED);
    await settled(ctx);
    expect(await inDatabase(order.orderId)).toMatchObject({ state: "SUCCESS", provider: "second", attempt: 2 });
    expect(second.sent).toHaveLength(1);
  });
});

describe("one reference", () => {
  test("requested a hundred times at once is sent once, and all requests get its result", async () => {
    const first = scripted({});
    const { ctx, accountId } = await open({ first }, 1_000);
    const placed = await Promise.all(Array.from({ length: 100 }, () => placeOrder(ctx, newRequest(accountId, { reference: "same" }))));
    expect(new Set(placed.map((one) => `${one.kind} ${orderOf(one).orderId} ${orderOf(one).state}`)).size).toBe(1);
    expect(first.sent).toHaveLength(1);
    expect(await fixture.balance(accountId)).toBe(990);
  });

  test("requested in two processes at once is sent once, and both get its result", async () => {
    const first = scripted({});
    const { ctx, accountId } = await open({ first }, 1_000);
    const other = fixture.startProcess({ providers: { first } }).ctx;
    const request = newRequest(accountId);
    const placed = await Promise.all([
      placeOrder(ctx, request),
      placeOrder(other, request),
      placeOrder(ctx, request),
      placeOrder(other, request),
    ]);
    expect(new Set(placed.map((one) => `${orderOf(one).orderId} ${orderOf(one).state}`)).size).toBe(1);
    expect(first.sent).toHaveLength(1);
  });

  test("retried while the first request waits for its provider gets the same result before its own deadline", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const first = scripted({ send: () => answer.promise });
    const { ctx, accountId } = await open({ first });
    const request = newRequest(accountId);
    const [one, retry] = [placeOrder(ctx, request), placeOrder(ctx, request)];
    await vi.waitFor(() => expect(first.sent).toHaveLength(1), WAIT_MILLISECONDS);
    const hurried = await placeOrder({ ...ctx, replyWaitMilliseconds: 20 }, request);
    expect(orderOf(hurried)).toMatchObject({ state: "pending", answeredPending: true });
    answer.resolve(SUCCEEDED);
    expect([orderOf(await one).state, orderOf(await retry).state]).toEqual(["SUCCESS", "SUCCESS"]);
    expect(first.sent).toHaveLength(1);
  });

  test("with other details is refused, also while the first request is in progress", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const first = scripted({ send: () => answer.promise });
    const { ctx, accountId } = await open({ first });
    const request = newRequest(accountId);
    const one = placeOrder(ctx, request);
    await vi.waitFor(() => expect(first.sent).toHaveLength(1), WAIT_MILLISECONDS);
    const other = placeOrder({ ...ctx, replyWaitMilliseconds: 20 }, { ...request, fingerprint: "other" });
    expect(await other).toMatchObject({ kind: "other details" });
    answer.resolve(SUCCEEDED);
    const { orderId } = orderOf(await one);
    expect(await placeOrder(ctx, { ...request, fingerprint: "other" })).toMatchObject({ kind: "other details", order: { orderId } });
  });

  test("that was refused for insufficient funds is free again, also for requests that waited on it", async () => {
    const { ctx, process, accountId } = await open({ first: scripted({}) }, 5);
    const request = newRequest(accountId);
    const refused = await Promise.all(Array.from({ length: 20 }, () => placeOrder(ctx, request)));
    expect(new Set(refused.map((one) => one.kind))).toEqual(new Set(["insufficient funds"]));
    expect(ctx.inProgress.size()).toBe(0);
    await process.ctx.writer.write({ kind: "topup", accountId, amount: request.amount, reference: "more", note: "" });
    expect(orderOf(await placeOrder(ctx, request)).state).toBe("SUCCESS");
  });

  test("of a pending order is answered pending, and that answer is recorded", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const first = scripted({ send: () => answer.promise });
    const { ctx, accountId } = await open({ first });
    const request = newRequest(accountId);
    const waiting = placeOrder(ctx, request);
    await vi.waitFor(() => expect(first.sent).toHaveLength(1), WAIT_MILLISECONDS);
    // The order belongs to another process, so this request reads it until its deadline.
    const elsewhere = await placeOrder(fixture.startProcess({ replyWaitMilliseconds: 20 }).ctx, request);
    expect(orderOf(elsewhere)).toMatchObject({ state: "pending", answeredPending: true });
    answer.resolve(SUCCEEDED);
    expect(await inDatabase(orderOf(await waiting).orderId)).toMatchObject({ state: "SUCCESS", answeredPending: true });
  });
});

test("an order that would wait for seconds is not created, and its reference stays free", async () => {
  const { ctx, accountId } = await open({ first: scripted({}) });
  const request = newRequest(accountId);
  expect(await placeOrder({ ...ctx, writer: { ...ctx.writer, waitSeconds: () => 2.5 } }, request)).toEqual({ kind: "busy" });
  expect(orderOf(await placeOrder(ctx, request)).state).toBe("SUCCESS");
});
