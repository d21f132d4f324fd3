import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Connector } from "../../providers/connector.ts";
import { connectedTwin } from "../../providers/twin/testing/connected-twin.ts";
import { readExchanges, readProviderRefs } from "../attempts/store.ts";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { failOver } from "../testing/operations.ts";
import { DECLINED, PENDING, type Script, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { pollOrders } from "./order-polls.ts";

const SECOND = 1_000;
const NOT_FOUND = { kind: "not_found" } as const;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  await fixture.owner`update pending_polls set needs_human = true`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

async function placed(provider: Connector, target = "9876543000") {
  const { ctx } = fixture.startProcess({ providers: { first: provider } });
  const accountId = await fixture.newAccount({ ctx, connection: ctx.sql }, 100);
  const answer = await placeOrder(ctx, newRequest(accountId, { target }));
  if (answer.kind !== "order") throw new Error("No order.");
  const { order } = answer;
  const pollAfter = async (seconds: number) => {
    fixture.clock.advance(seconds * SECOND);
    return await pollOrders(ctx);
  };
  const state = async () => (await findById(ctx.sql, order.orderId))?.state;
  return { order, ctx, accountId, pollAfter, state };
}

function scriptedOne(script: Script, times = 1) {
  return scripted({ send: UNKNOWN, ask: NOT_FOUND, policy: { resend: { afterMilliseconds: 60 * SECOND, times } }, ...script });
}

test("an order is not sent again to a provider that was switched off, and its status is still asked", async () => {
  const provider = scriptedOne({ ask: UNKNOWN });
  const { ctx, state } = await placed(provider);
  const providerRegistry = { ...ctx.providerRegistry, mayServe: () => false };
  for (let poll = 0; poll < 3; poll++) {
    fixture.clock.advance(61 * SECOND);
    expect(await pollOrders({ ...ctx, providerRegistry })).toBe(1);
  }
  expect([provider.sent.length, provider.asked.length, await state()]).toEqual([1, 3, "pending"]);
});

test("an order whose answer was lost is sent again with its reference, and neither the twin nor the wallet is charged twice", async () => {
  const path = fileURLToPath(new URL("../../../../../docs/examples/providers/rupeelink.json", import.meta.url));
  const settings = JSON.parse(readFileSync(path, "utf8"));
  settings.operations["recharge.pay"].idempotent = { resend_after_seconds: 60 };
  const secrets = { client_id: "id-12345", client_secret: "cs-123456", webhook_key: "hook-12345" };
  const { twin, connector } = await connectedTwin(settings, { secrets }, { polling: { first_after_seconds: 5, every_seconds: 15 } });
  // The provider has carried the order out, the answer was cut off, and its status query is down.
  const one = await placed({ ...connector, ask: async () => ({ kind: "unknown", why: "HTTP 503" }) }, "9876543160");
  expect([await one.state(), twin.orders().map(({ sends }) => sends)]).toEqual(["pending", [1]]);
  await one.pollAfter(59);
  expect(twin.orders().map(({ sends }) => sends)).toEqual([1]);
  await one.pollAfter(65);
  expect([await one.state(), twin.orders().map(({ sends, reference }) => [sends, reference])]).toEqual([
    "SUCCESS",
    [[2, one.order.orderId]],
  ]);
  // What the provider has left after one order of 10 rupees, and what the client has.
  expect(await readProviderRefs(one.ctx.sql, one.order)).toMatchObject([{ provider_ref: "TWIN1001", balance: 99_990n * 10_000n }]);
  expect(await fixture.balance(one.accountId)).toBe(90);
  const sent = (await readExchanges(one.ctx.sql, one.order)).filter(({ operation }) => operation === "recharge.pay");
  expect(sent.map(({ problem }) => problem === null)).toEqual([false, true]);
});

test.each([
  ["the provider said pending", { send: PENDING }],
  ["the operation is not declared idempotent", { policy: {} }],
  ["the status query finds it", { ask: PENDING }],
])("an order is not sent again when %s", async (_, script) => {
  const provider = scriptedOne(script);
  const one = await placed(provider);
  for (const seconds of [61, 120, 120]) await one.pollAfter(seconds);
  expect(provider.sent).toHaveLength(1);
});

test("it is sent again at most as often as declared, each time after the whole wait, and never changed", async () => {
  const provider = scriptedOne({ ask: UNKNOWN }, 2);
  const one = await placed(provider);
  const sends: number[] = [];
  for (const seconds of [30, 31, 30, 61, 300, 300]) {
    await one.pollAfter(seconds);
    sends.push(provider.sent.length);
  }
  expect(sends).toEqual([1, 2, 2, 3, 3, 3]);
  expect(new Set(provider.sent.map((request) => JSON.stringify({ ...request, amount: String(request.amount) }))).size).toBe(1);
  expect(await one.state()).toBe("pending");
});

test("a declined repetition decides nothing: the status query does", async () => {
  const provider = scriptedOne({ quietMilliseconds: 600 * SECOND });
  const one = await placed(provider);
  provider.change({ send: DECLINED });
  await one.pollAfter(61);
  expect([provider.sent.length, await one.state(), await fixture.balance(one.accountId)]).toEqual([2, "pending", 90]);
  provider.change({ ask: SUCCEEDED });
  await one.pollAfter(61);
  expect(await one.state()).toBe("SUCCESS");
});

test("the count of not-found answers restarts after a resend, from its time on", async () => {
  const provider = scriptedOne({ quietMilliseconds: 100 * SECOND });
  const one = await placed(provider);
  for (const seconds of [61, 61, 61]) {
    expect(await one.state()).toBe("pending");
    await one.pollAfter(seconds);
  }
  expect([provider.sent.length, await one.state(), await fixture.balance(one.accountId)]).toEqual([2, "FAILED", 100]);
});

test("two processes that poll at once send it again once", async () => {
  const provider = scriptedOne({ ask: UNKNOWN });
  const one = await placed(provider);
  fixture.clock.advance(61 * SECOND);
  await Promise.all([pollOrders(one.ctx), pollOrders(one.ctx)]);
  expect(provider.sent).toHaveLength(2);
});

test("the wait begins with the latest attempt, not with the first poll of an attempt before it", async () => {
  const provider = scriptedOne({ ask: UNKNOWN });
  const one = await placed(provider);
  fixture.clock.advance(50 * SECOND);
  await one.ctx.writer.write(failOver(one.order, "first"));
  await one.pollAfter(20);
  expect(provider.sent).toHaveLength(1);
  await one.pollAfter(60);
  expect(provider.sent).toHaveLength(2);
});

test("an order whose account is moving to another cell is not sent again from here, because the copy would not know of it", async () => {
  const provider = scriptedOne({ ask: UNKNOWN });
  const one = await placed(provider);
  await fixture.owner`update wallets set moved_to = 1 where account_id = ${one.accountId}`;
  await one.pollAfter(61);
  expect(provider.sent).toHaveLength(1);
  await fixture.owner`update wallets set moved_to = null where account_id = ${one.accountId}`;
  await one.pollAfter(61);
  expect(provider.sent).toHaveLength(2);
});
