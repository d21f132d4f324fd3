import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import { fetched, pay, payDirect } from "./testing/payer.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const times = <Value>(count: number, make: (place: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));
const tally = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = `${status} ${String(body["error"] || body["status"])}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};
const ordersOf = async (accountId: string) =>
  (await fixture.orders.owner`select order_id from orders where account_id = ${accountId} and service = 'bills'`).length;

test("a hundred identical payments of a fetch make one order and one debit", async () => {
  const client = await fixture.newClient(10_000);
  const bill = await fetched(client, "hundred");
  const answers = await times(100, () => pay(client, "hundred", { fetch_ref: bill.fetchRef, amount: bill.amount }));
  expect(tally(answers)).toEqual({ "200 SUCCESS": 100 });
  expect(new Set(answers.map((one) => one.body["order_id"])).size).toBe(1);
  expect(await ordersOf(client.accountId)).toBe(1);
  expect(await fixture.orders.balance(client.accountId)).toBeCloseTo(10_000 - Number(bill.amount), 4);
});

test("a hundred identical direct payments make one order and one debit", async () => {
  const client = await fixture.newClient(10_000);
  expect(tally(await times(100, () => payDirect(client, "hundred")))).toEqual({ "200 SUCCESS": 100 });
  expect(await ordersOf(client.accountId)).toBe(1);
  expect(await fixture.orders.balance(client.accountId)).toBe(9_900);
});

test("of forty payments of one fetch under different references exactly one is made", async () => {
  const client = await fixture.newClient(100_000);
  const bill = await fetched(client, "scarce");
  const answers = await times(40, (place) => pay(client, `scarce-${place}`, { fetch_ref: bill.fetchRef, amount: bill.amount }));
  expect(tally(answers)).toEqual({ "200 SUCCESS": 1, "409 fetch_already_paid": 39 });
  expect(await ordersOf(client.accountId)).toBe(1);
  expect(await fixture.orders.balance(client.accountId)).toBeCloseTo(100_000 - Number(bill.amount), 4);
});

test("a reference that raced for two fetches has one of them, and the other stays payable", async () => {
  const client = await fixture.newClient(100_000);
  const bills = [await fetched(client, "first"), await fetched(client, "second")];
  const answers = await Promise.all(bills.map((bill) => pay(client, "both", { fetch_ref: bill.fetchRef, amount: bill.amount })));
  expect(tally(answers)).toEqual({ "200 SUCCESS": 1, "409 duplicate_reference": 1 });
  const left = bills[answers.findIndex((one) => one.status === 409)];
  expect((await pay(client, "left", { fetch_ref: left?.fetchRef, amount: left?.amount })).body).toMatchObject({ status: "SUCCESS" });
});

test("payments that race for the last money make as many orders as it covers, and nothing of the others is kept", async () => {
  const client = await fixture.newClient(250);
  const answers = await times(10, (place) => payDirect(client, `short-${place}`));
  expect(tally(answers)).toEqual({ "200 SUCCESS": 2, "402 insufficient_balance": 8 });
  expect(await fixture.orders.balance(client.accountId)).toBe(50);
  const [rows] = await fixture.orders.owner`select count(*)::integer as count from bill_payments where account_id = ${client.accountId}`;
  expect(rows).toEqual({ count: 2 });
});
