import { expect, test } from "vitest";
import { providerQueries } from "../signed/provider-queries.ts";
import { type QueryTable, queryConnector } from "../testing/query-connector.ts";
import { connectedBus } from "./connected-bus.ts";
import type { ListedTrip } from "./trips/trip-store.ts";

const CANCEL = { reference: "CAN1", orderId: "ORD1", tripId: "T1", providerRef: "P1", ticketRef: null, pnr: "PNR1", seats: ["A1", "A2"] };

function busWith(table: QueryTable, known: ListedTrip | null = null) {
  const connector = queryConnector(["bus.book"], table);
  const references = { allocate: async (_provider: string, _form: object, subject: string) => subject };
  const queries = providerQueries({ provider: "bus-co", connector, references, stopping: new AbortController().signal });
  const nothing = async (): Promise<never> => {
    throw new Error("not asked here");
  };
  return connectedBus(queries, nothing, { remember: nothing, find: async () => known });
}

test.each([
  ["cancelled", { status: "cancelled" }],
  ["cancelled", { status: "booked", cancelled_seats: ["A1", "A2", "A3"] }],
  ["booked", { status: "booked", cancelled_seats: ["A3"] }],
  // A provider that does not list the cancelled seats may call a partly cancelled ticket booked.
  ["unknown", { status: "booked" }],
  ["unknown", { status: "booked", cancelled_seats: ["A1"] }],
  ["unknown", { status: "not_booked", cancelled_seats: [] }],
  ["unknown", { refused: undefined }],
] as const)("the seats are %s when the provider answers %o", async (state, answer) => {
  expect(await busWith({ "bus.ticket": () => answer as never }).readTicketState(CANCEL)).toBe(state);
});

test("without a query for tickets nothing is known of the seats", async () => {
  expect(await busWith({}).readTicketState(CANCEL)).toBe("unknown");
});

test("a seat that the provider names twice is listed once, and cannot be booked", async () => {
  const seat = { row: 1, column: 1, deck: "lower", type: "seater", gender: "any", available: true, base: "500", tax: "25" };
  const seats = ["1", "2", "1"].map((name, index) => ({ ...seat, seat: name, column: index }));
  const trip = { provider: "bus-co", providerTripId: "T1", from: "A", to: "B", date: "2026-03-05", trip: { tripId: "x" } } as ListedTrip;
  const read = await busWith({ "bus.seats": () => ({ seats }) as never }, trip).readTrip("x");
  expect(read?.seats.map((one) => [one.seat, one.available])).toEqual([
    ["1", false],
    ["2", true],
  ]);
});
