import { expect, test } from "vitest";
import { providerQueries } from "../signed/provider-queries.ts";
import { type QueryTable, queryConnector } from "../testing/query-connector.ts";
import { connectedBus } from "./connected-bus.ts";

const CANCEL = { reference: "CAN1", orderId: "ORD1", tripId: "T1", providerRef: "P1", ticketRef: null, pnr: "PNR1", seats: ["A1", "A2"] };

function busWith(table: QueryTable) {
  const connector = queryConnector(["bus.book"], table);
  const references = { allocate: async (_provider: string, _form: object, subject: string) => subject };
  const queries = providerQueries({ provider: "bus-co", connector, references, stopping: new AbortController().signal });
  const nothing = async (): Promise<never> => {
    throw new Error("not asked here");
  };
  return connectedBus(queries, nothing, { remember: nothing, find: async () => null });
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
