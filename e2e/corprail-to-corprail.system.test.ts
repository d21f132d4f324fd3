import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { change } from "./harness/operator.ts";
import {
  balancesOf,
  calledBack,
  expectBalancedBooks,
  orderIdOf,
  QUICK,
  type Reseller,
  startReseller,
} from "./harness/providers/reseller.ts";

let both: Reseller;
beforeAll(async () => {
  both = await startReseller();
});
afterEach(() => expectBalancedBooks(both));
afterAll(() => both?.close());

const DAY_MILLISECONDS = 86_400_000;

let count = 0;
const newReference = (name: string) => `${name}-${++count}`;
const recharge = (account: string) => ({ account, operator: "AT", amount: "10.00", urid: newReference("resold") });

test.each([
  ["000", "succeeded", "SUCCESS"],
  ["102", "failed", "FAILED"],
  ["200", "succeeded", "SUCCESS"],
  ["202", "failed", "FAILED"],
] as const)("a recharge that ends in %s has %s in both installations, with both wallets right", async (digits, outcome, status) => {
  const before = await balancesOf(both);
  const input = recharge(`9876543${digits}`);
  const final = await both.here.api.recharge.createAndSettle(input, QUICK);
  expect(final).toMatchObject({ outcome });
  const there = await both.there.api.recharge.get({ urid: orderIdOf(final) });
  expect(there).toMatchObject({ outcome, operatorRef: final.outcome === "succeeded" ? final.operatorRef : null });
  const paid = outcome === "succeeded" ? 10 : 0;
  expect(await balancesOf(both)).toEqual({ here: before.here - paid, there: before.there - paid });
  if (digits.startsWith("20")) await calledBack(both, input.urid, status);
});

test("a success that the provider's installation reverses is reversed here, and its client gets a callback", async () => {
  const input = recharge("9876543001");
  const sold = await both.here.api.recharge.createAndSettle(input, QUICK);
  const there = await both.there.api.recharge.get({ urid: orderIdOf(sold) });
  await change(both.provider.service, `/orders/${there.orderId}/reverse`, { reason: "the operator took it back" });
  await calledBack(both, input.urid, "FAILED");
  expect(await both.here.api.recharge.get({ urid: input.urid })).toMatchObject({ outcome: "failed" });
});

test("a bill of the provider's billers is fetched and paid through both", async () => {
  const { api } = both.here;
  const billers = await api.bills.billers().toArray();
  expect(billers.length).toBe((await both.there.api.bills.billers().toArray()).length);
  const biller = billers.find((one) => one.flow === "fetch" && one.exactness === "exact" && one.status === "active");
  const params = Object.fromEntries((biller?.params ?? []).filter((one) => !one.optional).map((one) => [one.name, one.example]));
  const customer = { billerId: biller?.billerId ?? "", customerMobile: "9876543210", params };
  const fetched = await api.bills.fetch({ requestId: newReference("fetch"), ...customer });
  expect(fetched).toMatchObject({ status: "SUCCESS", bills: [{ amount: expect.any(String) }] });
  const payment = { fetchRef: fetched.fetchRef, amount: fetched.bills[0]?.amount ?? "", paymentMode: biller?.paymentModes[0] ?? "" };
  const paid = await api.bills.payAndSettle({ requestId: newReference("pay"), ...payment, payerName: "Asha Verma" }, QUICK);
  expect(paid).toMatchObject({ outcome: "succeeded", bill: { billerId: biller?.billerId } });
  const there = await both.there.api.bills.getPayment({ requestId: orderIdOf(paid) });
  expect(there).toMatchObject({ outcome: "succeeded", amount: payment.amount });
});

test("a bill payment that the provider finishes later succeeds here by its callback", async () => {
  const { api } = both.here;
  const [biller] = (await api.bills.billers().toArray()).filter((one) => one.flow === "direct" && one.status === "active");
  const required = (biller?.params ?? []).filter((one) => !one.optional);
  const ending = (example: string, place: number) => (place === 0 ? `${example.slice(0, -3)}200` : example);
  const params = Object.fromEntries(required.map(({ name, example }, place) => [name, ending(example, place)]));
  const requestId = newReference("direct");
  const customer = { billerId: biller?.billerId ?? "", customerMobile: "9876543210", params };
  const input = { requestId, ...customer, amount: "100.00", paymentMode: biller?.paymentModes[0] ?? "", payerName: "Asha Verma" };
  expect(await api.bills.payAndSettle(input, QUICK)).toMatchObject({ outcome: "succeeded" });
  await calledBack(both, requestId, "SUCCESS");
});

test("a bus ticket is found, blocked, booked and cancelled for the provider's refund, through both", async () => {
  const { api } = both.here;
  const [from, to] = await api.bus.cities().toArray(2);
  const date = new Date(Date.now() + 3 * DAY_MILLISECONDS).toISOString().slice(0, 10);
  const trips = await api.bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray();
  const trip = trips.find((one) => one.partialCancel && !one.idProofRequired);
  const tripId = trip?.tripId ?? "";
  const [first = "", second = ""] = (await api.bus.seats({ tripId }))
    .filter((one) => one.available && one.gender === "any")
    .map((one) => one.seat);
  const before = await balancesOf(both);
  const block = await api.bus.block({
    requestId: newReference("block"),
    tripId,
    boardingId: trip?.boarding[0]?.id ?? "",
    passengers: [first, second].map((seat) => ({ seat, title: "Ms", name: "Asha Rao", age: 30, gender: "F" })),
    contact: { mobile: "9876543210", email: "asha@example.in" },
  });
  const requestId = newReference("book");
  const booked = await api.bus.bookAndSettle({ requestId, blockRef: block.blockRef, amount: block.total }, QUICK);
  expect(booked).toMatchObject({ outcome: "succeeded", ticket: { seats: [first, second] } });
  const ticketNo = booked.outcome === "succeeded" ? booked.ticket.ticketNo : "";
  let returned = 0;
  for (const seat of [first, second]) {
    const quote = await api.bus.quoteCancel({ ticketNo, seats: [seat] });
    const cancelled = await api.bus.cancel({ requestId: newReference("cancel"), ticketNo, seats: [seat], quoteRef: quote.quoteRef });
    expect(cancelled).toMatchObject({ cancelledSeats: [seat], refundAmount: quote.refundAmount });
    returned += Number(quote.refundAmount);
  }
  await calledBack(both, requestId, "FAILED");
  const kept = Number(block.total) - returned;
  expect(kept).toBeGreaterThan(0);
  // The provider's own callback about the cancelled ticket returns nothing a second time.
  const after = await balancesOf(both);
  expect(before.here - after.here).toBeCloseTo(kept, 4);
  expect(before.there - after.there).toBeCloseTo(kept, 4);
  const there = await both.there.api.bus.getBooking({ requestId: orderIdOf(booked) });
  expect(there).toMatchObject({ outcome: "failed", ticket: { cancelledSeats: [first, second] } });
});
