import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { pollOrders } from "../orders/recovery/order-polls.ts";
import { saveRoute } from "../providers/routing/save-route.ts";
import { addProvider } from "../providers/settings/save-provider.ts";
import { switchProvider } from "../providers/settings/switch-provider.ts";
import { JSON_SPOKEN } from "../providers/testing/definitions.ts";
import { testEgress } from "../providers/testing/egress.ts";
import { startUnrulyServer, type UnrulyServer } from "../providers/testing/unruly-server.ts";
import { type AepsClient, aepsClient, newAadhaar, PID, PLACE } from "./aeps/testing/aeps-client.ts";
import { DIRECT, fetchBill, fetched, MOBILE, paramsOf, payDirect } from "./bills/testing/payer.ts";
import { type BusFixture, buy, createBusFixture, hold, quote } from "./bus/testing/travel.ts";
import type { Answer, Client, Json } from "./testing/service-fixture.ts";
import { newParties, newQuote, newSender, OTP, ok, ref, senderBody } from "./transfers/testing/flow.ts";

// Everything a live account can have arranged with the simulator before the installation goes live.
let fixture: BusFixture;
let provider: UnrulyServer;
let client: Client;
let aeps: AepsClient;
let bodies: Readonly<Record<string, Json>>;
let pending: Readonly<Record<"recharge" | "credit" | "reversed" | "fetch", string>>;
let before: { readonly balance: number; readonly orders: number };

const PATHS = Object.entries(
  (JSON.parse(readFileSync(new URL("../../../../contract/openapi.json", import.meta.url), "utf8")) as { paths: Record<string, object> })
    .paths,
).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((method) => method === "get" || method === "post")
    .map((method) => `${method.toUpperCase()} ${path.replace("/api/corp/v1", "")}`),
);
const TRANSACTIONS = [
  "POST /recharge",
  "POST /bills/pay",
  "POST /transfers",
  "POST /bus/book",
  "POST /aeps/balance_enquiry",
  "POST /aeps/mini_statement",
  "POST /aeps/cash_withdrawal",
  "POST /aeps/aadhaar_pay",
];
// They say what there is here and ask no provider.
const OWN_RECORDS = [
  "GET /balance",
  "GET /operators",
  "GET /services",
  "GET /lookup",
  "GET /plans",
  "GET /statement",
  "GET /transactions",
  "GET /recharge",
  "GET /complaints",
  "GET /complaints/{ref}",
  "POST /complaints",
  "GET /bills/fetch",
  "GET /bills/pay",
  "GET /transfers",
  "GET /transfers/senders",
  "GET /transfers/beneficiaries",
  "GET /bus/book",
  "GET /bus/ticket",
  "GET /aeps/key",
  "GET /aeps/outlets",
  "GET /aeps/transactions",
];

beforeAll(async () => {
  fixture = await createBusFixture({ network: true, delayMilliseconds: 60_000, timeoutMilliseconds: 50 });
  provider = await startUnrulyServer("success", JSON_SPOKEN.words);
  client = await fixture.newClient(100_000);
  aeps = await aepsClient(client);
  bodies = await arrange();
  pending = await leavePending();
  before = await money(client);
  await goLive();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await provider.close();
  await fixture.close();
});

async function goLive(): Promise<void> {
  const settings = { ...JSON_SPOKEN.describe(provider.origin), name: "acme" } as JsonObject;
  const input = { provider: "acme", connector: "description", settings, secrets: { token: "t" } } as const;
  expect(await addProvider({ ...fixture.providerRegistry, egress: testEgress() }, "test", input)).toMatchObject({ kind: "done" });
  const route = { service: "recharge", operator: "AT", provider: "acme" };
  expect(await saveRoute(fixture.providerRegistry, "test", route)).toMatchObject({ kind: "done", wentLive: expect.any(Object) });
}

