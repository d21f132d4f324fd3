import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { switchOperator } from "../../catalog/switch-operator.ts";
import { reverseManually } from "../../orders/change-manually.ts";
import { money } from "../../orders/testing/fixture.ts";
import { topUp } from "../../orders/testing/operations.ts";
import { type Client, createServiceFixture, type Items, itemsOf, type Json, type ServiceFixture } from "../testing/service-fixture.ts";

const DAY = 24 * 60 * 60 * 1_000;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(() => fixture.close());

type Query = Readonly<Record<string, string>>;

/** Every item, page by page; `between` happens after each page. */
async function readAll(client: Client, path: string, query: Query, between?: (page: number) => Promise<unknown>): Promise<Items> {
  const all: Json[] = [];
  let after: string | null = null;
  for (let page = 0; ; page++) {
    const answer = await client.get(path, after === null ? query : { ...query, after });
    all.push(...itemsOf(answer));
    after = answer.body["next"] as string | null;
    if (after === null) return all;
    await between?.(page);
  }
}

const today = () => indiaDate(fixture.orders.clock.now());
const columnOf = (items: Items, name: string) => items.map((item) => item[name]);

/** A client to whom everything has happened once. */
async function busyClient(): Promise<Client> {
  const client = await fixture.newClient(100);
  await client.recharge("succeeded", { amount: "10.5" });
  await client.recharge("failed", { account: "9876543102" });
  await client.recharge("pending", { account: "9876543110" });
  const { body } = await client.recharge("reversed");
  await reverseManually(fixture.ctx, "test", { orderId: String(body["order_id"]), reason: "taken back" });
  await fixture.ctx.writer.write(topUp(client.accountId, -5, "correction"));
  return client;
}

describe("GET /statement", () => {
  test("has a line for every change of the balance, newest first, and each leads to the next", async () => {
    const client = await busyClient();
    const items = itemsOf(await client.get("/statement"));
    expect(items.map((item) => `${item["type"]} ${item["amount"]} ${item["urid"]}`)).toEqual([
      "adjustment -5.0000 ",
      "reversal 10.0000 reversed",
      "debit -10.0000 reversed",
      "debit -10.0000 pending",
      "refund 10.0000 failed",
      "debit -10.0000 failed",
      "debit -10.5000 succeeded",
      "topup 100.0000 ",
    ]);
    const { body } = await client.get("/balance");
    expect(items[0]?.["balance_after"]).toBe(body["balance"]);
    items.forEach((item, place) => {
      const before = Number(items[place + 1]?.["balance_after"] ?? 0);
      expect(Number(item["balance_after"])).toBeCloseTo(before + Number(item["amount"]), 4);
    });
  });

  test("says of each line what it was for, with just the documented fields", async () => {
    const client = await fixture.newClient(100);
    const { body } = await client.recharge("u1");
    const [line, first] = itemsOf(await client.get("/statement"));
    expect(line).toEqual({
      entry_id: `${client.accountId}-2`,
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
      type: "debit",
      amount: "-10.0000",
      balance_after: "90.0000",
      order_id: body["order_id"],
      urid: "u1",
      service: "recharge",
      narration: expect.stringContaining("9876543000"),
    });
    expect(first).toMatchObject({ entry_id: `${client.accountId}-1`, type: "topup", order_id: "", urid: "", service: "" });
  });

  test("page by page shows each line once, while new ones arrive", async () => {
    const client = await busyClient();
    const whole = itemsOf(await client.get("/statement"));
    const paged = await readAll(client, "/statement", { limit: "3" }, (page) => client.recharge(`later-${page}`));
    expect(paged).toEqual(whole);
  });

  test("shows the days that are asked for, and no others", async () => {
    const client = await fixture.newClient(100);
    const days: string[] = [];
    for (let day = 0; day < 3; day++) {
      await client.recharge(`day-${day}`);
      days.push(today());
      fixture.orders.clock.advance(DAY);
    }
    const [first = "", second = "", third = ""] = days;
    const urids = async (query: Query) => columnOf(itemsOf(await client.get("/statement", query)), "urid");
    expect(await urids({ from: second, to: second })).toEqual(["day-1"]);
    expect(await urids({ from: first, to: second })).toEqual(["day-1", "day-0", ""]);
    expect(await urids({ from: third })).toEqual(["day-2"]);
    expect(await urids({})).toEqual(["day-2", "day-1", "day-0", ""]);
    fixture.orders.clock.advance(7 * DAY);
    expect(await urids({})).toEqual([]);
    expect(await urids({ from: first, to: third })).toEqual(["day-2", "day-1", "day-0", ""]);
  });
});

