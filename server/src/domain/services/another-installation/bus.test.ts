import { afterAll, beforeAll, expect, test } from "vitest";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { requireMoney } from "../../../platform/core/money.ts";
import type { ProviderRequest } from "../../providers/connector.ts";
import { newOrder, newReference, type OtherInstallation, settled, startOtherInstallation } from "./testing/installation.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** What the bus operator at the other installation does with cancellations. */
let operatorAnswers = true;

let other: OtherInstallation;
beforeAll(async () => {
  other = await startOtherInstallation({
    providerServices: (services) => ({
      ...services,
      bus: (provider) => {
        const found = services.bus(provider);
        if (!found) return undefined;
        return {
          ...found,
          cancel: async (request) => {
            if (!operatorAnswers) throw new Error("no answer");
            return await found.cancel(request);
          },
        };
      },
    }),
  });
});
afterAll(() => other?.close());

let pairs = 0;
const CITIES = ["BLR", "CHN", "HYD", "MUM", "PUN", "DEL", "JAI", "KOC", "GOA", "MYS"];

/** Another pair of cities each time, so that tests do not compete for seats. */
function search() {
  const [from = "BLR", to = "CHN"] = [CITIES[pairs % 10], CITIES[(pairs + 1 + Math.floor(pairs / 10)) % 10]];
  pairs++;
  return { from, to, date: indiaDate(Date.now() + 5 * DAY_MILLISECONDS) };
}

async function tripOf(operator: string) {
  const wanted = search();
  const { trips } = await other.answer("bus.trips", wanted);
  const trip = trips.find((one) => one.operator === operator);
  if (!trip) throw new Error("There is no such trip.");
  return { ...wanted, trip_id: trip.trip_id, trip };
}

type Held = { readonly trip_id: string; readonly seats: readonly string[]; readonly block_provider_ref: string; readonly total: string };

async function hold(operator = "KAVERI-TRAVELS", mobile = "9876543000"): Promise<Held> {
  const { trip, ...wanted } = await tripOf(operator);
  const { seats } = await other.answer("bus.seats", wanted);
  const free = seats.filter((one) => one.available && one.gender === "any").slice(0, 2);
  const input = {
    ...wanted,
    ...{ reference: newReference(), boarding_id: trip.boarding[0]?.id ?? "", dropping_id: "", mobile, email: "asha@example.com" },
    passengers: free.map(({ seat, base, tax }) => ({
      ...{ seat, title: "Ms", name: "Asha Rao", age: 34, gender: "F" as const, id_type: "", id_number: "" },
      fare: (Number(base) + Number(tax)).toFixed(4),
    })),
  };
  const blocked = await other.answer("bus.block", input);
  expect(await other.answer("bus.block", input)).toEqual(blocked);
  const total = (blocked.fares ?? []).reduce((sum, one) => sum + requireMoney(one.total), 0n);
  return {
    ...wanted,
    seats: free.map((one) => one.seat),
    block_provider_ref: blocked.provider_ref,
    total: `${total / 10_000n}.${(total % 10_000n).toString().padStart(4, "0")}`,
  };
}

const booking = (held: Held) =>
  newOrder({ service: "bus", amount: held.total, target: "9876543000", details: { block_provider_ref: held.block_provider_ref } });

const ticketInput = (held: Held, { reference }: ProviderRequest, seats = held.seats) => ({
  ...{ reference, provider_ref: "", pnr: "", trip_id: held.trip_id, seats: [...seats] },
});

async function buy(operator?: string): Promise<{ readonly held: Held; readonly request: ProviderRequest }> {
  const held = await hold(operator);
  const request = booking(held);
  expect(await other.send(request)).toMatchObject({ kind: "succeeded" });
  return { held, request };
}

test("cities, trips and seats are read with times, fares and charges", async () => {
  const { cities } = await other.answer("bus.cities", {});
  expect(cities).toHaveLength(20);
  const { trip, ...wanted } = await tripOf("KAVERI-TRAVELS");
  expect(trip).toMatchObject({ operator_name: "Kaveri Travels", partial_cancel: true, max_seats: 6, id_proof_required: false });
  expect(trip.cancellation[0]).toEqual({ hours_before: 24, percent: 10 });
  expect(trip.arrival_at).toBeGreaterThan(trip.departure_at);
  expect(indiaDate(trip.departure_at)).toBe(wanted.date);
  const { seats } = await other.answer("bus.seats", wanted);
  expect(seats.filter((one) => one.available)).toHaveLength(trip.available_seats ?? 0);
  expect(await other.query("bus.seats", { ...wanted, trip_id: "NOWHERE" })).toMatchObject({ kind: "refused", code: "trip_not_found" });
  expect(await other.query("bus.trips", { ...wanted, to: "ATLANTIS" })).toMatchObject({ kind: "refused" });
});