async function money({ accountId }: Client): Promise<{ readonly balance: number; readonly orders: number }> {
  const rows = await fixture.ctx.sql`select from orders where account_id = ${accountId}`;
  return { balance: await fixture.orders.balance(accountId), orders: rows.length };
}

/** A body that would do something for every POST there is, all of it arranged with the simulator. */
async function arrange(): Promise<Readonly<Record<string, Json>>> {
  const parties = await newParties(client);
  const otherSender = "9812300001";
  const registered = await ok(client.signed.post("/transfers/senders", senderBody(otherSender)));
  const added = await ok(
    client.signed.post("/transfers/beneficiaries", {
      ...{ request_id: ref(), sender: parties.sender, name: "Asha Rao" },
      ...{ account: "998877665544", ifsc: "HDFC0001234" },
    }),
  );
  const bill = await fetched(client, ref());
  const held = await hold(fixture, client, {});
  const ticket = await buy(fixture, client);
  const cancelling = await quote(client, ticket.ticketNo, ticket.seats);
  const outlet = await aeps.ready();
  const waiting = await aeps.registered();
  const verified = await aeps.verified();
  const otpRef = await aeps.sendOtp(waiting.outletId);
  const enquiry = () => aeps.transaction(outlet, { amount: undefined });
  const beneficiary = added["beneficiary"] as Json;
  return {
    "POST /recharge": { account: "9876543000", operator: "TP", amount: "100", urid: ref() },
    "POST /bills/fetch": { request_id: ref(), biller_id: DIRECT, customer_mobile: MOBILE, params: paramsOf(DIRECT) },
    "POST /bills/pay": { request_id: ref(), fetch_ref: bill.fetchRef, amount: bill.amount, payment_mode: "UPI", payer_name: "Asha" },
    "POST /transfers/senders": senderBody("9812300002"),
    "POST /transfers/senders/verify": { mobile: otherSender, otp_ref: registered["otp_ref"], otp: OTP },
    "POST /transfers/senders/otp": { mobile: otherSender, otp_ref: registered["otp_ref"] },
    "POST /transfers/beneficiaries": {
      request_id: ref(),
      sender: parties.sender,
      name: "A B",
      account: "11223344556",
      ifsc: "HDFC0001234",
    },
    "POST /transfers/beneficiaries/verify_otp": { beneficiary_id: beneficiary["beneficiary_id"], otp_ref: added["otp_ref"], otp: OTP },
    "POST /transfers/beneficiaries/verify": { request_id: ref(), beneficiary_id: parties.beneficiary_id },
    "POST /transfers/beneficiaries/delete": { beneficiary_id: parties.beneficiary_id },
    "POST /transfers/quote": { request_id: ref(), ...parties, amount: "1000" },
    "POST /transfers": { request_id: ref(), transfer_ref: await newQuote(client, parties), otp: OTP },
    "POST /bus/block": {
      ...{ request_id: ref(), trip_id: fixture.trip(1), boarding_id: "B1" },
      passengers: [{ seat: "A1", title: "Ms", name: "Asha Rao", age: 34, gender: "F" }],
      contact: { mobile: "9876543000", email: "asha@example.com" },
    },
    "POST /bus/book": { request_id: ref(), block_ref: held.blocked.body["block_ref"], amount: held.blocked.body["total"] },
    "POST /bus/cancel": {
      ...{ request_id: ref(), ticket_no: ticket.ticketNo, seats: ticket.seats },
      quote_ref: cancelling.body["quote_ref"],
    },
    "GET /bus/cancel": { ticket_no: ticket.ticketNo, seats: ticket.seats.join(",") },
    "GET /bus/trips": { from: "BLR", to: "CHN", date: ticket.tripId.split("-")[2]?.replace(/(....)(..)(..)/, "$1-$2-$3") ?? "" },
    "GET /bus/seats": { trip_id: ticket.tripId },
    "GET /transfers/senders": { mobile: parties.sender },
    "GET /transfers/beneficiaries": { sender: parties.sender },
    "POST /aeps/outlets": aeps.registration(),
    "POST /aeps/outlets/otp": { outlet_id: waiting.outletId },
    "POST /aeps/outlets/otp_verify": { outlet_id: waiting.outletId, otp_ref: otpRef, otp: OTP },
    "POST /aeps/outlets/biometric": { outlet_id: verified.outletId, pid: PID, ...PLACE },
    "POST /aeps/auth": { outlet_id: outlet.outletId, type: "DAILY", aadhaar_enc: aeps.encrypt(newAadhaar()), pid: PID, ...PLACE },
    "POST /aeps/cash_withdrawal": aeps.transaction(outlet),
    "POST /aeps/aadhaar_pay": aeps.transaction(outlet),
    "POST /aeps/balance_enquiry": enquiry(),
    "POST /aeps/mini_statement": enquiry(),
  };
}

