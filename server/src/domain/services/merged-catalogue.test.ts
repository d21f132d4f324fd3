import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedConnector, scriptedConnector } from "../providers/testing/scripted-connector.ts";
import { type Client, createServiceFixture, itemsOf, type ServiceFixture } from "./testing/service-fixture.ts";

const biller = (id: string, name = id, more: object = {}) => ({
  ...{ biller_id: id, name, category: "electricity", flow: "direct", exactness: "any", min_amount: "1", max_amount: "5000" },
  ...{ params: [{ name: "account", label: "Account", pattern: "^[0-9]{4}$", example: "1234", optional: false }] },
  ...{ payment_modes: ["CASH"], active: true, ...more },
});
const bank = (code: string, status: "up" | "down" = "up") => ({ bank: code, name: `Bank ${code}`, status });
const city = (id: string, name: string) => ({ city_id: id, name, state: "" });
const trip = (id: string, day: string) => ({
  ...{ trip_id: id, operator: "RED", operator_name: "Red Bus", bus_type: "AC", available_seats: 1, fares: ["500"] },
  ...{ departure_at: Date.parse(`${day}T12:00:00Z`), arrival_at: Date.parse(`${day}T20:00:00Z`), boarding: [], dropping: [] },
  ...{ id_proof_required: false, max_seats: 6, partial_cancel: false, cancellation: [] },
});
const seats = {
  seats: [{ seat: "A1", row: 1, column: 1, deck: "lower", type: "seater", gender: "any", available: true, base: "500", tax: "0" }],
};

const TRANSACTIONS = ["recharge.pay", "bills.pay", "transfers.send", "bus.book", "aeps.cash_withdrawal", "aeps.balance_enquiry"] as const;
const OTHERS = {
  "otp.send": {},
  "bills.fetch": {},
  "bus.block": {},
  "bus.cancel": {},
  "aeps.outlet.register": {},
  "aeps.authenticate": {},
};

let fixture: ServiceFixture;
let client: Client;
let [a, b]: readonly (ScriptedConnector | undefined)[] = [];
let day: string;

