import type { DeclineClass } from "@corprail/connector";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { connect, type Queryable, type Transaction } from "../../../platform/db/connection.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { Outcome, ProviderExchange, Recorder } from "../../providers/connector.ts";
import { createProviderBalances, readBalances } from "../../providers/health/balances.ts";
import type { OrdersContext } from "../context.ts";
import { placeOrder } from "../place-order.ts";
import { applyReport } from "../recovery/apply-finding.ts";
import { pollOrders } from "../recovery/order-polls.ts";
import { requeryOrder } from "../recovery/requery-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { DECLINED, deferred, PENDING, type Script, SUCCEEDED, scripted } from "../testing/scripted-connector.ts";
import { type AttemptRecords, createAttemptRecords } from "./attempt-records.ts";
import {
  type AttemptRecord,
  findByProviderRef,
  insertRecords,
  insertRecordsUnflushed,
  readExchanges,
  readProviderRef,
  readProviderRefs,
} from "./store.ts";

let fixture: OrdersFixture;
beforeEach(async () => {
  fixture = await createOrdersFixture();
});
afterEach(() => fixture.close());

const EXCHANGE: ProviderExchange = {
  operation: "recharge.pay",
  startedAt: 1_790_000_000_000,
  milliseconds: 12.4,
  request: "GET /",
  reply: "200",
  problem: null,
};

/** Records one exchange, then answers. */
const recording = (outcome: Outcome) => async (_: unknown, __: AbortSignal, record?: Recorder) => {
  record?.({ ...EXCHANGE, startedAt: Date.now() });
  return outcome;
};

const declinedAs = (decline: DeclineClass): Outcome => ({
  ...{ kind: "declined", reason: "no", failure: "amount_not_accepted" },
  decline,
});

async function place(providers: Readonly<Record<string, Script>>) {
  const connectors = Object.fromEntries(Object.entries(providers).map(([name, script]) => [name, scripted(script)]));
  const process = fixture.startProcess({ providers: connectors });
  const accountId = await fixture.newAccount(process, 100);
  const placed = await placeOrder(process.ctx, newRequest(accountId));
  if (!("order" in placed)) throw new Error(`The order was not placed: ${JSON.stringify(placed)}`);
  return { ctx: process.ctx, order: placed.order, connectors };
}

const sql = () => fixture.database.sql;
const recordOf = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...{ accountId: "A1", orderId: "O1", attempt: 1, provider: "first", facts: null, at: Date.now() },
  exchanges: [{ ...EXCHANGE, id: "E1" }],
  ...more,
});

test("evidence, the provider's id, cost and balance are stored when the outcome becomes visible", async () => {
  const outcome: Outcome = { ...SUCCEEDED, providerRef: "T-1", cost: "9.75", balance: "120.5" };
  const { ctx, order } = await place({ first: { send: recording(outcome) } });
  expect(order.state).toBe("SUCCESS");
  expect(await readExchanges(sql(), order)).toMatchObject([
    { attempt: 1, provider: "first", milliseconds: 12, request: "GET /", reply: "200" },
  ]);
  expect(await readProviderRefs(sql(), order)).toMatchObject([{ attempt: 1, provider_ref: "T-1", cost: 97_500n, balance: 1_205_000n }]);
  expect(await findByProviderRef(sql(), "first", "T-1")).toEqual({ accountId: order.accountId, orderId: order.orderId });
  expect(await findByProviderRef(sql(), "second", "T-1")).toBeNull();
  expect((ctx.balances as ReturnType<typeof createProviderBalances>).of("first")).toMatchObject({ balance: 1_205_000n });
});

const saying =
  (request: string, outcome: Outcome = SUCCEEDED) =>
  async (_: unknown, __: AbortSignal, record?: Recorder) => {
    record?.({ ...EXCHANGE, startedAt: Date.now(), request });
    return outcome;
  };

