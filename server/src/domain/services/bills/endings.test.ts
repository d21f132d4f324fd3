import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { reverseManually, settleManually } from "../../orders/change-manually.ts";
import { pollOrders } from "../../orders/recovery/order-polls.ts";
import { CODES, ENDINGS } from "../testing/endings.ts";
import { type Answer, type Client, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import { DIRECT, EXACT_UP, fetched, paramsOf, pay, payDirect } from "./testing/payer.ts";

let fixture: ServiceFixture;
const first = new Map<string, { readonly own: Client; readonly reply: Answer }>();
beforeAll(async () => {
  // Later results are far away until the clock is moved, which no test does before every first reply is there.
  fixture = await createServiceFixture({ timeoutMilliseconds: 2_500, delayMilliseconds: 60_000 });
  const direct = ENDINGS.map(async ({ digits }) => {
    const own = await fixture.newClient(100);
    first.set(`direct-${digits}`, { own, reply: await payDirect(own, "pay", { params: paramsOf(DIRECT, digits), amount: "60" }) });
  });
  const byFetch = ENDINGS.map(async ({ digits }) => {
    const own = await fixture.newClient(3_000);
    const bill = await fetched(own, "fetch", EXACT_UP, { params: paramsOf(EXACT_UP, digits) });
    first.set(`fetch-${digits}`, { own, reply: await pay(own, "pay", { fetch_ref: bill.fetchRef, amount: "2997.5" }) });
  });
  await Promise.all([...direct, ...byFetch]);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const CASES = [
  ...ENDINGS.map((ending) => ({ ...ending, kind: "direct", paid: "40.0000", whole: "100.0000" })),
  // The fee of 2.50 is held, taken and returned with the amount.
  ...ENDINGS.map((ending) => ({ ...ending, kind: "fetch", paid: "0.0000", whole: "3000.0000" })),
];

test.concurrent.each(CASES)("$kind, customer ending in $digits: first $first, in the end $last", async (one) => {
  const { own, reply } = first.get(`${one.kind}-${one.digits}`) as { own: Client; reply: Answer };
  expect(reply).toMatchObject({
    status: 200,
    body: { ok: true, error: "", status: one.first, code: CODES[one.first], balance: one.first === "FAILED" ? one.whole : one.paid },
  });
  const bbps = one.first === "SUCCESS" ? reply.body["operator_ref"] : "";
  expect(reply.body["bill"]).toMatchObject({ bbps_ref: bbps });
  await vi.waitFor(
    async () => {
      fixture.orders.clock.advance(1_000);
      await pollOrders(fixture.ctx);
      expect((await own.signed.get("/bills/pay", { request_id: "pay" })).body["status"]).toBe(one.last);
    },
    { timeout: WAIT_MILLISECONDS, interval: 20 },
  );
  const { body } = await own.signed.get("/bills/pay", { request_id: "pay" });
  expect(body).toMatchObject({ code: CODES[one.last], balance: one.last === "FAILED" ? one.whole : one.paid });
  if (one.last === "SUCCESS") expect(body["bill"]).toMatchObject({ bbps_ref: expect.stringMatching(/^BB[0-9]{14}$/) });
});

test("a payment that stays pending is settled by the operator, and a success reversed: amount and fee come back", async () => {
  const own = await fixture.newClient(3_000);
  const bill = await fetched(own, "fetch", EXACT_UP, { params: paramsOf(EXACT_UP, "110") });
  const { body } = await pay(own, "pay", { fetch_ref: bill.fetchRef, amount: "2997.5" });
  const orderId = String(body["order_id"]);
  await settleManually(fixture.ctx, "test", { orderId, to: "SUCCESS", operatorRef: "BBHAND1", reason: "seen" });
  const look = async () => (await own.signed.get("/bills/pay", { fetch_ref: bill.fetchRef })).body;
  expect(await look()).toMatchObject({ status: "SUCCESS", operator_ref: "BBHAND1", bill: { bbps_ref: "BBHAND1" }, balance: "0.0000" });
  await reverseManually(fixture.ctx, "test", { orderId, reason: "not credited" });
  expect(await look()).toMatchObject({ ok: true, status: "FAILED", message: "Reversed by the service's staff.", balance: "3000.0000" });
});