test("a block is booked for its total, and the booking is found again with its ticket", async () => {
  const held = await hold();
  const request = booking(held);
  const outcome = await other.send(request);
  expect(outcome).toMatchObject({
    ...{ kind: "succeeded", operatorRef: expect.stringMatching(/^PNR/), cost: held.total },
    result: { ticket_ref: expect.stringMatching(/^TKT/) },
  });
  expect(await other.ask(request)).toEqual(outcome);
  expect(await other.answer("bus.ticket", ticketInput(held, request))).toMatchObject({ status: "booked", cancelled_seats: [] });
  expect(await other.send(booking(held))).toMatchObject({ kind: "declined", failure: "duplicate" });
});

test("fares that rose are split so that they add up to the block's total", async () => {
  const held = await hold("GARUDA-LINES");
  expect(await other.send(booking(held))).toMatchObject({ kind: "succeeded", cost: held.total });
});

test("a booking of another amount is declined, and the block stands", async () => {
  const held = await hold();
  expect(await other.send(booking({ ...held, total: "1" }))).toMatchObject({ kind: "declined", failure: "amount_not_accepted" });
  expect(await other.send(booking(held))).toMatchObject({ kind: "succeeded" });
  expect(await other.send(newOrder({ service: "bus" }))).toMatchObject({ kind: "not_sent", fault: "order" });
});

test("a booking that ends later is found then, and a failed one is not booked", async () => {
  const [good, bad] = [await hold(undefined, "9876543200"), await hold(undefined, "9876543202")];
  const [later, failing] = [booking(good), booking(bad)];
  expect((await other.send(later)).kind).toBe("pending");
  expect((await other.send(failing)).kind).toBe("pending");
  expect((await settled(other, later)).kind).toBe("succeeded");
  expect((await settled(other, failing)).kind).toBe("reversed");
  expect(await other.answer("bus.ticket", ticketInput(bad, failing))).toMatchObject({ status: "not_booked" });
  expect(await other.answer("bus.ticket", ticketInput(bad, booking(bad)))).toMatchObject({ status: "not_booked" });
});

test("seats are cancelled for what was quoted, once for each reference", async () => {
  const { held, request } = await buy();
  const [first = "", second = ""] = held.seats;
  const one = ticketInput(held, request, [first]);
  const quote = await other.answer("bus.cancel_quote", one);
  const asked = { ...one, cancel_reference: newReference() };
  expect(await other.answer("bus.cancel", asked)).toEqual(quote);
  expect(await other.answer("bus.cancel", asked)).toEqual({ refund: quote.refund });
  expect(await other.answer("bus.ticket", one)).toMatchObject({ status: "booked", cancelled_seats: [first] });
  expect(await other.ask(request)).toMatchObject({ kind: "succeeded" });
  await other.answer("bus.cancel", { ...ticketInput(held, request, [second]), cancel_reference: newReference() });
  expect(await other.answer("bus.ticket", one)).toMatchObject({ status: "cancelled" });
  // The cancellation returned less than everything, so it does not undo the booking here.
  expect(await other.ask(request)).toMatchObject({ kind: "unknown", why: expect.stringMatching(/cancelled at the provider/) });
});

test("a cancellation that is being carried out is not refused when it is asked again, and its result is found", async () => {
  const { held, request } = await buy();
  const asked = { ...ticketInput(held, request), cancel_reference: newReference() };
  operatorAnswers = false;
  expect(await other.query("bus.cancel", asked)).toMatchObject({ kind: "unavailable" });
  expect(await other.query("bus.cancel", asked)).toMatchObject({ kind: "unavailable", why: expect.stringMatching(/carried out/) });
  operatorAnswers = true;
  // The other side completes it when the ticket is cancelled under any reference.
  const late = await other.query("bus.cancel", { ...asked, cancel_reference: newReference() });
  expect(["answered", "refused"]).toContain(late.kind);
  expect(await other.answer("bus.cancel", asked)).toMatchObject({ refund: expect.any(String) });
});

test("a ticket that the bus operator does not take back is refused", async () => {
  const { held, request } = await buy("NEELI-BUS").catch(() => buy("SHARMA-TOURS"));
  const part = ticketInput(held, request, held.seats.slice(0, 1));
  expect(await other.query("bus.cancel_quote", part)).toMatchObject({ kind: "refused", code: "not_cancellable" });
  expect(await other.query("bus.cancel", { ...part, cancel_reference: newReference() })).toMatchObject({ code: "not_cancellable" });
  expect(await other.query("bus.cancel", { ...ticketInput(held, booking(held)), cancel_reference: "X" })).toMatchObject({
    code: "not_found",
  });
});