/** Notes in which state the order is when a record is written by itself. */
function noting(ctx: OrdersContext, states: (string | undefined)[]): OrdersContext {
  const write: OrdersContext["attempts"]["write"] = async (record) => {
    states.push((await findById(sql(), record.orderId))?.state);
    await ctx.attempts.write(record);
  };
  return { ...ctx, attempts: { write } };
}

test("evidence is written with the settlement, and large evidence before it", async () => {
  for (const [length, states] of [
    [8_000, []],
    [9_000, ["pending"]],
  ] as const) {
    const process = fixture.startProcess({ providers: { first: scripted({ send: saying("x".repeat(length)) }) } });
    const accountId = await fixture.newAccount(process, 100);
    const seen: (string | undefined)[] = [];
    const placed = await placeOrder(noting(process.ctx, seen), newRequest(accountId));
    if (!("order" in placed)) throw new Error("The order was not placed.");
    expect(seen).toEqual(states);
    expect(await readExchanges(sql(), placed.order)).toMatchObject([{ request: "x".repeat(length) }]);
  }
});

test("the evidence of a settlement that the database refuses is kept", async () => {
  const process = fixture.startProcess({
    providers: { first: scripted({ send: saying("GET /", { kind: "succeeded", operatorRef: "refused" }) }) },
  });
  const accountId = await fixture.newAccount(process, 100);
  await fixture.owner`alter table orders add constraint no_such_operator_ref check (operator_ref <> 'refused')`;
  await expect(placeOrder(process.ctx, newRequest(accountId))).rejects.toThrow("no_such_operator_ref");
  const [row] = await sql()`select count(*)::int as count from provider_exchanges where account_id = ${accountId}`;
  expect(row?.["count"]).toBe(1);
});

test("orders are settled without the evidence that the database refuses, and the other orders of the batch keep theirs", async () => {
  const process = fixture.startProcess({
    providers: { first: scripted({ send: (request, ...rest) => saying(saidOf(request))(request, ...rest) }) },
  });
  const accountId = await fixture.newAccount(process, 1_000);
  const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(process.ctx, newRequest(accountId))));
  const orders = placed.flatMap((one) => ("order" in one ? [one.order] : []));
  expect(orders.map(({ state }) => state)).toEqual(orders.map(() => "SUCCESS"));
  const kept = await Promise.all(orders.map(async (order) => (await readExchanges(sql(), order)).length));
  expect([kept.length, kept.filter((count) => count === 1).length]).toEqual([20, 19]);
  expect((process.ctx.attempts as AttemptRecords).dropped()).toBe(1);
});

let said = 0;
/** PostgreSQL cannot store the seventh one. */
const saidOf = (_: unknown): string => (++said === 7 ? "a\0b" : "ab");

test("evidence is kept when the order has ended before the answer arrives, with what an earlier callback told", async () => {
  const answer = deferred<Outcome>();
  const send = async (_: unknown, __: AbortSignal, record?: Recorder): Promise<Outcome> => {
    record?.({ ...EXCHANGE, startedAt: Date.now() });
    return await answer.promise;
  };
  const process = fixture.startProcess({ providers: { first: scripted({ send }) }, replyWaitMilliseconds: 0 });
  const accountId = await fixture.newAccount(process, 100);
  const placed = await placeOrder(process.ctx, newRequest(accountId));
  if (!("order" in placed)) throw new Error("The order was not placed.");
  const { order } = placed;
  await applyReport(process.ctx, { reference: order.orderId, finding: { ...SUCCEEDED, cost: "9.9" } }, "first");
  answer.resolve({ ...SUCCEEDED, providerRef: "L-1" });
  await process.ctx.inProgress.drained();
  expect(await readExchanges(sql(), order)).toHaveLength(1);
  expect(await readProviderRefs(sql(), order)).toMatchObject([{ provider_ref: "L-1", cost: 99_000n }]);
});

