import { afterAll, beforeAll, expect, test } from "vitest";
import { pollOrders } from "../orders/recovery/order-polls.ts";
import { type ScriptedConnector, scripted } from "../orders/testing/scripted-connector.ts";
import type { Finding, Outcome } from "../providers/connector.ts";
import { FAILURE_SENTENCES } from "../shared/failure.ts";
import { type AepsClient, aepsClient, type Outlet } from "./aeps/testing/aeps-client.ts";
import { EXACT, fetchBill, fetched, paramsOf, pay, payDirect } from "./bills/testing/payer.ts";
import { type BusFixture, block, book, buy, createBusFixture, freeSeats, hold, quote } from "./bus/testing/travel.ts";
import type { ProviderServices } from "./signed/provider-services.ts";
import type { Answer, Client, Json } from "./testing/service-fixture.ts";
import { beneficiaryBody, newMobile, newParties, newQuote, OTP, type Parties, senderBody, sendTransfer } from "./transfers/testing/flow.ts";

const MARKER = "HOSTILE 51 Traceback db01.internal";
const SENTENCES: readonly string[] = Object.values(FAILURE_SENTENCES);

let provider: ScriptedConnector;
let fixture: BusFixture;
let client: Client;
let aeps: AepsClient;
let outlet: Outlet;
let parties: Parties;
let requests = 0;

beforeAll(async () => {
  provider = scripted({});
  fixture = await createBusFixture({ provider, providerServices: hostileProviderServices });
  client = await fixture.newClient(500_000);
  aeps = await aepsClient(client);
  outlet = await aeps.ready();
  parties = await newParties(client);
});
afterAll(() => fixture.close());

/** What a provider does when it is asked something beside a transaction; null for what the simulator does. */
type Mood = "throws" | "refuses" | null;
let mood: Mood = null;

const REFUSALS: Readonly<Record<string, unknown>> = {
  fetch: { kind: "failed", reason: MARKER },
  ask: { kind: "failed", reason: MARKER },
  block: { kind: "unavailable", why: MARKER },
  cancel: { kind: "refused", why: MARKER },
  cancelQuote: { kind: "refused", why: MARKER },
  checkBiometric: { kind: "rejected", reason: MARKER },
  authenticate: { kind: "rejected", reason: MARKER },
  checkSender: "BLOCKED",
};

type Question = (...given: readonly unknown[]) => Promise<unknown>;

/** The simulator's answers, unless the provider is in a mood. */
function moody<Service extends object>(providerService: Service): Service {
  const questions = Object.entries(providerService).map(([name, real]) => {
    if (typeof real !== "function") return [name, real];
    const question: Question = async (...given) => {
      if (mood === "throws") throw new Error(MARKER);
      return mood === "refuses" && name in REFUSALS ? REFUSALS[name] : await (real as Question)(...given);
    };
    return [name, question];
  });
  return Object.fromEntries(questions) as Service;
}

function hostileProviderServices<All extends Readonly<Record<string, ProviderServices<object>>>>(providerServices: All): All {
  const ofService = (find: ProviderServices<object>) => (provider: string) => {
    const providerService = find(provider);
    return providerService && moody(providerService);
  };
  return Object.fromEntries(Object.entries(providerServices).map(([service, one]) => [service, ofService(one)])) as All;
}

const newId = () => `hostile-${++requests}`;

type Service = { readonly transact: () => Promise<Answer>; readonly look: (id: string) => Promise<Answer> };

const SERVICES: Readonly<Record<string, Service>> = {
  recharge: { transact: () => client.recharge(newId()), look: (id) => client.get("/recharge", { urid: id }) },
  bills: { transact: () => payDirect(client, newId()), look: (id) => client.signed.get("/bills/pay", { request_id: id }) },
  transfers: {
    transact: async () => sendTransfer(client, await newQuote(client, parties, { amount: "100" })),
    look: (id) => client.signed.get("/transfers", { request_id: id }),
  },
  bus: {
    transact: async () => book(client, (await hold(fixture, client, { seats: 1 })).blocked),
    look: (id) => client.signed.get("/bus/book", { request_id: id }),
  },
  aeps: {
    transact: async () => {
      // The tests move the clock, maybe into the next day.
      await aeps.authenticate(outlet);
      return await aeps.withdraw(outlet);
    },
    look: (id) => client.signed.get("/aeps/transactions", { request_id: id }),
  },
};