describe("GET /transactions", () => {
  test("has every transaction as its own reply shows it, newest first, with its service and times", async () => {
    const client = await busyClient();
    const items = itemsOf(await client.get("/transactions"));
    expect(columnOf(items, "urid")).toEqual(["reversed", "pending", "failed", "succeeded"]);
    for (const item of items) {
      const { service, created_at, updated_at, ...reply } = item;
      expect(reply).toEqual((await client.get("/recharge", { urid: String(item["urid"]) })).body);
      expect(service).toBe("recharge");
      for (const time of [created_at, updated_at]) expect(time).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    }
  });

  test.each([
    [{ status: "SUCCESS" }, ["succeeded"]],
    [{ status: "FAILED" }, ["reversed", "failed"]],
    [{ status: "pending" }, ["pending"]],
    [{ service: "recharge", status: "pending" }, ["pending"]],
    [{ service: "bills" }, []],
  ] as const)("%j shows just those", async (query, urids) => {
    const client = await busyClient();
    expect(columnOf(itemsOf(await client.get("/transactions", query)), "urid")).toEqual(urids);
    expect(columnOf(await readAll(client, "/transactions", { ...query, limit: "1" }), "urid")).toEqual(urids);
  });

  test("page by page shows each transaction once, while new ones arrive", async () => {
    const client = await fixture.newClient();
    await Promise.all(Array.from({ length: 23 }, (_, place) => client.recharge(`u${place}`)));
    const whole = columnOf(itemsOf(await client.get("/transactions")), "order_id");
    const paged = await readAll(client, "/transactions", { limit: "4" }, (page) => client.recharge(`later-${page}`));
    expect(columnOf(paged, "order_id")).toEqual(whole);
    expect(new Set(whole).size).toBe(23);
  });

  test("shows the days that are asked for, and no others", async () => {
    const client = await fixture.newClient(100);
    await client.recharge("first");
    const first = today();
    fixture.orders.clock.advance(8 * DAY);
    await client.recharge("second");
    const urids = async (query: Query) => columnOf(itemsOf(await client.get("/transactions", query)), "urid");
    expect(await urids({})).toEqual(["second"]);
    expect(await urids({ from: first })).toEqual(["second", "first"]);
    expect(await urids({ from: first, to: first })).toEqual(["first"]);
  });
});

describe.each(["/statement", "/transactions"])("GET %s", (path) => {
  test.each([
    [{ from: "2026-02-30" }, "from"],
    [{ to: "15-11-2026" }, "to"],
    [{ from: "0001-01-01", to: "0001-01-02" }, "from"],
    [{ from: "9999-12-31", to: "9999-12-31" }, "from"],
    [{ from: "2026-01-01", to: "2026-02-01" }, "from"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "from"],
    [{ limit: "0" }, "limit"],
    [{ limit: "201" }, "limit"],
    [{ after: "nonsense" }, "after"],
  ])("refuses %j and names the field", async (query, field) => {
    const reply = await (await fixture.newClient(0)).get(path, query as Query);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request", fields: { [field]: expect.any(String) } } });
  });

  test("refuses the other list's cursor", async () => {
    const client = await busyClient();
    const other = path === "/statement" ? "/transactions" : "/statement";
    const { body } = await client.get(other, { limit: "1" });
    expect((await client.get(path, { after: String(body["next"]) })).status).toBe(400);
  });

  test("shows nothing of another account", async () => {
    await busyClient();
    expect(itemsOf(await (await fixture.newClient(0)).get(path))).toEqual([]);
  });

  test("takes days far away and answers that there is nothing", async () => {
    const client = await busyClient();
    for (const day of ["1970-01-02", "2999-12-31"]) expect(itemsOf(await client.get(path, { from: day, to: day }))).toEqual([]);
  });
});

test.each([
  ["service", "nonsense"],
  ["status", "success"],
])("GET /transactions refuses a %s it does not know", async (field, value) => {
  const reply = await (await fixture.newClient(0)).get("/transactions", { [field]: value });
  expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});