test("a provider that reports nothing causes no write", async () => {
  let writes = 0;
  const process = fixture.startProcess({ providers: { first: scripted({}) } });
  const accountId = await fixture.newAccount(process, 100);
  const write = async () => void writes++;
  await placeOrder({ ...process.ctx, attempts: { write } }, newRequest(accountId));
  expect(writes).toBe(0);
});

test("each attempt has its own evidence, and a connector that throws leaves what it had recorded", async () => {
  const send = async (_: unknown, __: AbortSignal, record?: Recorder): Promise<Outcome> => {
    record?.(EXCHANGE);
    throw new Error("broken");
  };
  const { order } = await place({ first: { send: recording({ ...DECLINED, providerRef: "D-1" }) }, second: { send } });
  expect(order.state).toBe("pending");
  expect((await readExchanges(sql(), order)).map(({ attempt, provider }) => [attempt, provider]).sort()).toEqual([
    [1, "first"],
    [2, "second"],
  ]);
  expect(await readProviderRef(sql(), { ...order, attempt: 1 })).toBe("D-1");
});

test("a final decline ends the order at once; a decline for want of float or capacity goes on and float is noted", async () => {
  const final = await place({ first: { send: declinedAs("final") }, second: {} });
  expect(final.order).toMatchObject({ state: "FAILED", attempt: 1, failure: { code: "amount_not_accepted" } });
  expect(final.connectors["second"]?.sent).toEqual([]);
  for (const decline of ["float", "busy", "provider"] as const) {
    const { order, ctx } = await place({ first: { send: declinedAs(decline) }, second: {} });
    expect(order).toMatchObject({ state: "SUCCESS", provider: "second" });
    const balances = ctx.balances as ReturnType<typeof createProviderBalances>;
    expect(balances.of("first")?.declinedAt != null).toBe(decline === "float");
  }
});

test("a status query gets the provider's id, by poll and by hand, and its exchanges are kept", async () => {
  const { ctx, order, connectors } = await place({
    first: { send: recording({ ...PENDING, providerRef: "P-1" }), ask: recording(PENDING) },
  });
  const first = connectors["first"];
  fixture.clock.advance(10_000);
  await pollOrders(ctx);
  expect(await requeryOrder(ctx, "test", order.orderId)).toMatchObject({ said: "pending" });
  expect(first?.asked.map(({ providerRef }) => providerRef)).toEqual(["P-1", "P-1"]);
  expect(await readExchanges(sql(), order)).toHaveLength(3);
});

test("of many polls without a result ten are kept, and the one that decides is", async () => {
  const { ctx, order, connectors } = await place({ first: { send: recording(PENDING), ask: recording(PENDING) } });
  for (let poll = 0; poll < 14; poll++) {
    fixture.clock.advance(61_000);
    await pollOrders(ctx);
  }
  expect(await readExchanges(sql(), order)).toHaveLength(11);
  connectors["first"]?.change({ ask: recording({ ...SUCCEEDED, providerRef: "late" }) });
  fixture.clock.advance(61_000);
  await pollOrders(ctx);
  expect(await findById(sql(), order.orderId)).toMatchObject({ state: "SUCCESS" });
  expect([(await readExchanges(sql(), order)).length, await readProviderRef(sql(), order)]).toEqual([12, "late"]);
});

test("a callback's facts are stored too, and do not erase earlier ones", async () => {
  const { ctx, order } = await place({ first: { send: { ...PENDING, providerRef: "P-2" } } });
  await applyReport(ctx, { reference: order.orderId, finding: { ...SUCCEEDED, cost: "9.9" } }, "first");
  expect(await readProviderRefs(sql(), order)).toMatchObject([{ provider_ref: "P-2", cost: 99_000n, balance: null }]);
});

test("an id that a provider used for two orders finds neither", async () => {
  const facts = { providerRef: "same", cost: null, balance: null };
  const records = createAttemptRecords({ sql: sql(), log: createLog("silent") });
  await Promise.all(["O1", "O2"].map((orderId) => records.write(recordOf({ orderId, facts, exchanges: [] }))));
  expect(await findByProviderRef(sql(), "first", "same")).toBeNull();
});