const idOf = ({ body }: Answer) => String(body["urid"]);

/** Everything the client can read of it: the status lookup, the transactions and the statement. */
async function readBack(service: string, answer: Answer): Promise<readonly Json[]> {
  const looked = await SERVICES[service]?.look(idOf(answer));
  const lists = await Promise.all([client.get("/transactions"), client.get("/statement")]);
  return [answer.body, looked?.body ?? {}, ...lists.map((one) => one.body)];
}

const SAID: readonly (readonly [name: string, send: Outcome, ask: Finding])[] = [
  ["declines", { kind: "declined", reason: MARKER }, { kind: "declined", reason: MARKER }],
  ["cannot be reached", { kind: "not_sent", why: MARKER }, { kind: "not_found" }],
  ["answers garbage and declines later", { kind: "unknown", why: MARKER }, { kind: "declined", reason: MARKER }],
  ["says pending and takes it back", { kind: "pending", why: MARKER }, { kind: "reversed", reason: MARKER }],
  ["stays silent", { kind: "unknown", why: MARKER }, { kind: "unknown", why: MARKER }],
];

const CASES = Object.keys(SERVICES).flatMap((service) => SAID.map(([name, send, ask]) => ({ service, name, send, ask })));

test.each(CASES)("$service: nothing of what a provider that $name says reaches the client", async ({ service, send, ask }) => {
  provider.change({ send, ask });
  const answer = await (SERVICES[service] as Service).transact();
  expect(answer.status).toBe(200);
  fixture.orders.clock.advance(120_000);
  await pollOrders(fixture.ctx);
  const read = await readBack(service, answer);
  expect(JSON.stringify(read)).not.toContain("HOSTILE");
  const [, now] = read;
  if (now?.["status"] === "FAILED") expect(SENTENCES).toContain(now["message"]);
});

test("a success that the provider takes back reads as reversed, in our words", async () => {
  provider.change({ send: { kind: "succeeded", operatorRef: "OP1", recheckAt: 0 }, ask: { kind: "reversed", reason: MARKER } });
  const answer = await client.recharge(newId());
  expect(answer.body["status"]).toBe("SUCCESS");
  await pollOrders(fixture.ctx);
  const { body } = await client.get("/recharge", { urid: idOf(answer) });
  expect(body).toMatchObject({ status: "FAILED", message: "Reversed by the operator." });
});

const SUCCEEDS: Outcome = { kind: "succeeded", operatorRef: "OP1" };

/** Every question that a provider is asked beside transactions. */
async function askEverything(): Promise<Readonly<Record<string, Answer>>> {
  const { get, post } = client.signed;
  const mobile = newMobile();
  const tripId = fixture.trip(1);
  mood = null;
  const seats = await freeSeats(client, tripId);
  provider.change({ send: SUCCEEDS, ask: { kind: "not_found" } });
  const bought = await buy(fixture, client, { seats: 1 });
  const { body: cancelQuote } = await quote(client, bought.ticketNo, bought.seats);
  const registered = (await post("/transfers/senders", senderBody(mobile))).body;
  const bill = await fetched(client, newId());
  const transfer = await newQuote(client, parties, { amount: "100" });
  const [waiting, active] = [await aeps.verified(), await aeps.active()];
  provider.change({ send: { kind: "declined", reason: MARKER }, ask: { kind: "declined", reason: MARKER } });
  return {
    billers: await answered(() => get("/bills/billers")),
    "bill categories": await answered(() => get("/bills/categories")),
    "bill fetch": await answered(() => fetchBill(client, newId())),
    "bill payment": await answered(() => pay(client, newId(), { fetch_ref: bill.fetchRef, amount: bill.amount })),
    "direct bill payment": await answered(() => payDirect(client, newId())),
    "sender registration": await answered(() => post("/transfers/senders", senderBody(newMobile()))),
    "sender verification": await answered(() => post("/transfers/senders/verify", { mobile, otp_ref: registered["otp_ref"], otp: OTP })),
    "beneficiary verification": await answered(() => post("/transfers/beneficiaries/verify", { request_id: newId(), ...pick(parties) })),
    "new beneficiary": await answered(() =>
      post("/transfers/beneficiaries", beneficiaryBody(parties.sender, { account: String(50_100_000_000 + ++requests) })),
    ),
    "transfer banks": await answered(() => get("/transfers/banks")),
    quote: await answered(() => post("/transfers/quote", { request_id: newId(), ...parties, amount: "100" })),
    transfer: await answered(() => sendTransfer(client, transfer)),
    "bus cities": await answered(() => get("/bus/cities")),
    "bus search": await answered(() => get("/bus/trips", { from: "BLR", to: "CHN", date: tripDate(tripId) })),
    "bus seats": await answered(() => get("/bus/seats", { trip_id: tripId })),
    "bus block": await answered(() => block(client, tripId, seats.slice(0, 1))),
    "bus cancellation quote": await answered(() => quote(client, bought.ticketNo, bought.seats)),
    "bus cancellation": await answered(() =>
      post("/bus/cancel", { request_id: newId(), ticket_no: bought.ticketNo, seats: bought.seats, quote_ref: cancelQuote["quote_ref"] }),
    ),
    "AEPS banks": await answered(() => get("/aeps/banks")),
    "outlet registration": await answered(() => post("/aeps/outlets", aeps.registration())),
    "outlet biometric": await answered(() => aeps.biometric(waiting.outletId)),
    "outlet authentication": await answered(() => aeps.authenticate(active)),
    withdrawal: await answered(() => aeps.withdraw(outlet)),
  };
}

