import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { connectTwin, type ShippedSubject, shippedSuite } from "./testing/shipped-suite.ts";

const DETAILS = { block_ref: "BLK1", block_provider_ref: "QaRDiuPZSs", trip_id: "TRIP1", seats: ["UF3"] };
const BOOKING = { service: "bus", operator: "25541201", target: "9876543210", amount: "262.50", details: DETAILS };
const TICKET = {
  reference: "REF000000001",
  provider_ref: "QaRDiuPZSs",
  ticket_ref: "A4VTVBAP",
  pnr: "PNR1",
  trip_id: "2000000150500114514",
  seats: ["UF3"],
};
const SEARCH = { from: "3", to: "6", date: "2026-01-31" };
const PERSON = { seat: "UF3", title: "Ms", name: "Asha Rao", age: 30, gender: "F", id_type: "", id_number: "", fare: "262.5000" } as const;
const BLOCK = {
  ...{ reference: "BLK1", trip_id: "2000000150500114514", ...SEARCH, boarding_id: "252884", dropping_id: "" },
  ...{ passengers: [PERSON], mobile: "9876543210", email: "asha@example.in" },
};
const AT = (clock: string) => Date.parse(`2026-${clock}:00+05:30`);

const SUBJECT: ShippedSubject = {
  name: "seatseller",
  secrets: { consumer_key: "consumer-key-4815", consumer_secret: "consumer-secret-1623" },
  transactions: { "bus.book": BOOKING },
  // SeatSeller says nothing of pending bookings. Without a ticket that is read, a booking is never one.
  contract: { outcomes: { pending: ["unknown"] } },
  queries: {
    "bus.cities": { input: {}, value: { cities: [{ city_id: "3", name: "Bangalore", state: "Karnataka" }, { city_id: "6" }] } },
    "bus.trips": {
      input: SEARCH,
      value: {
        trips: [
          {
            ...{ trip_id: "2000000150500114514", operator: "25541201", operator_name: "Poppin Travels", available_seats: 10 },
            // 1740 minutes after midnight are five o'clock of the next day.
            ...{ departure_at: AT("01-31T20:02"), arrival_at: AT("02-01T05:00"), fares: ["262.5"], max_seats: 6, partial_cancel: false },
            boarding: [{ id: "252884", name: "Old Airport Road", at: AT("01-31T20:02") }],
            dropping: [{ id: "235765", name: "APSRTC M G Bus Station", at: AT("02-01T05:00") }],
            cancellation: [
              { hours_before: 24, percent: 10 },
              { hours_before: 12, percent: 50 },
              { hours_before: 0, percent: 100 },
            ],
          },
        ],
      },
    },
    "bus.seats": {
      input: { trip_id: "2000000150500114514", ...SEARCH },
      value: {
        seats: [
          { seat: "UF3", deck: "lower", type: "sleeper", gender: "any", available: true, base: "262.5", tax: "0" },
          { seat: "L4", deck: "upper", type: "seater", gender: "male", available: true },
          { seat: "L5", gender: "female", available: false },
          { seat: "L6", available: false },
        ],
      },
    },
    "bus.block": { input: BLOCK, value: { provider_ref: expect.stringMatching(/^[A-Za-z0-9]{10}$/) } },
    // The number of the twin's first ticket.
    "bus.ticket": { input: { ...TICKET, ticket_ref: "TWIN1001" }, value: { status: "booked" } },
    "bus.cancel_quote": { input: TICKET, value: { refund: "237.5000", charges: "25.0000" } },
    "bus.cancel": { input: { ...TICKET, cancel_reference: "CAN1" }, value: { refund: "237.5", charges: "25" } },
  },
};
shippedSuite(SUBJECT);

const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

