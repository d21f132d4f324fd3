import { afterAll, beforeAll, expect, test } from "vitest";
import { targetField } from "../fields.ts";
import { type Client, createServiceFixture, itemsOf, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { EXACTNESSES, FLOWS, targetOf } from "./billers/biller.ts";
import { BILLERS } from "./simulator/simulated-bills.ts";
import { fetchBill, MOBILE, paramsOf, pay } from "./testing/payer.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await fixture.newClient(100_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const list = async (query: Record<string, string> = {}) => itemsOf(await client.signed.get("/bills/billers", { limit: "200", ...query }));

test("the catalogue has every flow and exactness, fees of both kinds, several sets of payment modes and a biller that is inactive", async () => {
  const items = await list();
  expect(items.length).toBeGreaterThanOrEqual(30);
  const valuesOf = (name: string) => new Set(items.map((item) => item[name]));
  expect(valuesOf("category").size).toBeGreaterThanOrEqual(12);
  expect(valuesOf("flow")).toEqual(new Set(FLOWS));
  expect(valuesOf("exactness")).toEqual(new Set(EXACTNESSES));
  expect(valuesOf("status")).toEqual(new Set(["active", "inactive"]));
  expect(new Set(items.map((item) => JSON.stringify(item["payment_modes"]))).size).toBeGreaterThan(2);
  const fees = items.map((item) => item["fee"] as { flat: string; percent: string });
  expect(fees).toContainEqual({ flat: "0.0000", percent: "0.00" });
  expect(fees).toContainEqual({ flat: "5.0000", percent: "0.50" });
  expect(new Set(items.map((item) => item["biller_id"])).size).toBe(items.length);
  // A word with capitals inside is a name of the program, not of a company.
  expect(items.map((item) => String(item["name"])).filter((name) => /[a-z][A-Z]/.test(name))).toEqual([]);
});

test("a biller says all that a client needs to fetch and to pay", async () => {
  expect(await list({ biller_id: "MGL000000MUM01" })).toEqual([
    {
      biller_id: "MGL000000MUM01",
      name: "Mahanagar Gas",
      category: "gas",
      flow: "fetch",
      exactness: "range",
      min_amount: "1.0000",
      max_amount: "50000.0000",
      params: [
        { name: "ca_number", label: "CA number", pattern: "^[0-9]{12}$", example: "210000012345", optional: false },
        { name: "bill_group", label: "Bill group", pattern: "^[A-Z0-9]{1,4}$", example: "B1", optional: true },
      ],
      fee: { flat: "0.0000", percent: "0.00" },
      payment_modes: ["CASH", "UPI", "DEBIT_CARD", "INTERNET_BANKING", "WALLET"],
      status: "active",
    },
  ]);
});

test("the categories count their billers and are the ones that billers name", async () => {
  const categories = itemsOf(await client.signed.get("/bills/categories", { limit: "200" }));
  for (const { category, name, billers } of categories) {
    expect(await list({ category: String(category) })).toHaveLength(Number(billers));
    expect(name).toMatch(/^[A-Z][A-Za-z ]+$/);
  }
  expect(categories.reduce((sum, one) => sum + Number(one["billers"]), 0)).toBe(BILLERS.length);
});

test("billers are found by category, by part of a name in any case, and by id; no match is an empty list", async () => {
  expect((await list({ category: "dth" })).map((one) => one["flow"])).toEqual(["direct", "direct", "direct"]);
  expect((await list({ search: "tAtA" })).map((one) => one["name"])).toEqual(["Tata Power Delhi Distribution", "Tata Play"]);
  expect(await list({ search: "bescom000" })).toHaveLength(1);
  expect(await list({ search: "tata", category: "dth" })).toHaveLength(1);
  for (const query of [{ biller_id: "NONE" }, { category: "none" }, { search: "nobody" }, { biller_id: "" }])
    expect(await list(query)).toEqual([]);
});

test("following the pages shows every biller and every category once", async () => {
  for (const [path, name] of [
    ["/bills/billers", "biller_id"],
    ["/bills/categories", "category"],
  ] as const) {
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Json = (await client.signed.get(path, { limit: "7", ...(after === null ? {} : { after }) })).body;
      seen.push(...(page["items"] as readonly Json[]).map((item) => item[name]));
      after = page["next"] as string | null;
    } while (after !== null);
    expect(seen).toEqual([...new Set(name === "biller_id" ? BILLERS.map((one) => one.billerId) : BILLERS.map((one) => one.category))]);
  }
});

test.each([
  ["/bills/billers", { limit: "0" }, "limit"],
  ["/bills/billers", { limit: "201" }, "limit"],
  ["/bills/billers", { after: "nowhere" }, "after"],
  ["/bills/billers", { search: "x".repeat(65) }, "search"],
  ["/bills/billers", { category: "x".repeat(65) }, "category"],
  ["/bills/billers", { biller_id: "x".repeat(65) }, "biller_id"],
  ["/bills/categories", { limit: "ten" }, "limit"],
  ["/bills/categories", { after: "nowhere" }, "after"],
])("GET %s refuses %j and names the field", async (path, query, field) => {
  expect(await client.signed.get(path, query as Record<string, string>)).toMatchObject({
    status: 400,
    body: { ok: false, error: "invalid_request", fields: { [field]: expect.any(String) } },
  });
});

test("every example fits its pattern, which lets a target end in any three digits and nothing pass that a target may not be", () => {
  for (const biller of BILLERS) {
    for (const { pattern, example } of biller.params) {
      expect(example).toMatch(pattern);
      expect(pattern.source).toMatch(/^\^.*\$$/);
    }
    const target = targetOf(biller, paramsOf(biller.billerId));
    expect(targetField.safeParse(target).success, biller.billerId).toBe(true);
    const first = biller.params.find((one) => !one.optional);
    for (const ending of ["102", "202", "200", "110", "120", "130", "131", "140", "141", "150"])
      expect(target.slice(0, -3) + ending).toMatch(first?.pattern ?? /^$/);
    for (const bad of ["&", "=", "%", " ", "\n", "é"]) expect(first?.pattern.test(target.slice(0, -1) + bad)).toBe(false);
  }
});

test.each(BILLERS.filter((one) => one.active).map((one) => [one.billerId, one] as const))(
  "%s: its examples are fetched and paid, and end in SUCCESS",
  async (billerId, biller) => {
    const requestId = `example-${billerId}`;
    const common = { payment_mode: biller.paymentModes[0] };
    const least = (biller.minAmount / 10_000n).toString();
    if (biller.flow === "direct") {
      const direct = { biller_id: billerId, customer_mobile: MOBILE, params: paramsOf(billerId), amount: least };
      expect((await pay(client, requestId, { ...common, ...direct })).body).toMatchObject({ status: "SUCCESS", code: 0 });
      return;
    }
    const { body } = await fetchBill(client, requestId, billerId, {
      params: Object.fromEntries(biller.params.map((one) => [one.name, one.example])),
    });
    expect(body).toMatchObject({ ok: true, status: "SUCCESS", flow: biller.flow, exactness: biller.exactness });
    const [bill] = body["bills"] as readonly Json[];
    expect(bill === undefined).toBe(biller.flow === "validate");
    const paid = await pay(client, requestId, { ...common, fetch_ref: body["fetch_ref"], amount: bill?.["amount"] ?? least });
    expect(paid).toMatchObject({
      status: 200,
      body: { status: "SUCCESS", code: 0, bill: { biller_id: billerId, bbps_ref: expect.stringMatching(/^BB[0-9]{14}$/) } },
    });
  },
);
