import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { DIRECT, EXACT, MOBILE, paramsOf } from "./testing/payer.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await fixture.newClient();
});
afterAll(async () => {
  expect(await fixture.orders.balance(client.accountId)).toBe(1_000);
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const FETCH = { request_id: "F-1", biller_id: EXACT, customer_mobile: MOBILE, params: paramsOf(EXACT) };
const COMMON = { request_id: "P-1", amount: "100", payment_mode: "UPI", payer_name: "Asha Verma" };
const BY_FETCH = { ...COMMON, fetch_ref: "SOME-FETCH" };
const BY_BILLER = { ...COMMON, biller_id: DIRECT, params: paramsOf(DIRECT), customer_mobile: MOBILE };

const MISSING = undefined;
const LONG = "x".repeat(65);
const NO_TEXT = [7, true, null, {}, ["x"]] as const;
type Bounds = Readonly<Record<string, readonly unknown[]>>;

const REFERENCES = [MISSING, ...NO_TEXT, "", "a b", "a&b", "a=b", "é", "x\n", LONG];
const MOBILES = [...NO_TEXT, "", "987654321", "98765432100", "5876543210", "+919876543210", "98765 43210", "9876543210\n"];
const PARAMS = [7, true, null, "x", ["x"], { ca_number: 7 }, { ca_number: null }, { ca_number: { deep: "x" } }, { ca_number: ["x"] }];
const AMOUNTS = [
  MISSING,
  100,
  ...NO_TEXT,
  "",
  "0",
  "0.0",
  "-1",
  "+1",
  "1e3",
  "01",
  "1.",
  ".5",
  "1.00001",
  "1,000",
  " 1",
  "12345678901",
  "1\n",
];
const NAMES = [MISSING, ...NO_TEXT, "", " ", "x\ny", ` x`, `x${"y".repeat(80)}`];
const PANS = [...NO_TEXT, "", "ABCPE1234", "abcpe1234f", "ABCPE1234FF", "ABCP11234F", "ABCPE1234F\n"];

const CALLS: readonly (readonly [call: string, path: string, good: Json, bounds: Bounds])[] = [
  [
    "POST /bills/fetch",
    "/bills/fetch",
    FETCH,
    {
      request_id: REFERENCES,
      biller_id: [MISSING, ...NO_TEXT, "", LONG],
      customer_mobile: [MISSING, ...MOBILES],
      params: [MISSING, ...PARAMS],
      channel: [...NO_TEXT, "", "int", "MOB"],
    },
  ],
  [
    "POST /bills/pay by fetch",
    "/bills/pay",
    BY_FETCH,
    {
      request_id: REFERENCES,
      fetch_ref: [MISSING, ...NO_TEXT, "", "a b", "x\n", "é", LONG],
      amount: AMOUNTS,
      payment_mode: [MISSING, ...NO_TEXT, "", "x".repeat(33)],
      payer_name: NAMES,
      payer_pan: PANS,
    },
  ],
  [
    "POST /bills/pay by biller",
    "/bills/pay",
    BY_BILLER,
    {
      biller_id: [MISSING, ...NO_TEXT, "", LONG],
      customer_mobile: [MISSING, ...MOBILES],
      params: [MISSING, ...PARAMS],
    },
  ],
];

const CASES = CALLS.flatMap(([call, path, good, bounds]) =>
  Object.entries(bounds).map(([field, values]) => ({ call, path, good, field, values })),
);

test.each(CASES)("$call names a wrong $field", async ({ path, good, field, values }) => {
  for (const value of values) {
    const { status, body } = await client.signed.post(path, { ...good, [field]: value });
    expect({ status, error: body["error"], code: body["code"], ok: body["ok"] }, JSON.stringify(value)).toEqual({
      status: 400,
      error: "invalid_request",
      code: 120,
      ok: false,
    });
    const named = Object.keys(body["fields"] as object);
    // A wrong value inside an object is named with its own name.
    expect(named.map((name) => name.split(".")[0])).toEqual([field]);
  }
});

test("several wrong fields are named together", async () => {
  const { body } = await client.signed.post("/bills/pay", { ...BY_FETCH, amount: 1, payer_name: "", payer_pan: "x" });
  expect(Object.keys(body["fields"] as object).toSorted()).toEqual(["amount", "payer_name", "payer_pan"]);
});

test("a payment names a fetch or a whole biller; beside a fetch, the biller changes nothing", async () => {
  const ask = async (body: Json) => (await client.signed.post("/bills/pay", body)).body["fields"];
  expect(await ask(COMMON)).toEqual({ fetch_ref: expect.stringContaining("biller_id, params, customer_mobile") });
  expect((await client.signed.post("/bills/pay", { ...BY_BILLER, fetch_ref: "X" })).body).toMatchObject({ error: "fetch_not_found" });
  expect(await ask({ ...COMMON, biller_id: DIRECT })).toEqual({ params: "is required", customer_mobile: "is required" });
});

test("unknown fields are ignored, in a fetch and in a payment", async () => {
  expect((await client.signed.post("/bills/fetch", { ...FETCH, request_id: "F-2", colour: "red" })).status).toBe(200);
  expect((await client.signed.post("/bills/pay", { ...BY_FETCH, colour: "red" })).body).toMatchObject({ error: "fetch_not_found" });
});

test("the longest and oddest values that are allowed pass", async () => {
  const requestId = `${"x".repeat(60)}._:-`;
  expect((await client.signed.post("/bills/fetch", { ...FETCH, request_id: requestId })).body).toMatchObject({ request_id: requestId });
  const odd = {
    ...BY_FETCH,
    fetch_ref: "x".repeat(64),
    amount: "9999999999.9999",
    payer_name: "ఆశా D'Souza-Rao (Mrs.)",
    payment_mode: "x".repeat(32),
  };
  expect((await client.signed.post("/bills/pay", odd)).body).toMatchObject({ error: "fetch_not_found" });
});

const LOOKUPS: readonly (readonly [path: string, query: Record<string, string>, field: string])[] = [
  ["/bills/fetch", {}, "fetch_ref"],
  ["/bills/fetch", { fetch_ref: "X", request_id: "Y" }, "fetch_ref"],
  ["/bills/fetch", { fetch_ref: "" }, "fetch_ref"],
  ["/bills/fetch", { fetch_ref: LONG }, "fetch_ref"],
  ["/bills/fetch", { fetch_ref: "\0" }, "fetch_ref"],
  ["/bills/fetch", { request_id: "" }, "request_id"],
  ["/bills/fetch", { request_id: "a&b" }, "request_id"],
  ["/bills/fetch", { request_id: LONG }, "request_id"],
  ["/bills/pay", {}, "request_id"],
  ["/bills/pay", { fetch_ref: "X", request_id: "Y" }, "request_id"],
  ["/bills/pay", { fetch_ref: "X", order_id: "Y" }, "request_id"],
  ["/bills/pay", { request_id: LONG }, "request_id"],
  ["/bills/pay", { fetch_ref: "\0" }, "fetch_ref"],
  ["/bills/pay", { fetch_ref: LONG }, "fetch_ref"],
  ["/bills/pay", { order_id: "" }, "order_id"],
  ["/bills/pay", { order_id: LONG }, "order_id"],
];

test.each(LOOKUPS)("GET %s refuses %j and names the field", async (path, query, field) => {
  const { status, body } = await client.signed.get(path, query);
  expect({ status, error: body["error"] }).toEqual({ status: 400, error: "invalid_request" });
  expect(Object.keys(body["fields"] as object)).toEqual([field]);
});