test("every call is signed by OAuth 1 with an empty token, over method, address and query, without the body", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({ body: {} }));
  await connector.query("bus.trips", SEARCH, NEVER);
  await connector.query("bus.block", BLOCK, NEVER);
  for (const { method, path, query, headers } of heard) {
    const header = String(headers["authorization"]);
    expect(header).toMatch(/^OAuth /);
    const given = new Map([...header.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", text = ""]) => [name, decodeURIComponent(text)]));
    const signature = given.get("oauth_signature");
    given.delete("oauth_signature");
    expect([...given.keys()].toSorted()).toEqual(
      ["consumer_key", "nonce", "signature_method", "timestamp", "version"].map((name) => `oauth_${name}`),
    );
    const pairs = [...given, ...query].map(([name, text]) => `${encoded(name)}=${encoded(text)}`).toSorted();
    const base = [method, encoded(`http://${String(headers["host"])}${path}`), encoded(pairs.join("&"))].join("&");
    expect(signature).toBe(createHmac("sha1", "consumer-secret-1623&").update(base).digest("base64"));
  }
  expect(heard.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /availabletrips", "POST /blockTicket"]);
});

test("seats are blocked for the listed fares, the first passenger is the primary one, and missing values are left out", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({ body: "QaRDiuPZSs" }));
  const passengers = [PERSON, { ...PERSON, seat: "L4", gender: "M", title: "Mr", id_type: "PAN_CARD", id_number: "ID123" } as const];
  const blocked = await connector.query("bus.block", { ...BLOCK, dropping_id: "235765", passengers }, NEVER);
  expect(blocked).toEqual({ kind: "answered", value: { provider_ref: "QaRDiuPZSs" } });
  expect(heard[0]?.headers).toMatchObject({ accept: "text/plain", "content-type": "application/json" });
  const contact = { name: "Asha Rao", mobile: "9876543210", email: "asha@example.in", age: "30" };
  const seat = { fare: "262.5000", ladiesSeat: "false" };
  const ofMan = { ...contact, title: "Mr", gender: "MALE", idType: "PAN_CARD", idNumber: "ID123", primary: "false" };
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
    ...{ availableTripId: "2000000150500114514", boardingPointId: "252884", droppingPointId: "235765", source: "3", destination: "6" },
    inventoryItems: [
      { ...seat, seatName: "UF3", passenger: { ...contact, title: "Ms", gender: "FEMALE", primary: "true" } },
      { ...seat, seatName: "L4", passenger: ofMan },
    ],
  });
  await connector.query("bus.block", BLOCK, NEVER);
  expect(JSON.parse(heard[1]?.body ?? "")).not.toHaveProperty("droppingPointId");
});

test.each([
  [500, "tentative booking failed", { kind: "refused", code: "seat_unavailable" }],
  [500, "Error: the seat is gone", { kind: "refused", code: "seat_unavailable" }],
  [400, "Error: Authorization failed please send valid consumer key and secret in the api request.", { kind: "unavailable" }],
  [403, "<html>Forbidden</html>", { kind: "unavailable" }],
  [200, "one moment please", { kind: "unavailable" }],
])("a block answered %i %s is no block", async (status, body, result) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ status, body }));
  expect(await connector.query("bus.block", BLOCK, NEVER)).toMatchObject(result);
});

const ticket = (status: string, tin = "A4VTVBAP") => ({ body: { status, tin, pnr: "PNR-77" } });
const refusal = (words: string) => ({ status: 500, body: `Error: ${words}` });

test.each([
  ["a number that its ticket confirms", { body: "A4VTVBAP" }, ticket("BOOKED"), "succeeded"],
  ["a number whose ticket is another one", { body: "A4VTVBAP" }, ticket("BOOKED", "D4NZ3K5N"), "unknown"],
  ["a number whose ticket cannot be read", { body: "A4VTVBAP" }, refusal("not now"), "unknown"],
  ["a word that is no number of a ticket", { body: "ERROR" }, refusal("no such ticket"), "unknown"],
  ["an error, and there is no ticket", refusal("block expired"), refusal("no ticket"), "unknown"],
  ["an error, but the ticket is booked", refusal("vendor failure"), ticket("BOOKED"), "succeeded"],
  ["an error, and the check fails", refusal("vendor failure"), { status: 502, body: "<html>" }, "unknown"],
  ["an error, and the check is not authorized", refusal("x"), refusal("Authorization failed please send valid …"), "unknown"],
  ["a refusal of our credentials", refusal("Authorization failed please send valid …"), {}, "declined"],
  ["a page of a firewall", { status: 500, body: "<html>" }, {}, "unknown"],
])("a booking answered with %s has the right outcome, and is sent once", async (_what, booked, checked, kind) => {
  const { connector, heard } = await answeringProvider(SUBJECT, ({ path }) => (path === "/bookticket" ? booked : checked));
  expect((await connector.send(providerRequest(BOOKING), NEVER)).kind).toBe(kind);
  expect(heard.filter(({ method }) => method === "POST")).toMatchObject([{ path: "/bookticket", body: "" }]);
  expect(heard[0]?.query.get("blockKey")).toBe("QaRDiuPZSs");
});

test("the ticket's number is kept as the provider's id, and the bus operator's PNR is what the client reads", async () => {
  const { connector } = await answeringProvider(SUBJECT, ({ path }) => (path === "/bookticket" ? { body: "A4VTVBAP" } : ticket("BOOKED")));
  const sent = providerRequest(BOOKING);
  expect(await connector.send(sent, NEVER)).toMatchObject({ kind: "succeeded", operatorRef: "PNR-77", providerRef: "A4VTVBAP" });
  expect(await connector.ask({ ...sent, providerRef: "A4VTVBAP" }, NEVER)).toMatchObject({ kind: "succeeded", operatorRef: "PNR-77" });
});

