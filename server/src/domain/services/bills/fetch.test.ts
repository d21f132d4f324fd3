import { afterAll, beforeAll, expect, test } from "vitest";
import { providersNamed } from "../signed/provider-services.ts";
import { type Client, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import type { BillsContext } from "./context.ts";
import { refreshFetch } from "./fetches/refresh-fetch.ts";
import { type BillFetch, findFetch } from "./fetches/store.ts";
import { simulatedBills } from "./simulator/simulated-bills.ts";
import {
  DIRECT,
  EXACT,
  EXACT_UP,
  fetchBill,
  INACTIVE,
  INACTIVE_DIRECT,
  MOBILE,
  paramsOf,
  pay,
  RANGE_OF_BILL,
  refusal,
  VALIDATE,
} from "./testing/payer.ts";

const MINUTE = 60_000;

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture({ delayMilliseconds: 10 * MINUTE });
  client = await fixture.newClient(10_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const look = (query: Record<string, string>, who = client) => who.signed.get("/bills/fetch", query);
const INDIA_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

test("a fetch answers the bill with its terms, valid for 30 minutes, and charges nothing", async () => {
  const now = Math.floor(fixture.orders.clock.now() / 1000);
  const { status, body } = await fetchBill(client, "whole", EXACT_UP, { channel: "INT" });
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    status: "SUCCESS",
    code: 0,
    error: "",
    message: "The fetch succeeded.",
    request_id: "whole",
    urid: "whole",
    service: "bills",
    fetch_ref: expect.stringMatching(/^[A-Z0-9]{18}$/),
    state: "SUCCESS",
    biller_id: EXACT_UP,
    flow: "fetch",
    valid_until: expect.any(Number),
    bills: [
      {
        bill_number: expect.stringMatching(/^B[0-9]{8}$/),
        amount: expect.stringMatching(/^[0-9]+\.[0-9]{2}00$/),
        customer_name: expect.stringMatching(/^[A-Z]/),
        bill_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    ],
    exactness: "exact_up",
    min_amount: "1.0000",
    max_amount: "200000.0000",
    fee: "2.5000",
    total: expect.any(String),
    created_at: expect.stringMatching(INDIA_TIME),
    updated_at: expect.stringMatching(INDIA_TIME),
  });
  const [bill] = body["bills"] as [{ amount: string; bill_date: string; due_date: string }];
  expect(Number(body["total"])).toBeCloseTo(Number(bill.amount) + 2.5, 4);
  expect(bill.bill_date < bill.due_date).toBe(true);
  const validFor = Number(body["valid_until"]) - now;
  expect(validFor).toBeGreaterThanOrEqual(1800);
  expect(validFor).toBeLessThanOrEqual(1803);
  expect(await fixture.orders.balance(client.accountId)).toBe(10_000);
});

test("the same customer has the same bill again", async () => {
  const [first, second] = [await fetchBill(client, "again-1"), await fetchBill(client, "again-2")];
  expect(second.body["bills"]).toEqual(first.body["bills"]);
  expect(second.body["fetch_ref"]).not.toBe(first.body["fetch_ref"]);
});

test("where only the customer is checked there are no bills, and fee and total are not known", async () => {
  expect((await fetchBill(client, "checked", VALIDATE)).body).toMatchObject({
    status: "SUCCESS",
    flow: "validate",
    bills: [],
    fee: "0.0000",
    total: "0.0000",
    min_amount: "100.0000",
    max_amount: "100000.0000",
  });
});

test("a bill with a range of its own answers that range", async () => {
  const { body } = await fetchBill(client, "ranged", RANGE_OF_BILL);
  const [bill] = body["bills"] as [{ amount: string }];
  expect(body["max_amount"]).toBe(bill.amount);
  expect(Number(body["min_amount"])).toBeLessThan(Number(bill.amount));
});

test("a fetch is found by fetch_ref and by request_id, by its own account only", async () => {
  const { body } = await fetchBill(client, "found");
  expect(await look({ fetch_ref: String(body["fetch_ref"]) })).toEqual({ status: 200, body });
  expect(await look({ request_id: "found" })).toEqual({ status: 200, body });
  const other = await fixture.newClient();
  const missing = (requestId: string | null) => refusal(404, "fetch_not_found", 4105, requestId);
  expect(await look({ fetch_ref: String(body["fetch_ref"]) }, other)).toMatchObject(missing(null));
  expect(await look({ request_id: "found" }, other)).toMatchObject(missing("found"));
  expect(await look({ request_id: "never" })).toMatchObject(missing("never"));
});

test("a repeat answers the record as it stands, and with other details a duplicate", async () => {
  const { body } = await fetchBill(client, "repeat");
  expect((await fetchBill(client, "repeat")).body).toEqual(body);
  await pay(client, "repeat-pay", { fetch_ref: body["fetch_ref"], amount: (body["bills"] as [{ amount: string }])[0].amount });
  expect((await fetchBill(client, "repeat")).body).toEqual({ ...body, state: "paid" });
  const others = [
    { biller_id: EXACT_UP, params: paramsOf(EXACT_UP) },
    { customer_mobile: "9876543211" },
    { params: paramsOf(EXACT, "999") },
  ];
  expect((await fetchBill(client, "repeat", EXACT, { channel: "INT" })).body).toEqual({ ...body, state: "paid" });
  for (const more of others)
    expect(await fetchBill(client, "repeat", EXACT, more)).toMatchObject(refusal(409, "duplicate_reference", 124, "repeat"));
  // Another call and another account have references of their own.
  expect((await fetchBill(await fixture.newClient(), "repeat", EXACT_UP)).status).toBe(200);
});

test("parameters compare as objects, whatever their order", async () => {
  const billerId = "LIC000000NAT01";
  const params = paramsOf(billerId);
  const { body } = await fetchBill(client, "order", billerId, { params });
  const turned = Object.fromEntries(Object.entries(params).reverse());
  expect((await fetchBill(client, "order", billerId, { params: turned })).body["fetch_ref"]).toBe(body["fetch_ref"]);
});

test("a hundred identical fetches make one record", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetchBill(client, "hundred")));
  expect(new Set(answers.map((one) => `${one.status} ${String(one.body["fetch_ref"])}`)).size).toBe(1);
  const rows = await fixture.orders.owner`select 1 from bill_fetches where account_id = ${client.accountId} and request_id = 'hundred'`;
  expect(rows).toHaveLength(1);
});

