import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createFixture, type Fixture } from "../../../domain/complaints/testing/fixture.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  await fixture.expectSoundLedger();
  await fixture.close();
});

type Item = { readonly complaint_ref: string; readonly account_id: string };

async function refs(client: Client, query: string): Promise<readonly string[]> {
  const { status, body, text } = await fixture.operator.get(`/complaints?${query}`);
  expect(status, text).toBe(200);
  return body.items.filter((item: Item) => item.account_id === client.accountId).map((item: Item) => item.complaint_ref);
}

/** Moves when it has to be decided, by so many days from now. */
async function dueIn(complaintRef: string, days: number): Promise<void> {
  const due = new Date(fixture.ctx.clock.now() + days * DAY_MILLISECONDS);
  await fixture.ctx.sql`update complaints set due_by = ${due} where complaint_ref = ${complaintRef}`;
}

test("every complaint is in one view, and every filter shows exactly its complaints", async () => {
  const client = await fixture.client();
  const order = () => client.order({});
  const late = await client.complaint(await order());
  const laterOrder = await client.order({ reference: "BILL-77" });
  const later = await client.complaint(laterOrder);
  const blocked = await client.complaint(await order());
  const stood = await client.complaint(await order());
  await dueIn(late, -1);
  await dueIn(later, 3);
  await dueIn(blocked, -2);
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "suspended" });
  expect((await fixture.clear(blocked, "refund")).body).toMatchObject({ stage: "refund_blocked" });
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "active" });
  await fixture.clear(stood, "stands");
  const tomorrow = indiaDate(fixture.ctx.clock.now() + DAY_MILLISECONDS);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", [stood, blocked, later, late]],
    ["view=due", [late]],
    ["view=open", [later]],
    ["view=refund_blocked", [blocked]],
    ["view=decided", [stood]],
    ["status=OPEN", [blocked, later, late]],
    ["status=OPEN&sort=due", [blocked, late, later]],
    ["status=RESOLVED", [stood]],
    ["status=RESOLVED&view=due", []],
    [`due_by=${tomorrow}&sort=due`, [blocked, late]],
    [`search=${later}`, [later]],
    [`search=${laterOrder}`, [later]],
    ["search=BILL-77", [later]],
    ["search=9876543210&sort=newest", [stood, blocked, later, late]],
    ["search=bill-7", [later]],
    ["search=BILL_7", []],
    [`account_id=${client.accountId}&view=`, [stood, blocked, later, late]],
    ["account_id=A00000000000", []],
  ];
  for (const [query, wanted] of cases) expect([query, await refs(client, query)]).toEqual([query, wanted]);
  const { body } = await fixture.operator.get("/complaints/views");
  expect(body).toEqual({ due: 1, overdue: 1, open: 1, refund_blocked: 1 });
});

test("a complaint is shown with its order's facts, and what is decided leaves its view", async () => {
  const client = await fixture.client();
  const orderId = await client.order({ fee: 10_000n });
  const ref = await client.complaint(orderId);
  const { status, body } = await fixture.operator.get(`/complaints/${ref}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    complaint_ref: ref,
    order_id: orderId,
    account_id: client.accountId,
    account_name: "Asha Stores",
    amount: "10.0000",
    fee: "1.0000",
    account: "9876543210",
    operator: "AT",
    provider: "simulator",
    status: "OPEN",
    blocked_by: null,
  });
  await fixture.clear(ref, "refund", "The operator has no such recharge.");
  expect((await fixture.operator.get(`/complaints/${ref}`)).body).toMatchObject({ status: "REFUNDED", refund_amount: "11.0000" });
  expect(await refs(client, "view=decided")).toEqual([ref]);
  expect((await fixture.operator.get("/complaints/CMP000000000000")).status).toBe(404);
  expect((await fixture.operator.get("/complaints/x%00")).status).toBe(404);
});

test.each(["", "&sort=due"])("pages show each complaint once, also those of one moment: %s", async (sort) => {
  const client = await fixture.client();
  const raised: string[] = [];
  for (let number = 0; number < 11; number++) raised.push(await client.complaint(await client.order({})));
  const at = new Date(fixture.ctx.clock.now());
  await fixture.ctx.sql`update complaints set raised_at = ${at}, due_by = ${at} where account_id = ${client.accountId}`;
  const seen: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const query: string = `account_id=${client.accountId}&limit=4${sort}${next === "" ? "" : `&after=${next}`}`;
    const { body } = await fixture.operator.get(`/complaints?${query}`);
    seen.push(...body.items.map((item: Item) => item.complaint_ref));
    next = body.next;
  }
  expect(seen).toEqual(sort === "" ? raised.toSorted().toReversed() : raised.toSorted());
});

test.each([
  ["view=late", "view"],
  ["sort=oldest", "sort"],
  ["due_by=soon", "due_by"],
  ["after=x", "after"],
  ["status=open", "status"],
])("a list refuses %s", async (query, field) => {
  expect(await fixture.operator.get(`/complaints?${query}`)).toMatchObject({
    status: 400,
    body: { fields: { [field]: expect.any(String) } },
  });
});
