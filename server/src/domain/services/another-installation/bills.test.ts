import { afterAll, beforeAll, expect, test } from "vitest";
import { BILLERS } from "../bills/simulator/simulated-bills.ts";
import { DIRECT, EXACT, MOBILE, paramsOf } from "../bills/testing/payer.ts";
import { newOrder, newReference, type OtherInstallation, settled, startOtherInstallation } from "./testing/installation.ts";

let other: OtherInstallation;
beforeAll(async () => {
  other = await startOtherInstallation();
});
afterAll(() => other?.close());

const fetchInput = (billerId = EXACT, ending = "") => ({
  reference: newReference(),
  biller_id: billerId,
  params: { ...paramsOf(billerId, ending) },
  customer_mobile: MOBILE,
  created_at: Date.now(),
  provider_ref: "",
});
const payer = { customer_mobile: MOBILE, payment_mode: "UPI", payer_name: "Asha Verma" };

test("all billers are listed with what the client needs to pay them", async () => {
  const { billers } = await other.answer("bills.billers", {});
  expect(billers.map((one) => one.biller_id)).toEqual(BILLERS.map((one) => one.billerId));
  const [written] = BILLERS;
  expect(billers[0]).toMatchObject({ name: written?.name, flow: written?.flow, active: written?.active });
  expect(billers.some((one) => !one.active)).toBe(true);
});

test("a bill is fetched once for its reference and paid by the provider's id of the fetch", async () => {
  const input = fetchInput();
  const found = await other.answer("bills.fetch", input);
  expect(found).toMatchObject({ status: "found", provider_ref: expect.stringMatching(/./), bills: [{ amount: expect.any(String) }] });
  expect(await other.answer("bills.fetch", input)).toEqual(found);
  expect(await other.answer("bills.fetch_status", input)).toEqual(found);
  const details = { ...payer, fetch_ref: input.reference, fetch_provider_ref: found.provider_ref, params: input.params };
  const request = newOrder({ service: "bills", operator: EXACT, amount: found.bills[0]?.amount ?? "", details });
  const outcome = await other.send(request);
  expect(outcome).toMatchObject({ kind: "succeeded", operatorRef: expect.stringMatching(/^BB/), cost: expect.any(String) });
  expect(await other.ask(request)).toEqual(outcome);
  const again = newOrder({ service: "bills", operator: EXACT, amount: found.bills[0]?.amount ?? "", details });
  expect(await other.send(again)).toMatchObject({ kind: "declined", decline: "final", failure: "duplicate" });
});

test("a fetch that is pending is found later, and one that never arrived is made then", async () => {
  const pending = fetchInput(EXACT, "40200");
  expect(await other.answer("bills.fetch", pending)).toMatchObject({ status: "pending", provider_ref: expect.stringMatching(/./) });
  await expect.poll(async () => (await other.answer("bills.fetch_status", pending)).status, { timeout: 5000 }).toBe("found");
  expect(await other.answer("bills.fetch_status", fetchInput())).toMatchObject({ status: "found" });
  expect(await other.query("bills.fetch", fetchInput(EXACT, "40404"))).toMatchObject({ kind: "refused", code: "no_bill_due" });
  expect(await other.query("bills.fetch", fetchInput(EXACT, "40102"))).toMatchObject({ kind: "refused" });
});

test("a direct biller is paid without a fetch, and its endings are those of the provider", async () => {
  for (const [ending, first, last] of [
    ["000", "succeeded", "succeeded"],
    ["102", "declined", "reversed"],
    ["200", "pending", "succeeded"],
  ] as const) {
    const request = newOrder({
      service: "bills",
      operator: DIRECT,
      amount: "100",
      details: { ...payer, params: paramsOf(DIRECT, ending) },
    });
    expect((await other.send(request)).kind).toBe(first);
    expect((await settled(other, request)).kind).toBe(last);
  }
});

test("what the biller does not accept is refused with the reason for staff", async () => {
  expect(await other.query("bills.fetch", { ...fetchInput(), biller_id: "NOBODY" })).toMatchObject({ kind: "refused", code: "not_found" });
  expect(await other.query("bills.fetch", { ...fetchInput(), params: {} })).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/invalid_customer_params/),
  });
  const details = { ...payer, params: paramsOf(DIRECT), payment_mode: "BARTER" };
  expect(await other.send(newOrder({ service: "bills", operator: DIRECT, amount: "100", details }))).toMatchObject({ kind: "declined" });
  expect(await other.send(newOrder({ service: "bills", operator: DIRECT, amount: "100" }))).toMatchObject({
    kind: "not_sent",
    fault: "order",
  });
});