test.each([
  ["no ticket", refusal("no ticket")],
  ["a cancelled ticket", ticket("CANCELLED")],
  ["a page of a firewall", { status: 403, body: "<html>" }],
])("a booking in doubt stays so when its status says %s", async (_what, answer) => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => answer);
  expect((await connector.ask(providerRequest(BOOKING), NEVER)).kind).toBe("unknown");
  expect(heard).toMatchObject([{ method: "GET", path: "/checkBookedTicket" }]);
});

test.each([
  [{ callFareBreakUpAPI: "true" }, 0],
  [{ bpDpSeatLayout: "true" }, 0],
  [{ noSeatLayoutEnabled: "true" }, 0],
  [{ busCancelled: "true" }, 0],
  [{ bookable: "false" }, 0],
  [{}, 1],
])("a trip with %o is listed %i times, because its fare or its seats are not certain otherwise", async (more, count) => {
  const usual = { callFareBreakUpAPI: "false", bpDpSeatLayout: "false", noSeatLayoutEnabled: "false", bookable: "true" };
  const stop = { bpId: "1", bpName: "Here", time: "1202" };
  const trip = {
    ...{ ...usual, busCancelled: "false", unAvailable: "false", id: "9007199254740993", operator: "1", travels: "T", busType: "AC" },
    ...{
      departureTime: "1202",
      arrivalTime: "1740",
      fares: ["10.50", "12.00"],
      boardingTimes: [stop, stop],
      cancellationPolicy: "0:-1:100:0;",
    },
    ...more,
  };
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: { availableTrips: [trip] } }));
  const found = await connector.query("bus.trips", SEARCH, NEVER);
  expect(found).toMatchObject({ kind: "answered", value: { trips: { length: count } } });
  const listed = { trip_id: "9007199254740993", fares: ["10.5", "12"], cancellation: [{ hours_before: 0, percent: 100 }] };
  if (count === 1) expect(found).toMatchObject({ value: { trips: [listed] } });
});

test("cancellation charges are the provider's: summed by seat, or its own totals; a tax without totals gives no quote", async () => {
  const entry = (...values: readonly string[]) => ({ entry: values.map((value, index) => ({ key: `S${index}`, value })) });
  const answers = [
    { cancellable: "true", fares: entry("262.50", "262.50"), cancellationCharges: entry("25.00", "30.00") },
    { cancellable: "true", serviceTaxOnCancellationCharge: "5", totalRefundAmount: "465.00", totalCancellationCharge: "60.00" },
    { cancellable: "true", serviceTaxOnCancellationCharge: "5", fares: entry("262.50"), cancellationCharges: entry("25.00") },
    { cancellable: "true", fares: entry("262.50") },
    { cancellable: "false" },
  ];
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: answers.shift() }));
  const ask = () => connector.query("bus.cancel_quote", TICKET, NEVER);
  expect(await ask()).toEqual({ kind: "answered", value: { refund: "470.0000", charges: "55.0000" } });
  expect(await ask()).toEqual({ kind: "answered", value: { refund: "465", charges: "60" } });
  expect(await ask()).toMatchObject({ kind: "unavailable" });
  expect(await ask()).toMatchObject({ kind: "unavailable" });
  expect(await ask()).toMatchObject({ kind: "refused", code: "not_cancellable" });
});

test("a cancellation names the ticket and its seats; only the provider's own words refuse it", async () => {
  const answers = [
    { body: { tin: "A4VTVBAP", refundAmount: "237.50" } },
    refusal("too late"),
    { status: 502, body: "" },
    ticket("X", "OTHER"),
  ];
  const { connector, heard } = await answeringProvider(SUBJECT, () => answers.shift() ?? {});
  const cancel = async () => (await connector.query("bus.cancel", { ...TICKET, cancel_reference: "CAN1" }, NEVER)).kind;
  expect([await cancel(), await cancel(), await cancel(), await cancel()]).toEqual(["answered", "refused", "unavailable", "unavailable"]);
  expect(heard[0]).toMatchObject({ method: "POST", path: "/cancelticket" });
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ tin: "A4VTVBAP", seatsToCancel: ["UF3"] });
});

test("a cancelled ticket is known as such, so that a cancellation is not repeated after a missing answer", async () => {
  const answers = ["BOOKED", "CANCELLED"].map((status) => ticket(status));
  const { connector } = await answeringProvider(SUBJECT, () => answers.shift() ?? {});
  expect(await connector.query("bus.ticket", TICKET, NEVER)).toMatchObject({ value: { status: "booked" } });
  expect(await connector.query("bus.ticket", TICKET, NEVER)).toMatchObject({ value: { status: "cancelled" } });
});

test("a booking waits as long as the provider says that it may take", async () => {
  const { connector } = await connectTwin(SUBJECT);
  expect(connector.timeoutMilliseconds).toBeGreaterThanOrEqual(185_000);
});
