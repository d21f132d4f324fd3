import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orderRow } from "../../../domain/orders/testing/rows.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const example = JSON.parse(readFileSync(new URL("../../../../../docs/examples/providers/quickpay.json", import.meta.url), "utf8"));
  // Whoever lists no operators takes our codes for every one.
  const anyOperator = { ...example, codes: { operators: { by: "{operator}", values: {}, else: "0" } } };
  for (const name of ["acme", "beta"])
    await api.post("/providers", { definition: { ...anyOperator, name }, secrets: { token: "t", pin: "p" } });
  await api.post("/providers", { definition: { ...example, name: "listed" }, secrets: { token: "t", pin: "p" } });
});
afterAll(() => api.close());

const route = (operator: string, provider: string, more: object = {}) =>
  api.post("/routes", { service: "recharge", operator, provider, ...more });
const plan = async (query: string) => (await api.get(`/routes/plan?${query}`)).body;
const silent = (provider: string, operator: string) => {
  for (let time = 0; time < 5; time++)
    api.providerRegistry.noteOutcome(provider, { service: "recharge", operator }, { kind: "unknown", why: "" }, 10);
};

test("only the reply to the first route to a real provider says that the installation went live", async () => {
  expect((await api.get("/system")).status).toBe(200);
  const off = await route("VI", "acme", { enabled: false });
  expect(off.body).toMatchObject({ mode: "trial", went_live: false, notice: null });
  const first = await route("VI", "acme", { enabled: true });
  expect(first.body).toMatchObject({ mode: "live", went_live: true, notice: expect.stringContaining("live from now on") });
  expect((await route("VI", "beta")).body).toMatchObject({ mode: "live", went_live: false, notice: null });
  const entries = (await api.get("/audit?limit=10")).body.items;
  expect(entries.find((one: { action: string }) => one.action === "installation.went_live")).toMatchObject({
    actor: "operator-key",
    details: { cause: "route", service: "recharge", operator: "VI", provider: "acme" },
  });
  for (const provider of ["acme", "beta"]) await api.post("/routes/delete", { service: "recharge", operator: "VI", provider });
  expect(api.providerRegistry.mode()).toBe("live");
});

test("a route is saved with the usual numbers, keeps what is not given again, and is deleted", async () => {
  const saved = await route("AT", "acme");
  expect(saved).toMatchObject({ status: 200, body: { priority: 100, weight: 100, enabled: true, warning: null } });
  expect(saved.body.plan.steps).toMatchObject([{ provider: "acme", passed_over: null, share: 1 }]);
  expect((await route("AT", "acme", { priority: 5 })).body).toMatchObject({ priority: 5, weight: 100 });
  expect((await route("AT", "acme", { enabled: false })).body).toMatchObject({ priority: 5, enabled: false });
  expect((await api.get("/routes?operator=AT")).body).toEqual({
    ok: true,
    items: [{ service: "recharge", operator: "AT", provider: "acme", priority: 5, weight: 100, enabled: false }],
    next: null,
  });
  const key = { service: "recharge", operator: "AT", provider: "acme" };
  const gone = await api.post("/routes/delete", { ...key, reason: "contract ended" });
  expect(gone.body.plan).toMatchObject({
    level: { service: "*", operator: "*" },
    steps: [{ provider: "simulator", passed_over: "simulator" }],
  });
  expect((await api.post("/routes/delete", key)).status).toBe(404);
  expect((await api.get("/audit?limit=1")).body.items[0]).toMatchObject({
    action: "provider.route_deleted",
    details: { operator: "AT", reason: "contract ended" },
  });
});

test("routes of any operator and service are written with a star", async () => {
  expect((await api.post("/routes", { service: "*", operator: "*", provider: "beta" })).status).toBe(200);
  expect((await api.get("/routes?service=*&provider=beta")).body.items).toHaveLength(1);
  expect(await plan("service=recharge&operator=MT")).toMatchObject({ level: { service: "*", operator: "*" } });
  expect((await api.post("/routes/delete", { service: "*", operator: "*", provider: "beta" })).status).toBe(200);
});

test("a route to a provider that cannot do the service, or not for the operator, is refused with 422", async () => {
  for (const service of ["bills", "transfers", "bus", "aeps"]) {
    const refused = await api.post("/routes", { service, operator: "*", provider: "acme" });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: "unusable_route", fields: { provider: expect.stringContaining(service) } },
    });
  }
  expect(await route("MT", "listed")).toMatchObject({ status: 422, body: { fields: { provider: expect.stringContaining("MT") } } });
  expect((await api.get("/routes?provider=listed")).body.items).toEqual([]);
});

test("in live, a route to the simulator is refused with 422, and one that is there can be switched off", async () => {
  expect((await route("AT", "acme")).body).toMatchObject({ mode: "live", went_live: false, notice: null });
  for (const key of [
    { service: "recharge", operator: "BS" },
    { service: "*", operator: "*" },
  ])
    expect(await api.post("/routes", { ...key, provider: "simulator" })).toMatchObject({ status: 422, body: { error: "unusable_route" } });
  const off = await api.post("/routes", { service: "*", operator: "*", provider: "simulator", enabled: false });
  expect(off).toMatchObject({ status: 200, body: { enabled: false } });
  const on = await api.post("/routes", { service: "*", operator: "*", provider: "simulator", enabled: true });
  expect(on.status).toBe(422);
  expect((await api.post("/routes/delete", { service: "recharge", operator: "AT", provider: "acme" })).status).toBe(200);
});