test("many records are written in few statements; one that the database refuses is dropped alone and the rest stay", async () => {
  const sizes: number[] = [];
  const records = createAttemptRecords({ sql: sql(), log: createLog("silent"), observe: (items) => sizes.push(items) });
  const bad = recordOf({ orderId: "BAD", exchanges: [{ ...EXCHANGE, id: "B", request: "a\0b" }] });
  const good = Array.from({ length: 60 }, (_, place) => recordOf({ orderId: `O${place}`, exchanges: [{ ...EXCHANGE, id: `E${place}` }] }));
  await Promise.all([...good.slice(0, 30), bad, ...good.slice(30), good[0] as AttemptRecord].map(records.write));
  expect(sizes.length).toBeLessThan(10);
  expect(records.dropped()).toBe(1);
  const [row] = await sql()`select count(*)::int as count from provider_exchanges`;
  expect(row?.["count"]).toBe(60);
});

test("beyond the limit records are dropped, and no caller waits for ever", async () => {
  const records = createAttemptRecords({ sql: sql(), log: createLog("silent"), maxWaiting: 2 });
  const all = ["1", "2", "3"].map((id) => records.write(recordOf({ orderId: id, exchanges: [{ ...EXCHANGE, id }] })));
  expect(records.waiting()).toBe(2);
  await Promise.all(all);
  expect(records.dropped()).toBe(1);
});

test("the service can neither change nor delete evidence", async () => {
  await createAttemptRecords({ sql: sql(), log: createLog("silent") }).write(recordOf({ exchanges: [{ ...EXCHANGE, id: "E" }] }));
  await expect(sql()`update provider_exchanges set request = 'other'`).rejects.toThrow("permission denied");
  await expect(sql()`delete from provider_exchanges`).rejects.toThrow("permission denied");
});

test("balances of several processes meet in the table, and the newest wins", async () => {
  const [one, other] = [createProviderBalances({ sql: sql() }), createProviderBalances({ sql: sql() })];
  one.note("first", 50n, 2_000);
  other.note("first", 70n, 1_000);
  other.noteFloatDecline("first", 3_000);
  await one.synchronise();
  await other.synchronise();
  await one.synchronise();
  const newest = { balance: 50n, at: 2_000, declinedAt: 3_000 };
  expect([one.of("first"), other.of("first"), (await readBalances(sql())).get("first")]).toEqual([newest, newest, newest]);
  one.note("first", -5n, 4_000);
  await one.synchronise();
  expect((await readBalances(sql())).get("first")).toMatchObject({ balance: -5n, at: 4_000, declinedAt: 3_000 });
});

test("only the commit of evidence by itself does not wait for the disk", async () => {
  const { sql: one, close } = connect({ url: fixture.database.url, connections: 1, role: "corprail_app", purpose: "requests" });
  onTestFinished(close);
  // The databases of tests never wait for the disk otherwise.
  await one`set synchronous_commit = on`;
  const setting = async (on: Queryable) => (await on`select current_setting('synchronous_commit') as setting`)[0]?.["setting"];
  const facts = { providerRef: "T-1", cost: null, balance: null };
  for (const record of [recordOf(), recordOf({ orderId: "O2", facts }), recordOf({ orderId: "O3", facts, exchanges: [] })]) {
    await insertRecordsUnflushed(one, [record]);
    expect(await setting(one)).toBe("on");
  }
  const within = async (insert: (tx: Transaction, records: readonly AttemptRecord[]) => Promise<void>) =>
    await one.begin(async (tx) => {
      await insert(tx, [recordOf({ orderId: "O4" })]);
      return await setting(tx);
    });
  expect([await within(insertRecordsUnflushed), await within(insertRecords)]).toEqual(["off", "on"]);
});
