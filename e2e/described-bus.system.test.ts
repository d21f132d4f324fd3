import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, NO_BROWSER, watchedPage } from "./harness/browser/browser.ts";
import { consoleUrl, signedInStaff } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import type { JsonRecord } from "./harness/operator.ts";
import {
  calledBack,
  type Described,
  expectBalancedBooks,
  newReference,
  orderIdOf,
  startDescribed,
} from "./harness/providers/described-services.ts";
import type { FakeProvider } from "./harness/providers/fake-provider.ts";
import { query, transaction } from "./harness/providers/fake-provider-description.ts";

// Bus tickets through a description, against a provider that answers over real sockets.

const TIME = (path: string) => ({ path, time: "yyyy-MM-dd HH:mm" });
const PAISE = (path: string) => ({ path, unit: "paise" });
const STOP = { id: "stop", name: "place", at: TIME("at") };
const TRIP = {
  ...{ trip_id: "id", operator: "company.code", operator_name: "company.title", bus_type: "kind" },
  ...{ departure_at: TIME("starts"), arrival_at: TIME("ends"), available_seats: "free" },
  fares: { list: "fares", value: PAISE("$value") },
  boarding: { list: "pick_up", item: STOP },
  partial_cancel: { constant: true },
};
const SEAT = {
  ...{ seat: "no", row: "row", column: "col", available: { path: "state", map: { FREE: true, "*": false } } },
  base: PAISE("paise"),
};
const TICKET = { ref: "{reference}", pnr: "{pnr}", seats: { $each: "seats", $item: "{item.value}" } };
const REFUND = { refund: PAISE("refund_paise"), charges: PAISE("kept_paise") };
const OPERATIONS = {
  "bus.cities": query("/cities", {}, { cities: { list: "cities", item: { city_id: "id", name: "title" } } }),
  "bus.trips": query("/trips", { from: "{from}", to: "{to}", day: "{date|date:dd-MM-yyyy}" }, { trips: { list: "trips", item: TRIP } }),
  "bus.seats": query("/seats", { trip: "{trip_id}" }, { seats: { list: "seats", item: SEAT } }),
  "bus.block": query(
    "/block",
    {
      ...{ ref: "{reference}", trip: "{trip_id}", stop: "{boarding_id}" },
      people: { $each: "passengers", $item: { seat: "{item.seat}", name: "{item.name}", age: "{item.age|number}" } },
    },
    { provider_ref: "hold_id" },
    { TAKEN: "seat_unavailable" },
  ),
  "bus.book": transaction("/pay/bus", { hold: "{details.block_provider_ref}", trip: "{details.trip_id}", paise: "{amount|paise|number}" }),
  "bus.cancel_quote": query("/cancel/quote", TICKET, REFUND),
  "bus.cancel": query("/cancel", { ...TICKET, cancel_ref: "{cancel_reference}" }, REFUND, { TOO_LATE: "not_cancellable" }),
};

const DAY_MILLISECONDS = 86_400_000;
const date = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(Date.now() + 3 * DAY_MILLISECONDS);

function prepare(provider: FakeProvider): void {
  const stop = { stop: "S1", place: "Swargate", at: `${date} 21:00` };
  const company = { code: "NEETA", title: "Neeta Travels" };
  const trip = {
    id: "T/1",
    company,
    kind: "AC",
    starts: `${date} 21:00`,
    ends: `${date} 23:30`,
    free: 2,
    fares: [50_000],
    pick_up: [stop],
  };
  const cities = [
    { id: "11", title: "Pune" },
    { id: "12", title: "Mumbai" },
  ];
  provider.on("/cities", () => ({ cities }));
  provider.on("/trips", ({ day }) => ({ trips: day === date.split("-").reverse().join("-") ? [trip] : [] }));
  const seat = (no: string, col: number) => ({ no, row: 1, col, state: "FREE", paise: 50_000 });
  provider.on("/seats", () => ({ seats: [seat("L1", 1), seat("L2", 2)] }));
  provider.on("/block", () => ({ hold_id: "HOLD-5" }));
  const refund = ({ seats }: JsonRecord) => {
    const paise = (seats as readonly string[]).length * 40_000;
    return { refund_paise: paise, kept_paise: paise / 4 };
  };
  provider.on("/cancel/quote", refund);
  provider.on("/cancel", refund);
}

let described: Described;
beforeAll(async () => {
  described = await startDescribed({ service: "bus", operations: OPERATIONS }, prepare);
});
afterAll(() => described?.close());

const PEOPLE = ["L1", "L2"].map((seat) => ({ seat, title: "Ms", name: "Asha Rao", age: 30, gender: "F" as const }));
const CONTACT = { mobile: "9876543210", email: "asha@example.in" };
const lastAsked = (path: string) => described.first.asked.findLast((one) => one.path === path)?.body;

