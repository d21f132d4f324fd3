import { afterAll, beforeAll, expect, test } from "vitest";
import { type NewOrderRow, orderRow } from "../../../domain/orders/testing/rows.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const put = (row: NewOrderRow) => orderRow(api.settings.database.sql, row);
const MINUTE = 60_000;

test("operators are listed with their switch, their health and who serves them", async () => {
  const { body } = await api.get("/operators?limit=200");
  expect(body).toMatchObject({ ok: true, next: null });
  const airtel = body.items.find((one: { operator: string }) => one.operator === "AT");
  expect(airtel).toMatchObject({ enabled: true, status: "up", success_rate_1h: null, min_amount: "10.0000" });
  expect(airtel.providers).toMatchObject([{ provider: "simulator", passed_over: null, share: 1 }]);
  await api.post("/operators/AT", { enabled: false });
  const off = (await api.get("/operators?limit=200")).body.items.find((one: { operator: string }) => one.operator === "AT");
  expect(off).toMatchObject({ enabled: false, status: "off" });
  await api.post("/operators/AT", { enabled: true });
});

test("services are listed with their hours and whether they are open now", async () => {
  const { body } = await api.get("/services");
  expect(body.items.map((one: { service: string }) => one.service)).toContain("recharge");
  expect(body.items[0]).toMatchObject({ enabled: true, state: "open", opens_at: null });
  const now = new Date(api.settings.clock.now() + 5.5 * 3_600_000).toISOString().slice(11, 16);
  await api.post("/services/recharge", { opens_at: later(now, 60), closes_at: later(now, 120) });
  const closed = (await api.get("/services")).body.items.find((one: { service: string }) => one.service === "recharge");
  expect(closed.state).toBe("closed");
  await api.post("/services/recharge", { enabled: false, opens_at: null, closes_at: null });
  const off = (await api.get("/services")).body.items.find((one: { service: string }) => one.service === "recharge");
  expect(off.state).toBe("off");
  await api.post("/services/recharge", { enabled: true });
});

test("a switch answers the operator or service as its list shows it", async () => {
  const listed = async (path: string, name: string, code: string) =>
    (await api.get(`${path}?limit=200`)).body.items.find((one: Record<string, unknown>) => one[name] === code);
  for (const enabled of [false, true]) {
    const operator = await api.post("/operators/AT", { enabled });
    expect(operator.body).toEqual(await listed("/operators", "operator", "AT"));
    const service = await api.post("/services/bus", { enabled });
    expect(service.body).toEqual(await listed("/services", "service", "bus"));
  }
});

function later(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const then = (hour * 60 + minute + minutes) % 1440;
  return `${String(Math.floor(then / 60)).padStart(2, "0")}:${String(then % 60).padStart(2, "0")}`;
}

test("the impact of a switch counts the last hour's orders, accounts and money, and all that is pending", async () => {
  const now = api.settings.clock.now();
  await put({ accountId: "AONE", at: now - 5 * MINUTE, rupees: 100, operator: "VI", provider: "acme" });
  await put({ accountId: "AONE", at: now - 6 * MINUTE, rupees: 50, operator: "VI", provider: "simulator", state: 2 });
  await put({ accountId: "ATWO", at: now - 59 * MINUTE, rupees: 10, operator: "VI", provider: "acme", state: 0 });
  await put({ accountId: "ATWO", at: now - 5 * MINUTE, rupees: 7, operator: "JO", provider: "acme" });
  await put({ accountId: "ATWO", at: now - 90 * MINUTE, rupees: 1000, operator: "VI", provider: "acme" });
  await put({ accountId: "ATWO", at: now - 600 * MINUTE, rupees: 1000, operator: "VI", provider: "acme", state: 0, watched: true });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect((await api.get("/operators/VI/impact")).body).toEqual({ since: time, orders: 3, accounts: 2, amount: "160.0000", pending: 2 });
  expect((await api.get("/services/recharge/impact")).body).toMatchObject({ orders: 4, accounts: 2, amount: "167.0000", pending: 2 });
  await api.post("/providers", { definition: { name: "acme", connector: "corprail", base_url: "https://pay.example" } });
  await api.post("/routes", { service: "recharge", operator: "VI", provider: "acme" });
  await api.post("/providers", {
    definition: { name: "beta", connector: "corprail", base_url: "https://beta.example" },
    secrets: { token: "t", signing_secret: "s" },
  });
  await api.post("/routes", { service: "recharge", operator: "VI", provider: "beta", priority: 200 });
  expect((await api.get("/providers/acme/impact")).body).toMatchObject({
    orders: 3,
    amount: "117.0000",
    pending: 2,
    afterwards: [{ service: "recharge", operator: "VI", providers: ["beta"] }],
  });
  expect((await api.get("/providers/simulator/impact")).body.afterwards).toEqual([{ service: "*", operator: "*", providers: [] }]);
  for (const path of ["/operators/ZZ/impact", "/services/gas/impact", "/providers/nobody/impact"])
    expect((await api.get(path)).status).toBe(404);
});