describe("GET /lookup", () => {
  test.each([
    ["9876543210", "AT", "PB"],
    ["7012345000", "JO", "KL"],
    ["9412345000", "BT", "UW"],
    ["9868012000", "MT", "DL"],
  ])("%s is %s in %s, by its series", async (account, operator, circle) => {
    expect(await (await fixture.newClient(0)).get("/lookup", { account })).toEqual({
      status: 200,
      body: { ok: true, operator, circle, ported: false, source: "series" },
    });
  });

  test("has its best guess for a series it does not know", async () => {
    const client = await fixture.newClient(0);
    for (const account of ["6999999999", "7999999999", "8999999999", "9999999999"]) {
      expect((await client.get("/lookup", { account })).body).toMatchObject({ ok: true, source: "series" });
    }
  });

  test.each([
    ["12345678", 404],
    ["01512345000", 404],
    ["123", 400],
    ["98765 43210", 400],
    ["+919876543210", 400],
    ["", 400],
  ])("%j is answered with %i", async (account, status) => {
    expect((await (await fixture.newClient(0)).get("/lookup", { account })).status).toBe(status);
  });

  test("what it answers can be asked for its plans and recharged", async () => {
    const client = await fixture.newClient();
    const { body } = await client.get("/lookup", { account: "9876543000" });
    const plans = itemsOf(await client.get("/plans", { operator: String(body["operator"]), circle: String(body["circle"]) }));
    const amount = String(plans[0]?.["amount"]);
    expect((await client.recharge("plan", { operator: body["operator"], amount })).body).toMatchObject({ status: "SUCCESS", amount });
  });
});

describe("GET /plans", () => {
  test("shows what an operator sells everywhere, cheapest first, with just the documented fields", async () => {
    const client = await fixture.newClient(0);
    const items = itemsOf(await client.get("/plans", { operator: "AT" }));
    expect(items.length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(["amount", "category", "data", "description", "talktime", "validity"]);
    const amounts = items.map((item) => Number(item["amount"]));
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    expect(itemsOf(await client.get("/plans", { operator: "AIRTEL" }))).toEqual(items);
  });

  test("adds what is sold in the circle, and only there", async () => {
    const client = await fixture.newClient(0);
    const count = async (query: Query) => itemsOf(await client.get("/plans", query)).length;
    const everywhere = await count({ operator: "AT" });
    expect(await count({ operator: "AT", circle: "DL" })).toBe(everywhere + 1);
    expect(await count({ operator: "AT", circle: "PB" })).toBe(everywhere);
  });

  test("goes page by page", async () => {
    const client = await fixture.newClient(0);
    const whole = itemsOf(await client.get("/plans", { operator: "MT" }));
    expect(await readAll(client, "/plans", { operator: "MT", limit: "3" })).toEqual(whole);
  });

  test.each([
    [{}, 400, "invalid_request"],
    [{ operator: "ZZ" }, 422, "unknown_operator"],
    [{ operator: "AT", circle: "XX" }, 400, "invalid_request"],
    [{ operator: "AT", circle: "" }, 400, "invalid_request"],
  ])("%j is answered with %i %s", async (query, status, error) => {
    expect(await (await fixture.newClient(0)).get("/plans", query as Query)).toMatchObject({ status, body: { error } });
  });
});

test("GET /services shows what was used of today's limit, and nothing of yesterday's", async () => {
  const client = await fixture.newClient(1_000, { dailyLimit: money(500) });
  const limits = async () => itemsOf(await client.get("/services")).find((item) => item["service"] === "recharge")?.["limits"];
  expect(await limits()).toEqual({
    per_transaction_min: "10.0000",
    per_transaction_max: "5000.0000",
    per_day: "500.0000",
    used_today: "0.0000",
  });
  await client.recharge("u1", { amount: "10.5" });
  await client.recharge("u2", { account: "9876543102" });
  await client.recharge("u3", { account: "9876543110" });
  expect(await limits()).toMatchObject({ used_today: "20.5000" });
  fixture.orders.clock.advance(DAY);
  expect(await limits()).toMatchObject({ used_today: "0.0000" });
});

test("GET /operators shows how each one's providers do, and off for one that is switched off", async () => {
  fixture.health.set("JO", { status: "slow", successRate1h: 0.75 }).set("MT", { status: "down", successRate1h: 0 });
  await switchOperator(fixture.switches, "test", { operator: "MT", enabled: false });
  const items = itemsOf(await (await fixture.newClient(0)).get("/operators"));
  const shown = Object.fromEntries(items.map((item) => [String(item["operator"]), [item["status"], item["success_rate_1h"]]]));
  expect(shown).toMatchObject({ AT: ["up", null], JO: ["slow", 0.75], MT: ["off", 0] });
});

test("the services whose bounds are their own say them", async () => {
  const client = await fixture.newClient();
  const limits = Object.fromEntries(itemsOf(await client.get("/services")).map((item) => [item["service"], item["limits"]]));
  const none = { per_day: null, used_today: null };
  expect(limits).toMatchObject({
    transfers: { per_transaction_min: "100.0000", per_transaction_max: "5000.0000", ...none },
    aeps: { per_transaction_min: "100.0000", per_transaction_max: "10000.0000", ...none },
    bills: { per_transaction_min: null, per_transaction_max: null, ...none },
  });
});
