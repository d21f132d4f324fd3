import { afterAll, beforeAll, expect, test } from "vitest";
import { switchService } from "../../catalog/switch-service.ts";
import { type Answer, type Client, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import { EXACT, fetchBill, fetched, MOBILE, paramsOf, pay, payDirect } from "./testing/payer.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** A client with a paid and an unpaid fetch. */
async function withHistory(): Promise<{
  readonly unpaid: string;
  readonly paid: string;
  readonly amount: string;
  readonly orderId: string;
}> {
  client = await fixture.newClient(10_000);
  const [unpaid, paid] = [await fetched(client, "unpaid"), await fetched(client, "paid")];
  const { body } = await pay(client, "paid", { fetch_ref: paid.fetchRef, amount: paid.amount });
  return { unpaid: unpaid.fetchRef, paid: paid.fetchRef, amount: paid.amount, orderId: String(body["order_id"]) };
}

const rejected = (error: string): Answer => ({ status: 403, body: { status: "rejected", error, code: 331 } });
const failed = (error: string, requestId: string): Answer => ({
  status: 200,
  body: {
    ok: false,
    status: "failed",
    code: 331,
    error,
    order_id: "",
    urid: requestId,
    request_id: requestId,
    operator_ref: null,
    amount: "100",
    account: "",
    balance: null,
    message: expect.any(String),
  },
});

test("not switched on: a new payment fails, a known one and every other call are rejected, lookups find what is there", async () => {
  const { unpaid, paid, orderId, amount } = await withHistory();
  client.set({ services: new Set(["recharge"]) });
  for (const payer of [client.signed, client])
    expect(await payer.post("/bills/pay", { request_id: "new", amount: "100" })).toEqual(failed("service_not_enabled", "new"));
  expect(await pay(client, "paid", { fetch_ref: unpaid, amount })).toMatchObject(rejected("service_not_enabled"));
  expect(await pay(client, "again", { fetch_ref: paid, amount })).toMatchObject(rejected("service_not_enabled"));
  expect(await fetchBill(client, "new")).toMatchObject(rejected("service_not_enabled"));
  for (const path of ["/bills/billers", "/bills/categories"])
    expect(await client.signed.get(path)).toMatchObject(rejected("service_not_enabled"));
  expect((await client.signed.get("/bills/pay", { request_id: "paid" })).body).toMatchObject({ ok: true, order_id: orderId });
  expect((await client.signed.get("/bills/fetch", { fetch_ref: unpaid })).body).toMatchObject({ ok: true, status: "SUCCESS" });
  const nowhere: readonly [string, Record<string, string>][] = [
    ["/bills/pay", { request_id: "none" }],
    ["/bills/pay", { fetch_ref: "none" }],
    ["/bills/pay", { fetch_ref: unpaid }],
    ["/bills/pay", {}],
    ["/bills/fetch", { fetch_ref: unpaid, request_id: "unpaid" }],
    ["/bills/fetch", { request_id: "none" }],
    ["/bills/fetch", { fetch_ref: "none" }],
  ];
  for (const [path, query] of nowhere) expect(await client.signed.get(path, query)).toMatchObject(rejected("service_not_enabled"));
  expect(await client.get("/bills/pay", { request_id: "paid" })).toMatchObject(rejected("service_not_enabled"));
});

test("a call that is not signed is refused with 401, whatever it is", async () => {
  client = await fixture.newClient();
  const unsigned = { status: 401, body: { status: "rejected", error: "invalid_signature", code: 113 } };
  for (const path of ["/bills/billers", "/bills/categories", "/bills/fetch", "/bills/pay"])
    expect(await client.get(path, { request_id: "r" })).toMatchObject(unsigned);
  for (const path of ["/bills/fetch", "/bills/pay"]) expect(await client.post(path, { request_id: "r" })).toMatchObject(unsigned);
});

const REASONS = [
  ["account_paused", { standing: "paused" }],
  ["account_inactive", { standing: "inactive" }],
  ["kyc_not_verified", { kyc: "pending" }],
  ["agreement_not_signed", { agreement: "pending" }],
] as const;

test.each(REASONS)("%s: a new payment fails, everything else is rejected, and nothing is charged", async (error, change) => {
  const { unpaid, paid, amount } = await withHistory();
  const before = await fixture.orders.balance(client.accountId);
  client.set(change);
  expect(await payDirect(client, "new")).toEqual(failed(error, "new"));
  expect(await pay(client, "paid", { fetch_ref: unpaid, amount })).toMatchObject(rejected(error));
  expect(await pay(client, "again", { fetch_ref: paid, amount })).toMatchObject(rejected(error));
  expect(await fetchBill(client, "new")).toMatchObject(rejected(error));
  expect(await fetchBill(client, "unpaid")).toMatchObject(rejected(error));
  for (const path of ["/bills/pay", "/bills/fetch"])
    expect(await client.signed.get(path, { request_id: "paid" })).toMatchObject(rejected(error));
  expect(await client.signed.get("/bills/billers")).toMatchObject(rejected(error));
  expect(await fixture.orders.balance(client.accountId)).toBe(before);
});

test("a suspended wallet fails a new payment, but a fetch is answered and a known payment keeps its result", async () => {
  const { orderId } = await withHistory();
  client.set({ wallet: "suspended" });
  expect(await payDirect(client, "new")).toEqual(failed("wallet_suspended", "new"));
  expect((await fetchBill(client, "new")).status).toBe(200);
  expect((await client.signed.get("/bills/pay", { request_id: "paid" })).body).toMatchObject({ order_id: orderId });
});

test("a service that is switched off fails new payments, rejects new fetches and known payments, and lookups stay open", async () => {
  const { orderId, unpaid, amount } = await withHistory();
  await switchService(fixture.switches, "test", { service: "bills", enabled: false });
  expect(await payDirect(client, "new")).toEqual(failed("service_off", "new"));
  expect(await pay(client, "paid", { fetch_ref: unpaid, amount })).toMatchObject(rejected("service_off"));
  expect(await fetchBill(client, "new")).toMatchObject(rejected("service_off"));
  expect((await fetchBill(client, "unpaid")).body).toMatchObject({ fetch_ref: unpaid });
  expect((await client.signed.get("/bills/pay", { request_id: "paid" })).body).toMatchObject({ order_id: orderId });
  expect((await client.signed.get("/bills/fetch", { request_id: "unpaid" })).body).toMatchObject({ fetch_ref: unpaid });
  expect((await client.signed.get("/bills/billers")).status).toBe(200);
  await switchService(fixture.switches, "test", { service: "bills", enabled: true });
  expect((await payDirect(client, "new")).body).toMatchObject({ status: "SUCCESS" });
});

test("a service that is closed for the night fails new payments and rejects new fetches", async () => {
  await withHistory();
  const minute = Math.floor(fixture.orders.clock.now() / 60_000) + 330;
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 16);
  await switchService(fixture.switches, "test", { service: "bills", opensAt: at(minute + 120), closesAt: at(minute + 180) });
  expect(await payDirect(client, "new")).toEqual(failed("service_closed", "new"));
  expect(await fetchBill(client, "new")).toMatchObject(rejected("service_closed"));
  await switchService(fixture.switches, "test", { service: "bills", opensAt: null, closesAt: null });
  expect((await fetchBill(client, "new")).status).toBe(200);
});

test("a fetch and a payment have references of their own", async () => {
  client = await fixture.newClient(10_000);
  const bill = await fetched(client, "same");
  expect((await pay(client, "same", { fetch_ref: bill.fetchRef, amount: bill.amount })).body).toMatchObject({ status: "SUCCESS" });
});

test("when no provider is left that knows billers, nothing is made and the client may try again", async () => {
  client = await fixture.newClient(10_000);
  const providersFor = fixture.ctx.providerRegistry.providersFor;
  Object.assign(fixture.ctx.providerRegistry, { providersFor: () => [] });
  const off = { error: "service_off", code: 331 };
  expect(await fetchBill(client, "none", EXACT, { params: paramsOf(EXACT), customer_mobile: MOBILE })).toMatchObject({
    status: 403,
    body: { status: "rejected", urid: "none", ...off },
  });
  expect(await payDirect(client, "none")).toMatchObject({ status: 200, body: { ok: false, status: "failed", order_id: "", ...off } });
  expect(await client.signed.get("/bills/billers")).toMatchObject({ status: 403, body: off });
  Object.assign(fixture.ctx.providerRegistry, { providersFor });
  expect((await fetchBill(client, "none")).status).toBe(200);
});