/** Books both seats of the trip. */
async function bookBoth(): Promise<{ readonly ticketNo: string; readonly orderId: string }> {
  const { bus } = described.api;
  const [from, to] = await bus.cities().toArray();
  const [trip] = await bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray();
  const [tripId, boardingId] = [trip?.tripId ?? "", trip?.boarding[0]?.id ?? ""];
  const block = await bus.block({ requestId: newReference("block"), tripId, boardingId, passengers: PEOPLE, contact: CONTACT });
  const booked = await bus.book({ requestId: newReference("book"), blockRef: block.blockRef, amount: block.total });
  return booked.outcome === "succeeded"
    ? { ticketNo: booked.ticket.ticketNo, orderId: orderIdOf(booked) }
    : expect.fail("The ticket is not booked.");
}

test("a ticket is found, blocked, booked and cancelled for the provider's refund, under one reference of its form", async () => {
  const { bus } = described.api;
  const before = await described.balance();
  expect(await bus.cities().toArray()).toMatchObject([{ name: "Pune" }, { name: "Mumbai" }]);
  const [from, to] = await bus.cities().toArray();
  const trips = await bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray();
  expect(trips).toMatchObject([{ operatorName: "Neeta Travels", boarding: [{ name: "Swargate" }] }]);
  const tripId = trips[0]?.tripId ?? "";
  expect(await bus.seats({ tripId })).toMatchObject([{ seat: "L1", available: true, fare: { total: "500.0000" } }, { seat: "L2" }]);
  const boardingId = trips[0]?.boarding[0]?.id ?? "";
  const block = await bus.block({ requestId: newReference("block"), tripId, boardingId, passengers: PEOPLE, contact: CONTACT });
  expect(lastAsked("/block")).toMatchObject({ trip: "T/1", stop: "S1", ref: expect.stringMatching(/^[0-9]{10}$/) });
  const requestId = newReference("book");
  const booked = await bus.book({ requestId, blockRef: block.blockRef, amount: block.total });
  expect(booked).toMatchObject({ outcome: "succeeded", ticket: { seats: ["L1", "L2"], pnr: expect.stringMatching(/^77/) } });
  const sent = described.first.transactions.at(-1);
  expect(sent?.body).toMatchObject({ hold: "HOLD-5", trip: "T/1", paise: 100_000 });
  const { ticketNo, pnr } = booked.outcome === "succeeded" ? booked.ticket : expect.fail("The ticket is not booked.");
  for (const seat of ["L1", "L2"]) {
    const quote = await bus.quoteCancel({ ticketNo, seats: [seat] });
    expect(quote).toMatchObject({ refundAmount: "400.0000", charges: "100.0000" });
    const cancelled = await bus.cancel({ requestId: newReference("cancel"), ticketNo, seats: [seat], quoteRef: quote.quoteRef });
    expect(cancelled).toMatchObject({ refundAmount: "400.0000", cancelledSeats: [seat] });
    // The provider knows the booking by the reference that the booking was sent with.
    expect(lastAsked("/cancel")).toMatchObject({ ref: sent?.ref, pnr, seats: [seat], cancel_ref: expect.stringMatching(/^[0-9]{10}$/) });
  }
  await calledBack(described, requestId, "FAILED");
  expect(before - (await described.balance())).toBeCloseTo(200, 4);
  await expectBalancedBooks(described);
});

describe.skipIf(NO_BROWSER !== null)(`at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  test("staff decide a cancellation that the provider first did not answer and then refused", async () => {
    const { bus } = described.api;
    const before = await described.balance();
    const { ticketNo, orderId } = await bookBoth();
    const { quoteRef } = await bus.quoteCancel({ ticketNo, seats: ["L1"] });
    const requestId = newReference("cancel");
    const cancel = () => bus.cancel({ requestId, ticketNo, seats: ["L1"], quoteRef });
    described.first.on("/cancel", () => ({ ok: false, code: "LATER" }));
    await expect(cancel()).rejects.toMatchObject({ error: "busy" });
    described.first.on("/cancel", () => ({ ok: false, code: "TOO_LATE" }));
    await expect(cancel()).rejects.toMatchObject({ error: "busy" });
    const browser = await launchBrowser();
    try {
      const { page, pageErrors } = await watchedPage(browser);
      await signedInStaff({ installation: described }, page, "operations");
      await page.goto(consoleUrl(described.service, `/transactions/${orderId}`));
      await page.getByText("An earlier call had no answer").waitFor();
      await checkPage(page, "console-cancellation-in-doubt");
      await page.getByRole("button", { name: "Decide cancellation of L1" }).click();
      const dialog = page.getByRole("dialog", { name: "Decide this cancellation" });
      await dialog.getByLabel("Result").selectOption("Cancelled: the quoted refund is paid");
      await dialog.getByLabel("Evidence").fill("Their support confirmed it by email.");
      await checkPage(page, "console-decide-cancellation");
      await dialog.getByRole("button", { name: "Decide cancellation of L1" }).click();
      await page.getByText("The cancellation was decided.").waitFor();
      await page.getByText("An earlier call had no answer").waitFor({ state: "detached" });
      expect(pageErrors).toEqual([]);
    } finally {
      await browser.close();
    }
    // 1,000 for both seats, less 400 for the cancelled one.
    expect(before - (await described.balance())).toBeCloseTo(600, 4);
    expect(await cancel()).toMatchObject({ refundAmount: "400.0000", cancelledSeats: ["L1"] });
    await expectBalancedBooks(described);
  });
});