/** Orders whose end the simulator still owes when the trial ends. */
async function leavePending(): Promise<typeof pending> {
  const recharge = await client.recharge(ref(), { account: "9876543200", operator: "TP" });
  const reversed = await client.recharge(ref(), { account: "9876543120", operator: "TP" });
  expect([recharge.body["status"], reversed.body["status"]]).toEqual(["pending", "SUCCESS"]);
  const credit = await ok(aeps.withdraw(await aeps.ready(), { customer_mobile: "9876543200" }));
  expect(credit["status"]).toBe("pending");
  const params = { params: paramsOf("TPDDL0000DEL01", "40200") };
  const fetch = await fetchBill(client, ref(), "TPDDL0000DEL01", params);
  expect(fetch.body["status"]).toBe("pending");
  return {
    recharge: String(recharge.body["order_id"]),
    reversed: String(reversed.body["order_id"]),
    credit: String(credit["order_id"]),
    fetch: String(fetch.body["fetch_ref"]),
  };
}

function call(name: string, who = client): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const body = bodies[name] ?? {};
  return method === "GET" ? who.signed.get(path, body as Record<string, string>) : who.signed.post(path, body);
}

test("every route of the API is one of those below", () => {
  const known = new Set([...OWN_RECORDS, ...Object.keys(bodies), "GET /bills/categories", "GET /bills/billers", "GET /transfers/banks"]);
  for (const name of ["GET /bus/cities", "GET /aeps/banks"]) known.add(name);
  expect(PATHS.filter((name) => !known.has(name))).toEqual([]);
});