test.each([
  ["40200", "SUCCESS"],
  ["40202", "FAILED"],
] as const)("a customer that ends in %s is pending until the biller answers, and then %s", async (ending, last) => {
  const requestId = `late-${ending}`;
  const first = await fetchBill(client, requestId, EXACT, { params: paramsOf(EXACT, ending) });
  expect(first.body).toMatchObject({ status: "pending", code: 2, state: "pending", bills: [], fee: "0.0000", total: "0.0000" });
  const again = { params: paramsOf(EXACT, ending) };
  expect((await fetchBill(client, requestId, EXACT, again)).body).toEqual(first.body);
  const payment = { fetch_ref: first.body["fetch_ref"], amount: "500" };
  expect(await pay(client, `${requestId}-early`, payment)).toMatchObject(refusal(422, "no_bill_due", 4104, `${requestId}-early`));
  fixture.orders.clock.advance(10 * MINUTE);
  const looked = await Promise.all([look({ request_id: requestId }), look({ request_id: requestId }), look({ request_id: requestId })]);
  for (const { body } of looked) {
    expect(body).toMatchObject({ status: last, state: last, fetch_ref: first.body["fetch_ref"], valid_until: first.body["valid_until"] });
    expect(body["bills"]).toHaveLength(last === "SUCCESS" ? 1 : 0);
  }
  expect(looked[1]?.body).toEqual(looked[0]?.body);
  expect((await fetchBill(client, requestId, EXACT, again)).body).toEqual(looked[0]?.body);
});

test("a pending fetch can be paid as soon as its bill is there, without looking it up first", async () => {
  const late = { params: paramsOf(EXACT, "40200") };
  const [seen, unseen] = [await fetchBill(client, "seen", EXACT, late), await fetchBill(client, "unseen", EXACT, late)];
  fixture.orders.clock.advance(10 * MINUTE);
  const { body } = await look({ fetch_ref: String(seen.body["fetch_ref"]) });
  const [bill] = body["bills"] as [{ amount: string }];
  const paid = await pay(client, "unseen-pay", { fetch_ref: unseen.body["fetch_ref"], amount: bill.amount });
  expect(paid).toMatchObject({ status: 200, body: { ok: true, status: "pending", code: 2, account: "60012040200" } });
});

test("a customer that ends in 40102 fails at once, and there is nothing to pay", async () => {
  const { body } = await fetchBill(client, "failed", EXACT, { params: paramsOf(EXACT, "40102") });
  expect(body).toMatchObject({
    ok: true,
    status: "FAILED",
    code: 1,
    state: "FAILED",
    bills: [],
    message: "The operator has given no bill for these details.",
  });
  expect(await pay(client, "failed-pay", { fetch_ref: body["fetch_ref"], amount: "500" })).toMatchObject(
    refusal(422, "no_bill_due", 4104, "failed-pay"),
  );
});

test("a customer with nothing due gets no record, and the reference stays free", async () => {
  const nothing = { params: paramsOf(EXACT, "40404") };
  for (let time = 0; time < 2; time++)
    expect(await fetchBill(client, "nothing", EXACT, nothing)).toMatchObject(refusal(422, "no_bill_due", 4104, "nothing"));
  expect((await look({ request_id: "nothing" })).status).toBe(404);
  expect((await fetchBill(client, "nothing")).status).toBe(200);
});