test("wrong routes are refused at their fields; a code that the catalogue has not is warned of", async () => {
  for (const [body, field] of [
    [{ service: "gas", operator: "AT", provider: "acme" }, "service"],
    [{ service: "recharge", operator: "A T", provider: "acme" }, "operator"],
    [{ service: "recharge", operator: "AT", provider: "nobody" }, "provider"],
    [{ service: "recharge", operator: "AT", provider: "acme", priority: 0 }, "priority"],
    [{ service: "recharge", operator: "AT", provider: "acme", weight: 1001 }, "weight"],
    [{ operator: "AT", provider: "acme" }, "service"],
  ] as const)
    expect(await api.post("/routes", body)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  expect((await route("ATT", "acme")).body.warning).toContain("ATT");
});

test("the routing plan says who is tried, who is passed over and why, and what it would be without one of them", async () => {
  await route("JO", "acme", { priority: 1 });
  await route("JO", "beta", { priority: 2 });
  silent("acme", "JO");
  expect(await plan("service=recharge&operator=JO")).toMatchObject({
    service: "recharge",
    operator: "JO",
    level: { service: "recharge", operator: "JO" },
    steps: [
      { provider: "acme", passed_over: "breaker_open", share: 0, next_try_at: expect.stringMatching(/^\d{4}-/) },
      { provider: "beta", passed_over: null, share: 1, next_try_at: null },
    ],
  });
  expect((await plan("service=recharge&operator=JO&without=beta")).steps).toMatchObject([{ provider: "acme", passed_over: null }]);
  expect((await api.get("/routes/plan?service=gas&operator=JO")).status).toBe(404);
  expect((await api.get("/routes/plan?service=recharge")).status).toBe(400);
});

test("breakers are listed with what is known of them, reset by a call, and named in the audit log", async () => {
  silent("beta", "MT");
  const listed = (await api.get("/breakers?provider=beta")).body;
  expect(listed).toMatchObject({ ok: true, next: null, process_id: expect.any(String) });
  expect(listed.items).toEqual([
    { provider: "beta", operator: "MT", state: "open", failures: 5, since: expect.any(String), next_try_at: expect.any(String) },
  ]);
  const reset = await api.post("/breakers/reset", { provider: "beta", operator: "MT", reason: "they are back" });
  expect(reset).toMatchObject({ status: 200, body: { items: [] } });
  expect((await api.get("/audit?limit=1")).body.items[0]).toMatchObject({
    action: "provider.breaker_reset",
    subject_id: "beta",
    details: { operator: "MT", reason: "they are back" },
  });
  expect((await api.post("/breakers/reset", { provider: "nobody" })).status).toBe(404);
  expect((await api.post("/breakers/reset", {})).status).toBe(400);
});

test("a long list of routes is followed page by page", async () => {
  for (let number = 10; number < 17; number++) await route(`X${number}`, "acme");
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const { body } = await api.get(`/routes?provider=acme&limit=3${next === null ? "" : `&after=${next}`}`);
    seen.push(...body.items.map((one: { operator: string }) => one.operator));
    next = body.next;
  } while (next !== null);
  expect(seen).toEqual([...new Set(seen)]);
  expect(seen.filter((operator) => operator.startsWith("X1"))).toHaveLength(7);
  expect(await api.get("/routes?after=bm9ib2R5")).toMatchObject({ status: 400, body: { fields: { after: expect.any(String) } } });
});

test("a route's impact names the orders, the money and the clients it applies to, and the plans without and with it", async () => {
  const { accountId: big } = await clientWithOrders("Big Client", ["AT", "AT", "TP"]);
  await clientWithOrders("Small Client", ["AT"]);
  await clientWithOrders("Sandbox", ["AT", "AT", "AT"], true);
  expect(big).toMatch(/^A/);
  const impact = async (query: string) => (await api.get(`/routes/impact?${query}`)).body;
  const one = await impact("service=recharge&operator=AT&provider=acme&priority=7");
  expect(one).toMatchObject({ orders: 3, accounts: 2, clients: ["Big Client", "Small Client"], amount: "30.0000" });
  expect(one.after).toMatchObject({ level: { service: "recharge", operator: "AT" }, steps: [{ provider: "acme", priority: 7 }] });
  expect(one.before.level).toEqual({ service: "*", operator: "*" });
  // What has a closer route is not affected.
  await route("AT", "beta");
  expect(await impact("service=recharge&operator=*&provider=acme")).toMatchObject({ orders: 1, accounts: 1, clients: ["Big Client"] });
  await api.post("/routes/delete", { service: "recharge", operator: "AT", provider: "beta" });
  expect((await api.get("/routes/impact?service=recharge&operator=AT&provider=nobody")).status).toBe(404);
  expect((await api.get("/routes/impact?service=recharge&operator=AT&provider=acme&priority=0")).status).toBe(400);
});

async function clientWithOrders(name: string, operators: readonly string[], sandbox = false): Promise<{ readonly accountId: string }> {
  const accountId: string = (await api.post("/accounts", { name, sandbox })).body.account_id;
  for (const operator of operators) await orderRow(api.settings.database.sql, { accountId, at: Date.now() - 60_000, operator });
  return { accountId };
}
