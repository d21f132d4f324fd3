import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../../audit/list.ts";
import type { Order } from "../order.ts";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { DECLINED, deferred, PENDING, type Script, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { pollOrders } from "./order-polls.ts";
import { requeryOrder } from "./requery-order.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

type Asked = { readonly process: OrdersProcess; readonly order: Order; readonly accountId: string };

/** Creates an order whose provider did not answer, and the provider's answer to a query. */
async function inDoubt(script: Script): Promise<Asked> {
  const process = fixture.startProcess({ providers: { first: scripted({ send: UNKNOWN, ...script }) } });
  const accountId = await fixture.newAccount(process, 100);
  const placed = await placeOrder(process.ctx, newRequest(accountId));
  if (placed.kind !== "order") throw new Error("No order.");
  return { process, order: placed.order, accountId };
}

const requery = ({ process, order }: Asked) => requeryOrder(process.ctx, "staff:U1", order.orderId);
const stateOf = async ({ order }: Asked) => (await findById(fixture.database.sql, order.orderId))?.state;
const watched = async ({ order }: Asked) =>
  (await fixture.database.sql`select polls, not_found from pending_polls where order_id = ${order.orderId}`).map((row) => ({ ...row }));

test("a definite answer ends the order and its polling, and moves its money", async () => {
  const good = await inDoubt({ ask: SUCCEEDED });
  expect(await requery(good)).toEqual({
    kind: "asked",
    provider: "first",
    said: "succeeded",
    detail: "Operator reference OP1",
    applied: true,
  });
  expect([await stateOf(good), await fixture.balance(good.accountId), await watched(good)]).toEqual(["SUCCESS", 90, []]);
  const bad = await inDoubt({ ask: DECLINED });
  expect(await requery(bad)).toMatchObject({ said: "declined", detail: "The number is not known.", applied: true });
  expect([await stateOf(bad), await fixture.balance(bad.accountId), await watched(bad)]).toEqual(["FAILED", 100, []]);
});

test.each([
  ["pending", PENDING, "it said so"],
  ["unknown", UNKNOWN, "no answer"],
  ["not_found", { kind: "not_found" } as const, "The provider has no such request."],
])("an answer that is not definite changes nothing, however often it is given: %s", async (said, ask, detail) => {
  const asked = await inDoubt({ ask });
  for (let times = 0; times < 5; times++) expect(await requery(asked)).toMatchObject({ said, detail, applied: false });
  expect([await stateOf(asked), await fixture.balance(asked.accountId)]).toEqual(["pending", 90]);
  expect(await watched(asked)).toEqual([{ polls: 0, not_found: 0 }]);
});

test("the staff member and the provider's answer are audited", async () => {
  const asked = await inDoubt({ ask: SUCCEEDED });
  await requeryOrder(asked.process.ctx, "staff:U1", asked.order.orderId, "The client rang.");
  const entries = await listAudit(fixture.database.sql, { before: null, limit: 5, subject: { kind: "order", id: asked.order.orderId } });
  expect(entries.map(({ actor, action, details }) => [actor, action, JSON.parse(details)])).toEqual([
    ["staff:U1", "order.requeried", { provider: "first", said: "succeeded", detail: "Operator reference OP1", reason: "The client rang." }],
  ]);
});

test("only a pending order of a running provider can be queried", async () => {
  const asked = await inDoubt({ ask: SUCCEEDED });
  await requery(asked);
  expect(await requery(asked)).toEqual({ kind: "conflict", reason: "The order is SUCCESS." });
  const closed = await inDoubt({ ask: SUCCEEDED });
  const elsewhere = fixture.startProcess({ providers: { second: scripted({}) } });
  expect(await requeryOrder(elsewhere.ctx, "staff:U1", closed.order.orderId)).toEqual({
    kind: "conflict",
    reason: "The order cannot be queried: the provider first is not running.",
  });
  expect(await requeryOrder(elsewhere.ctx, "staff:U1", "01NOSUCHORDER")).toEqual({ kind: "not_found" });
  expect(await stateOf(closed)).toBe("pending");
});

test("twenty concurrent queries and a poll end the order once", async () => {
  const answer = deferred<typeof SUCCEEDED>();
  const asked = await inDoubt({ ask: () => answer.promise });
  fixture.clock.advance(60_000);
  const all = [...Array.from({ length: 20 }, () => requery(asked)), pollOrders(asked.process.ctx)];
  answer.resolve(SUCCEEDED);
  await Promise.all(all);
  expect([await stateOf(asked), await fixture.balance(asked.accountId)]).toEqual(["SUCCESS", 90]);
  const [captures] = await fixture.database.sql<{ count: number }[]>`
    select count(*)::int as count from transfers where order_id = ${asked.order.orderId} and kind = 'capture'`;
  expect(captures?.count).toBe(1);
});
