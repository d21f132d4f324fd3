import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector, Finding, Report } from "../../providers/connector.ts";
import { placeOrder } from "../place-order.ts";
import { ANY_ORDER } from "../queries/browse-filter.ts";
import { browseOrders } from "../queries/browse-orders.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, money, newOrder, newRequest, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, reverse, settle } from "../testing/operations.ts";
import { DECLINED, deferred, PENDING, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { applyReport } from "./apply-finding.ts";
import { pollOrders } from "./order-polls.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const pollOf = async (orderId: string) => {
  const [row] = await fixture.database.sql<{ due_at: Date; needs_human: boolean; why: string }[]>`
    select due_at, needs_human, why from pending_polls where order_id = ${orderId}`;
  return row;
};
const stateOf = async (orderId: string) => (await findById(fixture.database.sql, orderId))?.state;

async function place(process: OrdersProcess, rupees = 100): Promise<string> {
  const placed = await placeOrder(process.ctx, newRequest(await fixture.newAccount(process, rupees)));
  if (placed.kind !== "order") throw new Error("No order.");
  return placed.order.orderId;
}

/** A provider whose answer to a status query comes only when the test says so. */
function slowToAnswer(send: Finding) {
  const [asked, answer] = [deferred<null>(), deferred<Finding>()];
  const provider = scripted({
    send: async () => send as typeof SUCCEEDED,
    ask: () => {
      asked.resolve(null);
      return answer.promise;
    },
  });
  return { provider, asked: asked.promise, answer: answer.resolve };
}

const FORM: Pick<Connector, "referenceForm"> = { referenceForm: { characters: "digits", length: 12, date: "none", prefix: "" } };
const hint = (reference: string): Report => ({ reference, finding: { kind: "ask" } });

test("a hint that comes while an older answer is on its way is asked about again, and so a reversal is not missed", async () => {
  const { provider, asked, answer } = slowToAnswer(SUCCEEDED);
  const process = fixture.startProcess({ providers: { first: provider } });
  const orderId = await place(process);
  await applyReport(process.ctx, hint(orderId), "first");
  const polling = pollOrders(process.ctx);
  await asked;
  await applyReport(process.ctx, hint(orderId), "first");
  answer(SUCCEEDED);
  await polling;
  provider.change({ ask: { kind: "reversed", reason: "taken back" } });
  expect(await pollOrders(process.ctx)).toBe(1);
  expect([await stateOf(orderId), await pollOf(orderId)]).toEqual(["FAILED", undefined]);
});

test.each([
  ["is not postponed", MINUTE],
  ["is not left to staff", DAY],
])("a pending order with a hint during its poll %s", async (_what, waitedMilliseconds) => {
  const { provider, asked, answer } = slowToAnswer(UNKNOWN);
  const process = fixture.startProcess({ providers: { first: provider } });
  const orderId = await place(process);
  fixture.clock.advance(waitedMilliseconds);
  const polling = pollOrders(process.ctx);
  await asked;
  await applyReport(process.ctx, hint(orderId), "first");
  answer(PENDING);
  await polling;
  expect((await pollOf(orderId))?.needs_human).toBe(false);
  provider.change({ ask: SUCCEEDED });
  expect(await pollOrders(process.ctx)).toBe(1);
  expect(await stateOf(orderId)).toBe("SUCCESS");
});

test("a reported reversal of a credit that the wallet no longer holds waits for staff until the order is reversed", async () => {
  const process = fixture.startProcess({ providers: { first: scripted({}) } });
  const { writer } = process.ctx;
  const accountId = await fixture.newAccount(process, 0);
  const order = newOrder(accountId, { credit: true, service: "aeps", operation: "cash_withdrawal" });
  await writer.write(accept(order));
  await writer.write(settle(order, "SUCCESS"));
  await writer.write({ kind: "topup", accountId, amount: money(-5), reference: "spent", note: "" });
  const report: Report = { reference: order.orderId, finding: { kind: "reversed", reason: "taken back" } };
  expect(await applyReport(process.ctx, report, "first")).toBeNull();
  expect(await pollOf(order.orderId)).toMatchObject({ needs_human: true, why: expect.stringContaining("the wallet no longer holds") });
  expect(await listedForStaff(accountId)).toEqual([order.orderId]);
  await writer.write({ kind: "topup", accountId, amount: money(5), reference: "back", note: "" });
  await writer.write(reverse(order));
  expect([await pollOf(order.orderId), await listedForStaff(accountId)]).toEqual([undefined, []]);
});

async function listedForStaff(accountId: string): Promise<readonly string[]> {
  const now = fixture.clock.now();
  const range = { fromMilliseconds: now - DAY, toMilliseconds: now + DAY, limit: 10 };
  const { orders } = await browseOrders(fixture.database.sql, { ...ANY_ORDER, ...range, accountId, doubt: "for a person" }, now);
  return orders.map((order) => order.orderId);
}

test.each([
  ["before there was a form of references", {}, FORM],
  ["with a form of references that no longer exists", FORM, {}],
])("a callback finds an order that was sent %s", async (_what, formThen, formNow) => {
  const then: Connector = { ...scripted({ send: PENDING }), ...formThen };
  const process = fixture.startProcess({ providers: { first: then } });
  const orderId = await place(process);
  const [known] = await fixture.database.sql<{ reference: string }[]>`select reference from provider_references where subject = ${orderId}`;
  const now: Connector = { ...scripted({}), ...formNow };
  const { ctx } = fixture.startProcess({ providers: { first: now } });
  expect(await applyReport(ctx, { reference: known?.reference ?? orderId, finding: DECLINED }, "first")).toBeNull();
  expect(await stateOf(orderId)).toBe("FAILED");
});
