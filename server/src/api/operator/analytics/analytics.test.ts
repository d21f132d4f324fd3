import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpOrders } from "../../../domain/reporting/analytics/roll-up.ts";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
let first: string;
let sandbox: string;
let made = 0;
beforeAll(async () => {
  api = await testApi();
  first = (await api.newAccount({ name: "Asha Stores" })).account_id;
  sandbox = (await api.newAccount({ name: "Asha Stores (sandbox)", sandbox: true })).account_id;
  await order("2026-03-04", { operator: "AT", circle: "KA" }, 3);
  await order("2026-03-05", { operator: "JO", circle: "TN", provider: "second" });
  await order("2026-03-05", { operator: "AT", circle: "TN", state: 2, reason: "[operator_down] Down." });
  await order("2026-03-05", { operator: "AT", circle: "TN", state: 2, reason: "Old words." });
  await order("2026-03-02", { operator: "AT", circle: "KA" });
  await order("2026-03-05", { accountId: sandbox });
  await rollUpOrders({ sql: api.settings.database.sql, clock: api.settings.clock });
});
afterAll(() => api.close());

type Made = { accountId?: string; operator?: string; circle?: string; provider?: string; state?: number; reason?: string };

async function order(day: string, one: Made, count = 1): Promise<void> {
  const at = (indiaMidnight(day) ?? 0) + 12 * 3_600_000;
  for (let times = 0; times < count; times++)
    await api.settings.database.sql`
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, circle, provider,
        reason, process_id, created_at, updated_at)
      values (${one.accountId ?? first}, ${orderIdAt(at) + String(++made).padStart(8, "0")}, 'recharge', ${`R${made}`}, '', ${one.state ?? 1}, 100000, '10',
        '9876543210', ${one.operator ?? "AT"}, ${one.circle ?? null}, ${one.provider ?? "first"}, ${one.reason ?? null}, 'P', ${new Date(at)}, ${new Date(at + 300)})`;
}

const read = async (query: string) => {
  const answer = await api.get(`/analytics?from=2026-03-04&to=2026-03-05&${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
type Line = { name: string; label: string; current: { orders: number; success_rate: number | null }; previous: { orders: number } };
const linesOf = async (query: string) =>
  (await read(query)).lines.map(({ name, label, current, previous }: Line) => [name, label, current.orders, previous.orders]);

test("a period is shown with its totals, its hours and the period before", async () => {
  const found = await read("mode=live");
  expect(found).toMatchObject({
    ...{ previous_from: "2026-03-02", previous_to: "2026-03-03", interval: "hour" },
    current: { orders: 6, success: 4, failed: 2, reversed: 0, pending: 0, value: "40.0000", success_rate: 0.6667 },
    previous: { orders: 1, success: 1 },
  });
  expect(found.points.map((point: { at: string; orders: number }) => [point.at, point.orders])).toEqual([
    ["2026-03-04 12:00:00", 3],
    ["2026-03-05 12:00:00", 3],
  ]);
  expect(found.current.median_ms).toBeGreaterThanOrEqual(250);
  expect(found.current.p95_ms).toBeLessThanOrEqual(500);
});

test("every dimension has its lines, with their names", async () => {
  expect(await linesOf("mode=live&by=operator")).toEqual([
    ["AT", "Airtel", 5, 1],
    ["JO", "Jio", 1, 0],
  ]);
  expect((await linesOf("mode=live&by=circle")).map(([name]: readonly string[]) => name)).toEqual(["KA", "TN"]);
  expect(await linesOf("mode=live&by=provider")).toEqual([
    ["first", "first", 5, 1],
    ["second", "second", 1, 0],
  ]);
  expect(await linesOf("mode=live&by=account")).toEqual([[first, "Asha Stores", 6, 1]]);
  expect((await linesOf("mode=live&by=reason")).map(([name, , orders]: readonly unknown[]) => [name, orders])).toEqual([
    ["operator_down", 1],
    ["other", 1],
  ]);
});

test("filters narrow totals and lines, alone and together", async () => {
  expect((await read("mode=live&operator=AT")).current.orders).toBe(5);
  expect((await read("mode=live&operator=AT&circle=TN")).current).toMatchObject({ orders: 2, success: 0 });
  expect((await linesOf("mode=live&operator=AT&by=circle")).map(([name, , orders]: readonly unknown[]) => [name, orders])).toEqual([
    ["KA", 3],
    ["TN", 2],
  ]);
  expect((await read(`account_id=${sandbox}`)).current.orders).toBe(1);
  const byAccount = await linesOf("mode=live&operator=AT&circle=TN&by=account");
  expect(byAccount.map(([, , orders]: readonly unknown[]) => orders)).toEqual([2]);
  expect((await read(`mode=live&account_id=${byAccount[0][0]}&operator=AT&circle=TN&by=reason`)).current.orders).toBe(2);
  expect((await read(`mode=test&account_id=${byAccount[0][0]}&operator=AT&circle=TN&by=reason`)).current.orders).toBe(0);
});

test("live and test mode count their own accounts, and without a mode all are counted", async () => {
  const orders = async (query: string) => (await read(query)).current.orders;
  expect([await orders("mode=live"), await orders("mode=test"), await orders("")]).toEqual([6, 1, 7]);
});

test("a line leads to exactly its orders", async () => {
  const listed = async (query: string) => (await api.get(`/orders?from=2026-03-04&to=2026-03-05&mode=live&${query}`)).body.items.length;
  expect([
    await listed("operator=AT"),
    await listed("circle=TN"),
    await listed("failure=operator_down"),
    await listed("failure=other"),
  ]).toEqual([5, 3, 1, 1]);
});

test("the lines are exported as CSV, and a period that is none is refused", async () => {
  const file = await api.file("/analytics/file?from=2026-03-04&to=2026-03-05&mode=live&by=operator");
  const [header, line] = file.text.split("\n");
  expect(header).toMatch(/^operator,name,orders,success,failed/);
  expect(line).toMatch(/^AT,Airtel,5,3,2,0,0,30\.0000,0\.6,/);
  expect((await api.get("/analytics?from=2026-03-05&to=2026-03-04")).body.fields).toEqual({ from: "Must not be after the last day." });
  expect((await api.get("/analytics?from=2020-01-01&to=2026-03-04")).status).toBe(400);
  expect((await api.get("/analytics?by=target")).status).toBe(400);
});