describe("in a live installation, a live account", () => {
  test.each(TRANSACTIONS)("gets a failed reply from %s, and nothing is created or charged", async (name) => {
    const { status, body } = await call(name);
    const recharge = name === "POST /recharge";
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "failed", code: 331, order_id: "", balance: null } });
    expect({ ok: body["ok"], error: body["error"] }).toEqual(recharge ? {} : { ok: false, error: "service_off" });
    expect(await money(client)).toEqual(before);
  });

  test.each(PATHS.filter((name) => !TRANSACTIONS.includes(name) && !OWN_RECORDS.includes(name)))(
    "is refused by %s with 403",
    async (name) => {
      expect(await call(name)).toMatchObject({ status: 403, body: { error: "service_off", code: 331 } });
      expect(await money(client)).toEqual(before);
    },
  );

  test("pays no biller directly and no bill that the simulator fetched, by whatever flow", async () => {
    const unpaid = await payDirect(client, ref());
    expect(unpaid).toMatchObject({ status: 200, body: { ok: false, error: "service_off", order_id: "" } });
    const waiting = await client.signed.post("/bills/pay", {
      ...{ request_id: ref(), fetch_ref: pending.fetch, amount: "10", payment_mode: "UPI", payer_name: "Asha" },
    });
    expect(waiting.body).toMatchObject({ ok: false, error: "service_off" });
    const looked = await client.signed.get("/bills/fetch", { fetch_ref: pending.fetch });
    expect(looked).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(await money(client)).toEqual(before);
  });

  test("sees operators without a provider as down, services without one as off, and those with one as they are", async () => {
    const operators = (await client.get("/operators")).body["items"] as readonly Json[];
    expect(operators.filter((one) => one["status"] === "up").map((one) => one["operator"])).toEqual(["AT"]);
    expect(new Set(operators.filter((one) => one["operator"] !== "AT").map((one) => one["status"]))).toEqual(new Set(["down"]));
    const services = (await client.get("/services")).body["items"] as readonly Json[];
    expect(services.map((one) => [one["service"], one["state"]])).toEqual(
      expect.arrayContaining([["recharge", "open"], ...["bills", "transfers", "bus", "aeps"].map((service) => [service, "off"])]),
    );
  });

  test("is served by the real provider where there is one, and refused when that is switched off", async () => {
    const served = await client.recharge(ref());
    expect(served.body).toMatchObject({ status: "SUCCESS", operator_ref: "OP1" });
    const after = await money(client);
    await switchProvider(fixture.providerRegistry, "test", { provider: "acme", enabled: false });
    expect((await client.recharge(ref())).body).toMatchObject({ status: "failed", code: 331, order_id: "" });
    expect(await money(client)).toEqual(after);
    const services = (await client.get("/services")).body["items"] as readonly Json[];
    expect(services.find((one) => one["service"] === "recharge")).toMatchObject({ state: "off" });
    await switchProvider(fixture.providerRegistry, "test", { provider: "acme", enabled: true });
    before = after;
  });

  test("still finds what it did in trial, and a retry of it is answered", async () => {
    const { orderId, urid } = await firstOrder();
    expect((await client.get("/recharge", { urid })).body).toMatchObject({ order_id: orderId });
    const retried = await client.recharge(urid, { account: "9876543200", operator: "TP" });
    expect(retried.body).toMatchObject({ order_id: orderId });
  });
});

async function firstOrder(): Promise<{ readonly orderId: string; readonly urid: string }> {
  const [row] = await fixture.ctx.sql<{ reference: string }[]>`select reference from orders where order_id = ${pending.recharge}`;
  return { orderId: pending.recharge, urid: row?.reference ?? "" };
}

describe("a sandbox account", () => {
  test("is served by the simulator in a live installation too, every service", async () => {
    const sandbox = await fixture.newClient(10_000, { sandbox: true });
    expect((await sandbox.recharge(ref(), { operator: "TP" })).body).toMatchObject({ status: "SUCCESS" });
    expect((await payDirect(sandbox, ref())).body).toMatchObject({ status: "SUCCESS" });
    await newSender(sandbox);
    expect((await buy(fixture, sandbox)).orderId).not.toBe("");
    const agent = await aepsClient(sandbox);
    expect((await agent.withdraw(await agent.ready())).body).toMatchObject({ status: "SUCCESS" });
    const services = (await sandbox.get("/services")).body["items"] as readonly Json[];
    expect(services.map((one) => one["state"])).toEqual(services.map(() => "open"));
    const operators = (await sandbox.get("/operators")).body["items"] as readonly Json[];
    expect(new Set(operators.map((one) => one["status"]))).toEqual(new Set(["up"]));
  });
});

describe("what the trial left pending", () => {
  test("ends by polling; the simulator neither credits a wallet nor reverses a success", async () => {
    const { balance } = await money(client);
    fixture.orders.clock.advance(120_000);
    for (let time = 0; time < 3; time++) {
      await pollOrders(fixture.ctx);
      fixture.orders.clock.advance(120_000);
    }
    const rows = await fixture.ctx.sql<{ order_id: string; state: number }[]>`
      select order_id, state from orders where order_id in ${fixture.ctx.sql(Object.values(pending))}`;
    const states = Object.fromEntries(rows.map((row) => [row.order_id, row.state]));
    expect([states[pending.recharge], states[pending.reversed], states[pending.credit]]).toEqual([1, 1, 2]);
    expect((await money(client)).balance).toBe(balance);
  });
});
