import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { reverseManually, settleManually } from "../../../domain/orders/change-manually.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { placeOrder } from "../../../domain/orders/place-order.ts";
import { contextOf, newRequest } from "../../../domain/orders/testing/fixture.ts";
import { PENDING, SUCCEEDED, scripted, UNKNOWN } from "../../../domain/orders/testing/scripted-connector.ts";
import { manyOrders } from "../../portal/testing/orders.ts";
import { type TestApi, testApi } from "../testing/api.ts";

const provider = scripted({ send: UNKNOWN });
const orders = {} as { -readonly [Name in keyof OrdersContext]: OrdersContext[Name] };
let api: TestApi;
beforeAll(async () => {
  api = await testApi({ orders });
  const { sql } = api.settings.database;
  Object.assign(orders, contextOf(sql, sql, api.settings.clock, { providers: { first: provider } }));
});
afterAll(async () => {
  expect((await checkLedger(api.settings.database.sql)).filter((check) => check.violations > 0)).toEqual([]);
  await api.close();
});

async function richAccount(name = "Asha Stores"): Promise<string> {
  const { account_id: accountId } = await api.newAccount({ name });
  await api.post(`/accounts/${accountId}/wallet`, { amount: "100000.00", reference: "start" });
  return accountId;
}

async function place(accountId: string, send: typeof UNKNOWN): Promise<string> {
  provider.change({ send });
  const placed = await placeOrder(orders, newRequest(accountId));
  if (placed.kind !== "order") throw new Error(`The order was answered ${placed.kind}.`);
  return placed.order.orderId;
}

type Item = { readonly order_id: string; readonly account_id: string; readonly shown: string };

