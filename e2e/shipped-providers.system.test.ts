import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonRecord } from "./harness/operator.ts";
import { calledBack, expectBalancedBooks, newReference, orderIdOf, QUICK } from "./harness/providers/described-services.ts";
import { type Shipped, startShipped } from "./harness/providers/shipped-services.ts";

// Orders through the descriptions that come with Corprail, against twins of their providers.

const JSON_KEYS = { userid: "user-48151623", token: "token-42108151" };
const route = (operator: string, priority: number) => ({ service: "recharge", operator, priority });

let shipped: Shipped;
beforeAll(async () => {
  shipped = await startShipped({
    // As it comes: polled after five minutes, so that only a callback can settle an order of these tests.
    json: { file: "plain-json", secrets: JSON_KEYS, twin: { delayMilliseconds: 1500 }, routes: [route("AT", 1), route("JO", 2)] },
    polled: {
      file: "plain-json",
      secrets: JSON_KEYS,
      more: { polling: { first_after_seconds: 1, every_seconds: 1 } },
      routes: [route("VI", 1)],
    },
    penniless: {
      file: "plain-xml",
      secrets: { api_token: "token-f6cdec2deec0" },
      more: { codes: { operators: { values: { JO: "5" } } } },
      twin: { fault: "out-of-money" },
      routes: [route("JO", 1)],
    },
    seatseller: {
      file: "seatseller",
      secrets: { consumer_key: "consumer-key-4815", consumer_secret: "consumer-secret-1623" },
      routes: [{ service: "bus", operator: "*", priority: 1 }],
    },
  });
});
afterAll(() => shipped?.close());

const input = (operator: string, account = "9876543000") => ({ account, operator, amount: "10.00", urid: newReference("shipped") });
const sendsAt = (name: string) =>
  shipped
    .twin(name)
    .orders()
    .map(({ sends }) => sends);
const attemptsOf = async (outcome: object) => (await shipped.detail(orderIdOf(outcome)))["attempts"] as readonly JsonRecord[];

test("a recharge succeeds with the operator's reference, is charged once, and shows staff no secret", async () => {
  const before = await shipped.balance();
  const outcome = await shipped.api.recharge.create(input("AT"));
  const order = shipped.twin("json").orders().at(-1);
  expect(outcome).toMatchObject({ outcome: "succeeded", operatorRef: order?.operatorRef });
  expect([order?.sends, order?.found.get("code.operators")]).toEqual([1, "10"]);
  expect(await shipped.balance()).toBe(before - 10);
  const detail = JSON.stringify(await shipped.detail(orderIdOf(outcome)));
  expect(detail).toContain("/API.asmx/Transaction");
  for (const key of Object.values(JSON_KEYS)) expect(detail).not.toContain(key);
});

test("a provider that is out of money is passed over, and the next one is charged once", async () => {
  const before = await shipped.balance();
  const outcome = await shipped.api.recharge.create(input("JO"));
  expect(outcome).toMatchObject({ outcome: "succeeded" });
  expect(await attemptsOf(outcome)).toMatchObject([
    { provider: "penniless", outcome: "declined" },
    { provider: "json", outcome: "succeeded" },
  ]);
  expect(sendsAt("penniless")).toEqual([1]);
  expect(await shipped.balance()).toBe(before - 10);
});

test("a recharge whose answer was cut off is found by polling, sent once and charged once", async () => {
  const before = await shipped.balance();
  const asked = input("VI", "9876543160");
  expect(await shipped.api.recharge.create(asked)).toMatchObject({ outcome: "pending" });
  expect(await shipped.api.recharge.waitForFinal({ urid: asked.urid }, QUICK)).toMatchObject({ outcome: "succeeded" });
  expect(sendsAt("polled")).toEqual([1]);
  expect(await shipped.balance()).toBe(before - 10);
  await calledBack(shipped, asked.urid, "SUCCESS");
});

test("a pending recharge is settled by the provider's late callback, which only makes us ask", async () => {
  const before = await shipped.balance();
  const asked = input("AT", "9876543163");
  expect(await shipped.api.recharge.create(asked)).toMatchObject({ outcome: "pending" });
  await calledBack(shipped, asked.urid, "SUCCESS");
  expect(await shipped.balance()).toBe(before - 10);
  expect(sendsAt("json").every((sends) => sends === 1)).toBe(true);
});

test("a forged callback about a pending recharge changes nothing", async () => {
  const asked = input("AT", "9876543110");
  const pending = await shipped.api.recharge.create(asked);
  expect(pending).toMatchObject({ outcome: "pending" });
  const forged = new URLSearchParams({ status: "SUCCESS", yourtransid: shipped.twin("json").orders().at(-1)?.reference ?? "", opid: "X" });
  expect((await fetch(`${shipped.service.url}/upstream/json/callback?${forged}`)).status).toBe(200);
  const polls = async () => JSON.stringify(await shipped.detail(orderIdOf(pending)));
  await expect.poll(polls).toContain("TransactionStatus");
  expect(await shipped.api.recharge.get({ urid: asked.urid })).toMatchObject({ outcome: "pending" });
});

const DAY_MILLISECONDS = 86_400_000;
const date = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(Date.now() + 3 * DAY_MILLISECONDS);

test("a bus ticket is found, blocked, booked, and cancelled for the provider's own charges", async () => {
  const { bus } = shipped.api;
  const before = await shipped.balance();
  const [from, to] = await bus.cities().toArray();
  expect([from?.name, to?.name]).toEqual(["Bangalore", "Hyderabad"]);
  const [trip] = await bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray();
  expect(trip).toMatchObject({ operatorName: "Poppin Travels", boarding: [{ name: "Old Airport Road" }] });
  const tripId = trip?.tripId ?? "";
  expect(await bus.seats({ tripId })).toMatchObject([{ seat: "UF3", available: true, fare: { total: "262.5000" } }, {}, {}, {}]);
  const passengers = [{ seat: "UF3", title: "Ms", name: "Asha Rao", age: 30, gender: "F" as const }];
  const contact = { mobile: "9876543210", email: "asha@example.in" };
  const boardingId = trip?.boarding[0]?.id ?? "";
  const block = await bus.block({ requestId: newReference("block"), tripId, boardingId, passengers, contact });
  const requestId = newReference("book");
  const booked = await bus.book({ requestId, blockRef: block.blockRef, amount: block.total });
  const order = shipped.twin("seatseller").orders().at(-1);
  expect(booked).toMatchObject({ outcome: "succeeded", ticket: { seats: ["UF3"], pnr: order?.operatorRef } });
  const { ticketNo } = booked.outcome === "succeeded" ? booked.ticket : expect.fail("The ticket is not booked.");
  const quote = await bus.quoteCancel({ ticketNo, seats: ["UF3"] });
  expect(quote).toMatchObject({ refundAmount: "237.5000", charges: "25.0000" });
  const cancelled = await bus.cancel({ requestId: newReference("cancel"), ticketNo, seats: ["UF3"], quoteRef: quote.quoteRef });
  expect(cancelled).toMatchObject({ refundAmount: "237.5000", cancelledSeats: ["UF3"] });
  expect(sendsAt("seatseller")).toEqual([1]);
  await calledBack(shipped, requestId, "FAILED");
  expect(before - (await shipped.balance())).toBeCloseTo(25, 4);
});

test("the books are balanced", async () => {
  await expectBalancedBooks(shipped);
});
