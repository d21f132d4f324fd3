import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMoney, moneyOf, parseMoney, requireMoney } from "../../../platform/core/money.ts";
import { type Client, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import {
  ANY_AMOUNT,
  DIRECT,
  DIRECT_WITH_FEE,
  EXACT,
  EXACT_DOWN,
  EXACT_UP,
  fetchBill,
  fetched,
  INACTIVE_DIRECT,
  MOBILE,
  paramsOf,
  pay,
  payDirect,
  RANGE,
  RANGE_OF_BILL,
  refusal,
  VALIDATE,
} from "./testing/payer.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await fixture.newClient(1_000_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const balance = () => fixture.orders.balance(client.accountId);
const INDIA_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** An amount, some ten-thousandths away. */
const off = (amount: string, units: bigint) => formatMoney((parseMoney(amount) ?? 0n) + units);

test("a fetched bill is paid: the reply has every field, and the wallet pays amount and fee", async () => {
  const own = await fixture.newClient(10_000);
  const { body: fetch } = await fetchBill(own, "whole", EXACT_UP);
  const [bill] = fetch["bills"] as [Record<string, string>];
  const answer = await pay(own, "whole", { fetch_ref: fetch["fetch_ref"], amount: bill["amount"] });
  const left = formatMoney(100_000_000n - (parseMoney(String(fetch["total"])) ?? 0n));
  expect(answer).toEqual({
    status: 200,
    body: {
      ok: true,
      status: "SUCCESS",
      code: 0,
      order_id: expect.stringMatching(/^[A-Z0-9]{12,32}$/),
      urid: "whole",
      request_id: "whole",
      operator_ref: expect.stringMatching(/^BB[0-9]{14}$/),
      amount: bill["amount"],
      account: "5012312345",
      balance: left,
      message: "The bill payment succeeded.",
      error: "",
      service: "bills",
      fee: "2.5000",
      created_at: expect.stringMatching(INDIA_TIME),
      updated_at: expect.stringMatching(INDIA_TIME),
      bill: {
        biller_id: EXACT_UP,
        biller_name: "BESCOM Bengaluru",
        category: "electricity",
        bill_number: bill["bill_number"],
        bbps_ref: answer.body["operator_ref"],
        customer_name: bill["customer_name"],
        due_date: bill["due_date"],
        payment_mode: "UPI",
      },
    },
  });
  for (const query of [{ request_id: "whole" }, { fetch_ref: String(fetch["fetch_ref"]) }, { order_id: String(answer.body["order_id"]) }])
    expect(await own.signed.get("/bills/pay", query as Record<string, string>)).toEqual(answer);
  expect((await own.signed.get("/bills/fetch", { request_id: "whole" })).body).toMatchObject({ status: "SUCCESS", state: "paid" });
});

test("a direct biller is paid without a fetch, and there is nothing to tell of a bill", async () => {
  const { body } = await payDirect(client, "direct", { amount: "250.5" });
  expect(body).toMatchObject({
    status: "SUCCESS",
    amount: "250.5",
    account: "1234512345",
    fee: "0.0000",
    bill: { biller_id: DIRECT, bill_number: "", customer_name: "", due_date: "", bbps_ref: body["operator_ref"], payment_mode: "UPI" },
  });
});

test("the target is the first required parameter, not an optional one before it", async () => {
  const params = { wallet_id: "10012345", vehicle_number: "MH12CD2345" };
  const { body } = await payDirect(client, "optional", { biller_id: "ICICIFASTNAT01", params, amount: "333.33" });
  // One percent is 3.3333, rounded to a paisa.
  expect(body).toMatchObject({ status: "SUCCESS", account: "MH12CD2345", fee: "3.3300" });
});

test("a customer who was checked pays any amount that the biller takes", async () => {
  const { body: fetch } = await fetchBill(client, "checked", VALIDATE);
  const answer = await pay(client, "checked", { fetch_ref: fetch["fetch_ref"], amount: "512.25" });
  expect(answer.body).toMatchObject({ status: "SUCCESS", account: "9012345", fee: "3.0000", bill: { bill_number: "", due_date: "" } });
});

type Off = readonly [exactness: string, billerId: string, units: bigint, error: string | null];
const RUPEE = 10_000n;
const AMOUNTS: readonly Off[] = [
  ["exact", EXACT, 0n, null],
  ["exact", EXACT, 1n, "amount_mismatch"],
  ["exact", EXACT, -1n, "amount_mismatch"],
  ["exact_up", EXACT_UP, 0n, null],
  ["exact_up", EXACT_UP, RUPEE, null],
  ["exact_up", EXACT_UP, -1n, "amount_mismatch"],
  ["exact_up", EXACT_UP, 200_000n * RUPEE, "amount_out_of_range"],
  ["exact_down", EXACT_DOWN, 0n, null],
  ["exact_down", EXACT_DOWN, -RUPEE, null],
  ["exact_down", EXACT_DOWN, 1n, "amount_mismatch"],
  ["range", RANGE, -100n * RUPEE, null],
  ["range", RANGE, 1_000n * RUPEE, null],
  ["range", RANGE, 50_000n * RUPEE, "amount_out_of_range"],
  ["range", RANGE_OF_BILL, 0n, null],
  ["range", RANGE_OF_BILL, 1n, "amount_mismatch"],
  ["any", ANY_AMOUNT, -100n * RUPEE, null],
  ["any", ANY_AMOUNT, 1_000n * RUPEE, null],
  ["any", ANY_AMOUNT, 200_000n * RUPEE, "amount_out_of_range"],
];

test.each(AMOUNTS)("%s (%s): %d ten-thousandths off what is due gives %s", async (_exactness, billerId, units, error) => {
  const requestId = `amount-${billerId}-${units}`;
  const bill = await fetched(client, requestId, billerId);
  const before = await balance();
  const answer = await pay(client, requestId, { fetch_ref: bill.fetchRef, amount: off(bill.amount, units), payer_pan: "ABCPE1234F" });
  if (error === null) return expect(answer.body).toMatchObject({ status: "SUCCESS" });
  expect(answer).toMatchObject(refusal(422, error, error === "amount_mismatch" ? 4108 : 127, requestId));
  expect(await balance()).toBe(before);
  // The fetch and the reference are as good as before.
  const fitting = await pay(client, requestId, { fetch_ref: bill.fetchRef, amount: bill.amount });
  expect(fitting.body).toMatchObject({ status: "SUCCESS" });
});

test("an amount beyond a biller's bounds is out of range, directly and after a check", async () => {
  for (const amount of ["49.9999", "10000.0001"])
    expect(await payDirect(client, "bounds", { amount })).toMatchObject(refusal(422, "amount_out_of_range", 127, "bounds"));
  const { fetchRef } = await fetched(client, "bounds", VALIDATE);
  for (const amount of ["99.9999", "100000.0001"]) {
    const answer = await pay(client, "bounds", { fetch_ref: fetchRef, amount, payer_pan: "ABCPE1234F" });
    expect(answer).toMatchObject(refusal(422, "amount_out_of_range", 127, "bounds"));
  }
});

test("a payment mode that the biller does not take is refused", async () => {
  const bill = await fetched(client, "mode", RANGE_OF_BILL);
  for (const mode of ["CASH", "upi", "SEASHELLS"]) {
    const answer = await pay(client, "mode", { fetch_ref: bill.fetchRef, amount: bill.amount, payment_mode: mode });
    expect(answer).toMatchObject(refusal(422, "payment_mode_not_allowed", 4109, "mode"));
  }
});

test("from 50000.00 on a PAN is required, and not below", async () => {
  const params = paramsOf(DIRECT_WITH_FEE);
  const direct = { biller_id: DIRECT_WITH_FEE, params };
  expect((await payDirect(client, "pan-below", { ...direct, amount: "49999.9999" })).body).toMatchObject({ status: "SUCCESS" });
  for (const amount of ["50000", "50000.00", "60000"])
    expect(await payDirect(client, "pan", { ...direct, amount })).toMatchObject(refusal(422, "pan_required", 4110, "pan"));
  const paid = await payDirect(client, "pan", { ...direct, amount: "50000.00", payer_pan: "ABCPE1234F" });
  expect(paid.body).toMatchObject({ status: "SUCCESS", fee: "200.0000", amount: "50000.00" });
});

test("the payer's PAN and name are nowhere in the database", async () => {
  const params = paramsOf(DIRECT_WITH_FEE);
  await payDirect(client, "private", {
    biller_id: DIRECT_WITH_FEE,
    params,
    amount: "50000",
    payer_pan: "ZZZPZ9876Z",
    payer_name: "Zubin Zaveri",
  });
  for (const table of ["bill_payments", "bill_fetches", "orders", "order_results", "audit_log", "idempotent_requests"]) {
    const rows = await fixture.orders.owner`select 1 from ${fixture.orders.owner(table)} t where t::text ~ 'ZZZPZ9876Z|Zubin'`;
    expect(rows, table).toHaveLength(0);
  }
});

test("an unknown fetch, another account's and a paid one are refused", async () => {
  const bill = await fetched(client, "mine");
  const other = await fixture.newClient(10_000);
  const payment = { fetch_ref: bill.fetchRef, amount: bill.amount };
  expect(await pay(other, "theirs", payment)).toMatchObject(refusal(404, "fetch_not_found", 4105, "theirs"));
  expect(await pay(client, "none", { ...payment, fetch_ref: "NEVER" })).toMatchObject(refusal(404, "fetch_not_found", 4105, "none"));
  expect((await pay(client, "mine", payment)).body).toMatchObject({ status: "SUCCESS" });
  const before = await balance();
  expect(await pay(client, "mine-2", payment)).toMatchObject(refusal(409, "fetch_already_paid", 4107, "mine-2"));
  expect(await balance()).toBe(before);
});

test("a fetch whose payment failed stays used: a new fetch is needed", async () => {
  const bill = await fetched(client, "used", EXACT, { params: paramsOf(EXACT, "140") });
  const payment = { fetch_ref: bill.fetchRef, amount: bill.amount };
  expect((await pay(client, "used", payment)).body).toMatchObject({ ok: true, status: "FAILED", code: 1, bill: { bbps_ref: "" } });
  expect(await pay(client, "used-2", payment)).toMatchObject(refusal(409, "fetch_already_paid", 4107, "used-2"));
});

test("an unknown, an inactive and a fetched biller cannot be paid directly", async () => {
  const unknown = await payDirect(client, "who", { biller_id: "NOBODY", params: {} });
  expect(unknown).toMatchObject(refusal(404, "biller_not_found", 4101, "who"));
  const inactive = await payDirect(client, "who", { biller_id: INACTIVE_DIRECT, params: paramsOf(INACTIVE_DIRECT) });
  expect(inactive).toMatchObject(refusal(422, "biller_inactive", 4102, "who"));
  for (const billerId of [EXACT, VALIDATE])
    expect(await payDirect(client, "who", { biller_id: billerId, params: paramsOf(billerId) })).toMatchObject(
      refusal(400, "invalid_request", 120, "who", { fields: { fetch_ref: expect.stringContaining("/bills/fetch") } }),
    );
  const params = await payDirect(client, "who", { params: { subscriber_id: "12", more: "x" } });
  expect(params).toMatchObject(
    refusal(422, "invalid_customer_params", 4103, "who", {
      fields: { "params.subscriber_id": expect.any(String), "params.more": expect.any(String) },
    }),
  );
});

test("too little money makes no order, and the fetch and the reference stay free", async () => {
  const poor = await fixture.newClient(0);
  const bill = await fetched(poor, "poor", EXACT_UP);
  const payment = { fetch_ref: bill.fetchRef, amount: bill.amount };
  for (const requestId of ["poor", "poor-2"])
    expect(await pay(poor, requestId, payment)).toMatchObject(refusal(402, "insufficient_balance", 126, requestId));
  expect((await poor.signed.get("/bills/fetch", { fetch_ref: bill.fetchRef })).body).toMatchObject({ state: "SUCCESS" });
  expect(await poor.signed.get("/bills/pay", { fetch_ref: bill.fetchRef })).toMatchObject(refusal(404, "not_found", 125, null));
  // The fee counts: the amount alone is not enough.
  const { writer } = fixture.ctx;
  const amount = requireMoney(bill.amount);
  await writer.write({ kind: "topup", accountId: poor.accountId, amount, reference: "amount", note: "" });
  expect((await pay(poor, "poor", payment)).status).toBe(402);
  await writer.write({ kind: "topup", accountId: poor.accountId, amount: moneyOf(25_000n), reference: "fee", note: "" });
  expect((await pay(poor, "poor", payment)).body).toMatchObject({ status: "SUCCESS", balance: "0.0000" });
});

test("a payment is looked up by exactly one reference, by its own account only", async () => {
  const { body } = await payDirect(client, "lookup");
  const other = await fixture.newClient();
  const orderId = String(body["order_id"]);
  for (const query of [{ request_id: "lookup" }, { order_id: orderId }])
    expect((await other.signed.get("/bills/pay", query as Record<string, string>)).body).toMatchObject({ error: "not_found", code: 125 });
  const bill = await fetched(client, "lookup-fetch");
  expect(await other.signed.get("/bills/pay", { fetch_ref: bill.fetchRef })).toMatchObject(refusal(404, "fetch_not_found", 4105, null));
  // Not paid yet.
  expect(await client.signed.get("/bills/pay", { fetch_ref: bill.fetchRef })).toMatchObject(refusal(404, "not_found", 125, null));
  await client.recharge("lookup-recharge");
  const recharge = String((await client.get("/recharge", { urid: "lookup-recharge" })).body["order_id"]);
  expect((await client.signed.get("/bills/pay", { order_id: recharge })).status).toBe(404);
});

test("a retry with the same details gets the first one's result; any other detail is a duplicate that names the first order", async () => {
  const bill = await fetched(client, "retry");
  const first = { fetch_ref: bill.fetchRef, amount: bill.amount, payer_pan: "ABCPE1234F" };
  const { body } = await pay(client, "retry", first);
  const before = await balance();
  const shorter = bill.amount.slice(0, -2);
  expect((await pay(client, "retry", { ...first, amount: shorter })).body).toMatchObject({
    order_id: body["order_id"],
    amount: bill.amount,
  });
  const another = await fetched(client, "retry-other");
  const others = [
    { ...first, amount: off(bill.amount, 1n) },
    { ...first, fetch_ref: another.fetchRef },
    { ...first, payment_mode: "WALLET" },
    { ...first, payer_name: "Ravi Kumar" },
    { ...first, payer_pan: "ABCPE1234G" },
    { fetch_ref: bill.fetchRef, amount: bill.amount },
    { biller_id: DIRECT, params: paramsOf(DIRECT), customer_mobile: MOBILE, amount: bill.amount },
  ];
  for (const other of others)
    expect(await pay(client, "retry", other)).toMatchObject(
      refusal(409, "duplicate_reference", 124, "retry", { order_id: body["order_id"] }),
    );
  expect(await balance()).toBe(before);
});

test("a direct payment's parameters and mobile count as details", async () => {
  const { body } = await payDirect(client, "retry-direct");
  expect((await payDirect(client, "retry-direct", { amount: "100.00" })).body["order_id"]).toBe(body["order_id"]);
  for (const more of [{ customer_mobile: "9876543211" }, { params: paramsOf(DIRECT, "999") }])
    expect((await payDirect(client, "retry-direct", more)).body).toMatchObject({
      error: "duplicate_reference",
      order_id: body["order_id"],
    });
});
