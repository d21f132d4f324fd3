import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILURE_SENTENCES } from "../kernel/failure.ts";
import { pollOrders } from "../orders/poll-orders.ts";
import { type ScriptedConnector, scripted } from "../orders/testing/scripted-connector.ts";
import type { Finding, Outcome } from "../upstream/connector.ts";
import { type AepsClient, aepsClient, type Outlet } from "./aeps/testing/aeps-client.ts";
import { payDirect } from "./bills/testing/payer.ts";
import { type BusHouse, book, hold, openBusHouse } from "./bus/testing/travel.ts";
import type { Answer, Client, Json } from "./testing/service-house.ts";
import { newParties, newQuote, type Parties, sendTransfer } from "./transfers/testing/flow.ts";

const MARKER = "HOSTILE 51 Traceback db01.internal";
const SENTENCES: readonly string[] = Object.values(FAILURE_SENTENCES);

let provider: ScriptedConnector;
let house: BusHouse;
let client: Client;
let aeps: AepsClient;
let outlet: Outlet;
let parties: Parties;
let requests = 0;

beforeAll(async () => {
  provider = scripted({});
  house = await openBusHouse({ provider });
  client = await house.newClient(500_000);
  aeps = await aepsClient(client);
  outlet = await aeps.ready();
  parties = await newParties(client);
});
afterAll(() => house.close());

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
    transact: async () => book(client, (await hold(house, client, { seats: 1 })).blocked),
    look: (id) => client.signed.get("/bus/book", { request_id: id }),
  },
  aeps: { transact: () => aeps.withdraw(outlet), look: (id) => client.signed.get("/aeps/transactions", { request_id: id }) },
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
  house.orders.clock.advance(120_000);
  await pollOrders(house.ctx);
  const read = await readBack(service, answer);
  expect(JSON.stringify(read)).not.toContain("HOSTILE");
  const [, now] = read;
  if (now?.["status"] === "FAILED") expect(SENTENCES).toContain(now["message"]);
});

test("a success that the provider takes back reads as reversed, in our words", async () => {
  provider.change({ send: { kind: "succeeded", operatorRef: "OP1", recheckAt: 0 }, ask: { kind: "reversed", reason: MARKER } });
  const answer = await client.recharge(newId());
  expect(answer.body["status"]).toBe("SUCCESS");
  await pollOrders(house.ctx);
  const { body } = await client.get("/recharge", { urid: idOf(answer) });
  expect(body).toMatchObject({ status: "FAILED", message: "Reversed by the operator." });
});