async function list(query: string): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const answer = await api.get(`/orders?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const idsOf = (items: readonly Item[]) => items.map((item) => item.order_id);

test("every filter shows exactly its orders, of one account or of all", async () => {
  const [one, other] = [await richAccount("One"), await richAccount("Other")];
  const good = await buildOrder(orders, one, { reference: "REF-GOOD" });
  const bad = await buildOrder(orders, other, { state: "FAILED" });
  const bill = await buildOrder(orders, one, { service: "bills" });
  const taken = await buildOrder(orders, other, {});
  await reverseManually(orders, "test", { orderId: taken, reason: "The number was wrong." });
  const doubtful = await place(one, UNKNOWN);
  const waiting = await place(other, PENDING);
  const all = [waiting, doubtful, taken, bill, bad, good];
  const { sql } = api.settings.database;
  await sql`update orders set operator_ref = 'OP-GOOD' where order_id = ${good}`;
  await sql`update orders set created_at = created_at - interval '30 minutes' where order_id = ${waiting}`;
  await sql`update pending_polls set needs_human = true where order_id = ${waiting}`;
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", all],
    [`account_id=${one}`, [doubtful, bill, good]],
    [`account_id=${other}`, [waiting, taken, bad]],
    ["status=SUCCESS", [bill, good]],
    ["status=FAILED", [taken, bad]],
    ["status=Reversed", [taken]],
    [`status=Reversed&account_id=${one}`, []],
    ["status=pending", [waiting, doubtful]],
    ["status=pending&provider=first", [waiting, doubtful]],
    ["status=pending&min_age=10", [waiting]],
    ["in_doubt=true", [doubtful]],
    [`in_doubt=true&account_id=${other}`, []],
    ["needs_human=true", [waiting]],
    ["service=bills", [bill]],
    ["service=bus", []],
    ["provider=simulator", [taken, bill, bad, good]],
    ["provider=first", [waiting, doubtful]],
    [`account_id=${other}&provider=simulator`, [taken, bad]],
    ["operator=AT", all],
    ["operator=NO", []],
    [`search=${bad}`, [bad]],
    ["search=REF-GOOD", [good]],
    ["search=OP-GOOD", [good]],
    ["search=9876543210&status=Reversed", [taken]],
    [`search=REF-GOOD&account_id=${other}`, []],
    ["search=REF-GOO", [good]],
    ["search=ref-goo&status=FAILED", []],
    ["search=EF", []],
    ["search=REF_GOO", []],
    ["min_age=20&search=&status=", [waiting]],
    ["from=2020-01-01&to=2020-01-31", []],
  ];
  for (const [query, wanted] of cases) {
    const { items } = await list(query);
    const own = items.filter((item) => [one, other].includes(item.account_id));
    expect([query, idsOf(own)]).toEqual([query, wanted]);
  }
});

test("an item says whose it is, where it went and how it reads", async () => {
  const accountId = await richAccount("Kerala Kiosks");
  const orderId = await buildOrder(orders, accountId, {});
  await reverseManually(orders, "test", { orderId, reason: "The number was wrong." });
  expect((await list(`search=${orderId}`)).items).toEqual([
    {
      order_id: orderId,
      account_id: accountId,
      account_name: "Kerala Kiosks",
      service: "recharge",
      urid: `U-${orderId}`,
      status: "FAILED",
      shown: "Reversed",
      amount: "10.0000",
      fee: "0.0000",
      account: "9876543210",
      operator: "AT",
      operator_name: "Airtel",
      provider: "simulator",
      operator_ref: "OP-REF-1",
      reason: "The number was wrong.",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      assigned_to: null,
      updated_at: expect.any(String),
    },
  ]);
});

test.each(["", "&status=SUCCESS", "&operator=AT", "&search=9876543210", "&search=7654321"])(
  "pages show each of very many orders once, from the newest on: %s",
  async (filter) => {
    const { account_id: accountId } = await api.newAccount();
    const { sql } = api.settings.database;
    const count = 7_000;
    await manyOrders(sql, accountId, count, api.settings.clock.now() - count);
    await sql`insert into wallets (account_id) values (${accountId})`;
    const wanted = await sql<{ order_id: string }[]>`select order_id from orders where account_id = ${accountId} order by order_id desc`;
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = await list(`account_id=${accountId}&limit=200${filter}${next === "" ? "" : `&after=${next}`}`);
      seen.push(...idsOf(page.items));
      next = page.next;
    }
    expect(seen.length).toBe(count);
    expect(seen).toEqual(wanted.map((row) => row.order_id));
    // They came without money; the ledger's rules are held at the end.
    await sql`update orders set amount = 0, state = 2 where account_id = ${accountId}`;
  },
);

test.each([
  ["status=success", "status"],
  ["from=2026-02-30", "from"],
  ["from=2026-02-02&to=2026-02-01", "from"],
  ["min_age=-1", "min_age"],
  ["min_age=1.5", "min_age"],
  ["after=nonsense", "after"],
  ["limit=0", "limit"],
  ["account_id=a%00", "account_id"],
  ["in_doubt=yes", "in_doubt"],
])("a list refuses %s", async (query, field) => {
  expect(await api.get(`/orders?${query}`)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});

test("an order is shown with what was asked of whom, what happened, and who did what", async () => {
  const accountId = await richAccount();
  const orderId = await place(accountId, UNKNOWN);
  await settleManually(orders, "staff:U7", { orderId, to: "SUCCESS", operatorRef: "OP9", reason: "The provider's support says so." });
  const { status, body } = await api.get(`/orders/${orderId}`);
  expect(status).toBe(200);
  expect(body.order).toMatchObject({ order_id: orderId, account_name: "Asha Stores", shown: "SUCCESS", credit: false, refunded: null });
  expect(body.attempts).toEqual([
    expect.objectContaining({
      provider: "first",
      outcome: "succeeded",
      asked: { reference: orderId, service: "recharge", operator: "AT", account: expect.any(String), amount: "10.0000", circle: null },
    }),
  ]);
  expect(body.complaints).toEqual([]);
  const titles = body.timeline.map((event: { title: string }) => event.title);
  expect(titles).toEqual([
    "Request accepted",
    "Money held",
    "Attempt 1 sent to first",
    "Answered pending",
    "Attempt 1 succeeded",
    "Settled manually",
    "Money captured",
    "SUCCESS",
  ]);
  expect(body.timeline[5]).toMatchObject({ kind: "manual", detail: "SUCCESS, OP9, The provider's support says so., by staff:U7" });
});

test("a requery answers what the provider said and the order as it stands then", async () => {
  const accountId = await richAccount();
  const orderId = await place(accountId, UNKNOWN);
  provider.change({ ask: PENDING });
  const early = await api.post(`/orders/${orderId}/requery`);
  expect(early).toMatchObject({
    status: 200,
    body: { order: { status: "pending" }, finding: { provider: "first", said: "pending", detail: "it said so", applied: false } },
  });
  provider.change({ ask: SUCCEEDED });
  const late = await api.post(`/orders/${orderId}/requery`, { reason: "The client is on the phone." });
  expect(late).toMatchObject({ status: 200, body: { order: { status: "SUCCESS", operator_ref: "OP1" }, finding: { applied: true } } });
  expect(late.body.timeline.filter((event: { kind: string }) => event.kind === "manual")).toHaveLength(2);
  expect(await api.post(`/orders/${orderId}/requery`)).toMatchObject({ status: 409, body: { message: "The order is SUCCESS." } });
  expect((await api.post("/orders/NOSUCHORDER12/requery")).status).toBe(404);
});

test("a cancellation without a result is shown with its order, and staff end it", async () => {
  const accountId = await richAccount();
  const orderId = await buildOrder(orders, accountId, { service: "bus" });
  const { sql } = api.settings.database;
  await sql`
    insert into bus_blocks (account_id, block_ref, request_id, provider, trip_id, operator, mobile, trip, departure_at, partial_cancel,
      created_at, expires_at, order_id)
    values (${accountId}, 'BLK1', 'b1', 'first', 'T1', 'OP', '9876543210', '{}', now(), true, now(), now(), ${orderId})`;
  await sql`
    insert into bus_cancellations (account_id, cancel_id, block_ref, order_id, reason, seats, refund, state, created_at, next_at, asked_times, doubt)
    values (${accountId}, 'CAN1', 'BLK1', ${orderId}, 'asked for', '{A1}', 1234500, 'asked', now(), now(), 2, 'No clear answer')`;
  const { body } = await api.get(`/orders/${orderId}`);
  expect(body.cancellations).toMatchObject([
    { cancel_id: "CAN1", seats: ["A1"], refund_amount: "123.4500", asked_times: 2, doubt: "No clear answer" },
  ]);
  const settle = (cancel_id: string) =>
    api.post(`/orders/${orderId}/settle-cancellation`, { cancel_id, outcome: "not_cancelled", reason: "The provider wrote so." });
  expect(await settle("CAN2")).toMatchObject({ status: 409, body: { message: expect.stringContaining("no such cancellation") } });
  expect(await settle("CAN1")).toMatchObject({ status: 200, body: { cancellations: [], order: { status: "SUCCESS" } } });
});