const pick = ({ beneficiary_id }: Parties) => ({ beneficiary_id });
const tripDate = (tripId: string) => (tripId.split("-")[2] ?? "").replace(/^(....)(..)(..)$/, "$1-$2-$3");

let asked: Mood = null;

async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  mood = asked;
  return await ask().finally(() => {
    mood = null;
  });
}

test.each(["refuses", "throws"] as const)(
  "nothing of what a provider says that %s to answer a question reaches the client",
  async (wanted) => {
    asked = wanted;
    const answers = await askEverything();
    expect(Object.entries(answers).filter(([, { body }]) => JSON.stringify(body).includes("HOSTILE"))).toEqual([]);
    const refused = Object.entries(answers).filter(([, { status }]) => status >= 400);
    if (wanted === "throws") {
      // A code that could not be sent is asked for again; what it opens is registered.
      const expected = Object.keys(answers).filter((name) => name !== "sender registration");
      expect(refused.map(([name, { status, body }]) => [name, status, body["error"], body["code"]])).toEqual(
        expected.map((name) => [name, 503, "busy", 140]),
      );
      return;
    }
    // So that the questions are known to have reached the provider.
    expect(refused.map(([name]) => name)).toEqual(["bus block", "bus cancellation quote", "bus cancellation", "outlet authentication"]);
    expect(answers["bill fetch"]?.body).toMatchObject({ status: "FAILED", message: FAILURE_SENTENCES.bill_not_given });
    expect(answers["beneficiary verification"]?.body).toMatchObject({ status: "FAILED", message: FAILURE_SENTENCES.declined });
    expect(answers["outlet biometric"]?.body["outlet"]).toMatchObject({ status: "REJECTED", reason: FAILURE_SENTENCES.outlet_rejected });
  },
);

test("what a provider did not answer can be asked again with the same details", async () => {
  const { get, post } = client.signed;
  const mobile = newMobile();
  const registered = (await post("/transfers/senders", senderBody(mobile))).body;
  const verification = { mobile, otp_ref: registered["otp_ref"], otp: OTP };
  const pending = await fetchBill(client, newId(), EXACT, { params: paramsOf(EXACT, "40200") });
  const lookUp = () => get("/bills/fetch", { fetch_ref: String(pending.body["fetch_ref"]) });
  const fetchId = newId();
  asked = "throws";
  expect((await answered(() => fetchBill(client, fetchId))).status).toBe(503);
  expect((await answered(() => post("/transfers/senders/verify", verification))).status).toBe(503);
  fixture.orders.clock.advance(60_000);
  // It was answered pending before, and a provider that does not answer has decided nothing.
  expect(await answered(lookUp)).toMatchObject({ status: 200, body: { status: "pending" } });
  expect((await fetchBill(client, fetchId)).body).toMatchObject({ status: "SUCCESS" });
  expect((await post("/transfers/senders/verify", verification)).body["sender"]).toMatchObject({ status: "VERIFIED" });
  expect((await lookUp()).body).toMatchObject({ status: "SUCCESS" });
});