test("an unpaid fetch expires after 30 minutes; a paid one stays paid", async () => {
  const [unpaid, paid] = [await fetchBill(client, "old"), await fetchBill(client, "old-paid")];
  const { amount } = (paid.body["bills"] as [{ amount: string }])[0];
  await pay(client, "old-pay", { fetch_ref: paid.body["fetch_ref"], amount });
  fixture.orders.clock.advance(30 * MINUTE - 5_000);
  expect((await look({ request_id: "old" })).body).toMatchObject({ status: "SUCCESS", state: "SUCCESS" });
  fixture.orders.clock.advance(7_000);
  expect((await look({ request_id: "old" })).body).toMatchObject({ status: "SUCCESS", state: "expired" });
  expect((await look({ request_id: "old-paid" })).body).toMatchObject({ status: "SUCCESS", state: "paid" });
  expect(await pay(client, "too-late", { fetch_ref: unpaid.body["fetch_ref"], amount })).toMatchObject(
    refusal(410, "fetch_expired", 4106, "too-late"),
  );
  expect(await pay(client, "too-late-2", { fetch_ref: paid.body["fetch_ref"], amount })).toMatchObject(
    refusal(409, "fetch_already_paid", 4107, "too-late-2"),
  );
});

type Case = readonly [what: string, billerId: string, params: Record<string, string>, fields: readonly string[]];
const LIC = "LIC000000NAT01";
const WRONG: readonly Case[] = [
  ["no parameter at all", EXACT, {}, ["params.ca_number"]],
  ["one of two parameters", LIC, { policy_number: "810012345" }, ["params.date_of_birth"]],
  ["a wrong pattern", EXACT, { ca_number: "6001201234" }, ["params.ca_number"]],
  ["an empty value", EXACT, { ca_number: "" }, ["params.ca_number"]],
  ["a newline at the end", EXACT, { ca_number: "60012012345\n" }, ["params.ca_number"]],
  ["a very long value", EXACT, { ca_number: "6".repeat(10_000) }, ["params.ca_number"]],
  ["a parameter that the biller has not", EXACT, { ca_number: "60012012345", colour: "red" }, ["params.colour"]],
  ["a name that every object has", EXACT, { ca_number: "60012012345", constructor: "x" }, ["params.constructor"]],
  ["a wrong optional one", "BSNLLL000NAT01", { number_with_std: "8022012345", account_number: "x" }, ["params.account_number"]],
  ["everything wrong", LIC, { policy_number: "x", born: "y" }, ["params.policy_number", "params.date_of_birth", "params.born"]],
];

test.each(WRONG)("parameters with %s are refused, each by name", async (what, billerId, params, fields) => {
  const requestId = `wrong-${what.replaceAll(" ", "-")}`;
  const answer = await fetchBill(client, requestId, billerId, { params });
  expect(answer).toMatchObject(refusal(422, "invalid_customer_params", 4103, requestId));
  expect(Object.keys(answer.body["fields"] as object).toSorted()).toEqual([...fields].toSorted());
});

test("an unknown, an inactive and a direct biller are refused, in this order", async () => {
  expect(await fetchBill(client, "who", EXACT, { biller_id: "NOBODY" })).toMatchObject(refusal(404, "biller_not_found", 4101, "who"));
  for (const billerId of [INACTIVE, INACTIVE_DIRECT])
    expect(await fetchBill(client, "who", billerId, { params: {} })).toMatchObject(refusal(422, "biller_inactive", 4102, "who"));
  expect(await fetchBill(client, "who", DIRECT, { params: {} })).toMatchObject(
    refusal(400, "invalid_request", 120, "who", { fields: { biller_id: expect.stringContaining("directly") } }),
  );
  expect((await look({ request_id: "who" })).status).toBe(404);
});

test("a pending fetch survives a restart: a new process finds what the old one would have found", async () => {
  const { body } = await fetchBill(client, "restart", EXACT, { params: paramsOf(EXACT, "40200") });
  fixture.orders.clock.advance(10 * MINUTE);
  const providerServices: BillsContext["providerServices"] = {
    bills: providersNamed({ simulator: simulatedBills({ clock: fixture.orders.clock, simulatorDelayMilliseconds: 10 * MINUTE }) }),
  };
  const restarted = { ...fixture.ctx, providerServices } as BillsContext;
  const kept = (await findFetch(restarted.sql, client.accountId, String(body["fetch_ref"]))) as BillFetch;
  expect(kept).toMatchObject({ state: "pending", provider: "simulator", target: "60012040200", customerMobile: MOBILE });
  expect(await refreshFetch(restarted, kept)).toMatchObject({ state: "SUCCESS", bills: [{ billNumber: expect.any(String) }] });
  expect((await look({ request_id: "restart" })).body).toMatchObject({ status: "SUCCESS" });
});