beforeAll(async () => {
  day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const first = scriptedConnector(TRANSACTIONS, {
    answers: {
      ...OTHERS,
      "bills.billers": { billers: [biller("BOTH", "Power Co."), biller("7", "Water Board"), biller("OFF", "Off", { active: false })] },
      "transfers.banks": { banks: [bank("HDFC", "down"), bank("SBIN")] },
      "aeps.banks": { banks: [{ iin: "1", name: "One", live: false, per_transaction: false }] },
      "bus.cities": { cities: [city("1", "Pune"), city("2", "Goa")] },
      "bus.trips": { trips: [trip("A-1", day)] },
      "bus.seats": seats,
    },
    outcome: () => ({ kind: "declined", reason: "no", decline: "provider" }),
  });
  const second = scriptedConnector(TRANSACTIONS, {
    answers: {
      ...OTHERS,
      "bills.billers": { billers: [biller("ONLYB"), biller("BOTH", "POWER CO"), biller("7", "Gas Board"), biller("OFF")] },
      "transfers.banks": { banks: [bank("HDFC"), bank("ICIC")] },
      "aeps.banks": { banks: [{ iin: "1", name: "One", live: true, per_transaction: false }] },
      "bus.cities": { cities: [city("1", "Pune"), city("2", "Nashik"), city("3", "Mumbai")] },
      "bus.trips": { trips: [trip("B-1", day)] },
      "bus.seats": seats,
      plans: { plans: [{ amount: "299", validity: "28 days", data: "", talktime: "", category: "Unlimited", description: "" }] },
      lookup: { operator: "JO", circle: "KA", ported: true },
    },
  });
  [a, b] = [first, second];
  fixture = await createServiceFixture({ providers: { a: first, b: second } });
  client = await fixture.newClient(10_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const pay = (request_id: string, biller_id: string) =>
  client.signed.post("/bills/pay", {
    ...{ request_id, biller_id, params: { account: "1234" }, customer_mobile: "9876543210" },
    ...{ amount: "100", payment_mode: "CASH", payer_name: "Asha Rao" },
  });
const servedBy = async (requestId: string) =>
  (await fixture.ctx.sql<{ provider: string }[]>`select provider from orders where reference = ${requestId}`)[0]?.provider;

test("billers of all providers appear once, and an active one comes before an inactive one", async () => {
  const items = itemsOf(await client.signed.get("/bills/billers"));
  expect(items.map((one) => [one["biller_id"], one["name"], one["status"]])).toEqual([
    ["BOTH", "Power Co.", "active"],
    ["7", "Water Board", "active"],
    ["OFF", "OFF", "active"],
    ["ONLYB", "ONLYB", "active"],
  ]);
  expect(itemsOf(await client.signed.get("/bills/categories"))).toMatchObject([{ category: "electricity", billers: 4 }]);
});

test("a payment goes to a provider that has the biller, and to the next one that has it when the first declines", async () => {
  expect((await pay("only-b", "ONLYB")).body).toMatchObject({ status: "SUCCESS" });
  expect(await servedBy("only-b")).toBe("b");
  expect((await pay("both", "BOTH")).body).toMatchObject({ status: "SUCCESS" });
  expect(a?.sent.map(({ operator }) => operator)).toEqual(["BOTH"]);
  expect(await servedBy("both")).toBe("b");
});

test("a biller whose id means another biller elsewhere is never paid there", async () => {
  const before = b?.sent.length;
  expect((await pay("seven", "7")).body).toMatchObject({ status: "FAILED" });
  expect(b?.sent).toHaveLength(before ?? -1);
  expect((await pay("none", "NONE")).body).toMatchObject({ error: "biller_not_found" });
});

test("a bank is up when one provider reaches it", async () => {
  const items = itemsOf(await client.signed.get("/transfers/banks"));
  expect(items.map((one) => [one["bank"], one["status"]])).toEqual([
    ["HDFC", "up"],
    ["SBIN", "up"],
    ["ICIC", "up"],
  ]);
  expect(itemsOf(await client.signed.get("/aeps/banks"))).toMatchObject([{ bank_iin: "1", status: "live" }]);
});

test("a search goes to the first provider that has both cities, and the seats come from the one that listed the trip", async () => {
  const cities = itemsOf(await client.signed.get("/bus/cities"));
  expect(cities.map((one) => one["name"])).toEqual(["Pune", "Goa", "Mumbai"]);
  const [trip] = itemsOf(await client.signed.get("/bus/trips", { from: "1", to: "3", date: day }));
  const asked = a?.asked.length;
  expect((await client.signed.get("/bus/seats", { trip_id: String(trip?.["trip_id"]) })).body).toMatchObject({ seats: [{ seat: "A1" }] });
  expect(a?.asked).toHaveLength(asked ?? -1);
  expect(b?.asked.at(-1)).toBe("bus.seats");
  // City 2 is Goa at one provider and Nashik at the other, so no provider has both.
  expect(itemsOf(await client.signed.get("/bus/trips", { from: "2", to: "3", date: day }))).toEqual([]);
  expect(await client.signed.get("/bus/seats", { trip_id: "T-unknown" })).toMatchObject({ body: { error: "trip_not_found" } });
});

test("plans and the origin of a number come from a provider that has them, once", async () => {
  const plans = () => client.get("/plans", { operator: "AT", circle: "KA" });
  expect(itemsOf(await plans())).toMatchObject([{ amount: "299.0000", validity: "28 days" }]);
  await plans();
  const look = () => client.get("/lookup", { account: "9876543210" });
  expect((await look()).body).toMatchObject({ operator: "JO", circle: "KA", ported: true, source: "provider" });
  await look();
  expect(b?.asked.filter((name) => name === "plans" || name === "lookup")).toEqual(["plans", "lookup"]);
});

test("following next shows every plan of a provider once, also plans of the same price and category, and equal ones", async () => {
  const plan = (validity: string) => ({ amount: "299", validity, data: "", talktime: "", category: "Unlimited", description: "" });
  if (b) b.answers.plans = { plans: [plan("28 days"), plan("30 days"), plan("28 days"), plan("1 month")] };
  const seen: unknown[] = [];
  const query: Record<string, string> = { operator: "AT", circle: "MH", limit: "1" };
  for (let page = 0; page < 10; page++) {
    const reply = await client.get("/plans", query);
    seen.push(...itemsOf(reply).map((one) => one["validity"]));
    const next = reply.body["next"];
    if (next === null) break;
    query["after"] = String(next);
  }
  expect(seen).toEqual(["28 days", "30 days", "28 days", "1 month"]);
});

test("a number is looked up by its series when the provider does not answer", async () => {
  if (b) b.answers.lookup = () => ({ kind: "unavailable", why: "time-out" });
  expect((await client.get("/lookup", { account: "9876543211" })).body).toMatchObject({ ported: false, source: "series" });
});
