import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listShipped } from "../../../domain/providers/shipped/shipped-descriptions.ts";
import { type TestApi, testApi } from "../testing/api.ts";

const QUICKPAY = example("quickpay");
const RUPEELINK = example("rupeelink");

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ providerSecrets: { CORPRAIL_PROVIDER_PREPARED_TOKEN: "prepared" } });
});
afterAll(() => api.close());

function example(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../../../../../docs/examples/providers/${name}.json`, import.meta.url), "utf8"));
}

const named = (name: string, more: object = {}) => ({ ...QUICKPAY, name, ...more });
const add = (name: string, more: object = {}) => api.post("/providers", { definition: named(name), ...more });

test("a new installation has the simulator, and its routes and health are shown", async () => {
  const list = await api.get("/providers?limit=1");
  expect(list).toMatchObject({
    status: 200,
    body: { ok: true, items: [{ provider: "simulator", status: "idle", routes: 1, secrets: [] }] },
  });
  const { body } = await api.get("/providers/simulator");
  expect(body).toMatchObject({ enabled: true, fault: null, addresses: [], route_list: [{ service: "*", operator: "*" }], breakers: [] });
  expect((await api.get("/providers/nobody")).status).toBe(404);
});

test("a provider is added from its description, is incomplete until its secrets are set, and never shows them", async () => {
  const added = await add("acme", { reason: "new contract" });
  expect(added).toMatchObject({
    status: 200,
    body: {
      provider: "acme",
      connector: "description",
      status: "incomplete",
      addresses: ["https://api.quickpay.example"],
      secrets: [
        { name: "token", set: false },
        { name: "pin", set: false },
      ],
    },
  });
  expect((await api.post("/providers/acme/secret", { name: "token", value: "sh-much-secret" })).body.fault).toMatch(/PIN/);
  const whole = await api.post("/providers/acme/secret", { name: "pin", value: "sh-more-secret" });
  expect(whole.body).toMatchObject({ status: "idle", fault: null, secrets: [{ set: true }, { set: true }] });
  const texts = await Promise.all(["/providers", "/providers/acme", "/providers/acme/definition", "/audit"].map((path) => api.get(path)));
  for (const { text } of [whole, ...texts]) expect(text).not.toMatch(/sh-mu|sh-mo/);
  expect(await add("acme")).toMatchObject({ status: 409, body: { error: "conflict" } });
});

test("a description that is read is the one that was saved", async () => {
  await add("readable");
  expect((await api.get("/providers/readable/definition")).body).toEqual({ provider: "readable", definition: named("readable") });
  const settings = { name: "partner", connector: "corprail", base_url: "https://pay.example" };
  expect((await api.post("/providers", { definition: settings })).status).toBe(200);
  expect((await api.get("/providers/partner/definition")).body.definition).toEqual(settings);
  expect((await api.get("/providers/nobody/definition")).status).toBe(404);
});

test("every fault is named at its place, and nothing is changed by a faulty description", async () => {
  const refused = await api.post("/providers", { definition: named("Faulty", { amount: "cents", colour: 1 }) });
  expect(refused).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  expect(Object.keys(refused.body.fields)).toEqual(expect.arrayContaining(["definition.name", "definition.amount", "definition.colour"]));
  await add("repaired");
  expect(await api.post("/providers/repaired", { definition: named("another") })).toMatchObject({
    status: 400,
    body: { fields: { "definition.name": expect.stringContaining("repaired") } },
  });
  for (const [definition, field] of [
    [{ name: "x", connector: "telex" }, "definition.connector"],
    [{ name: "X", connector: "corprail", base_url: "https://pay.example" }, "definition.name"],
    [[], "definition"],
    ["text", "definition"],
  ] as const)
    expect(await api.post("/providers", { definition })).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  expect((await api.get("/providers/repaired/definition")).body.definition).toEqual(named("repaired"));
  expect((await api.post("/providers/nobody", { definition: named("nobody") })).status).toBe(404);
  for (const body of [{}, { definition: named("more"), extra: 1 }, { definition: named("more"), secrets: { token: "a\nb" } }])
    expect((await api.post("/providers", body)).status).toBe(400);
});

test("another address asks for the secrets again, those of the environment too", async () => {
  await add("moving", { secrets: { token: "t", pin: "p" } });
  const moved = JSON.parse(JSON.stringify(named("moving")).replaceAll("api.quickpay.example", "evil.example"));
  const asked = { "secrets.token": expect.any(String), "secrets.pin": expect.any(String) };
  expect(await api.post("/providers/moving", { definition: moved })).toMatchObject({ status: 400, body: { fields: asked } });
  const given = await api.post("/providers/moving", { definition: moved, secrets: { token: "t2", pin: "p2" } });
  expect(given).toMatchObject({ status: 200, body: { addresses: ["https://evil.example"], fault: null } });
  expect(await add("prepared")).toMatchObject({ status: 400, body: { fields: { "secrets.token": expect.any(String) } } });
});

test("a provider is switched, and the audit log says by whom and why", async () => {
  const off = await api.post("/providers/simulator/switch", { enabled: false, reason: "no more trials" });
  expect(off.body).toMatchObject({ provider: "simulator", enabled: false, status: "off" });
  expect((await api.get("/routes/plan?service=recharge&operator=AT")).body.steps[0]).toMatchObject({ passed_over: "provider_off" });
  expect((await api.get("/audit?limit=1")).body.items[0]).toMatchObject({
    actor: "operator-key",
    action: "provider.switched",
    details: { reason: "no more trials" },
  });
  expect((await api.post("/providers/simulator/switch", { enabled: true })).body.enabled).toBe(true);
  expect((await api.post("/providers/nobody/switch", { enabled: true })).status).toBe(404);
  expect((await api.post("/providers/simulator/switch", {})).status).toBe(400);
});

test("the dry run shows what would be sent, secrets masked, and how an answer is read; it needs no saved provider", async () => {
  const shown = await api.post("/providers/quickpay/test", { definition: QUICKPAY, sample: { target: "9000000001", amount: "49.50" } });
  expect(shown.body).toMatchObject({ provider: "quickpay", connector: "description", missing: ["token", "pin"], reading: null });
  expect(shown.body.request.url).toContain("token=___token___&pin=___pin___&opcode=1&number=9000000001&amount=49.5");
  const read = await api.post("/providers/quickpay/test", {
    definition: QUICKPAY,
    sample: { reference: "R7" },
    answer: { body: "SUCCESS,R7,AT4411,done" },
  });
  expect(read.body.reading).toMatchObject({ outcome: "succeeded", fields: { operator_ref: "AT4411" } });
  const asked = await api.post("/providers/rupeelink/test", {
    definition: RUPEELINK,
    answer: { body: "", http_status: 404, to: "status" },
  });
  expect(asked.body.reading).toMatchObject({ outcome: "not_found" });
});

test("the dry run shows how the samples of the chosen operation are read", async () => {
  const { body } = await api.post("/providers/rupeelink/test", { definition: RUPEELINK, operation: "recharge.pay" });
  const read = new Map(body.samples.map((sample: { path: string; outcome: string }) => [sample.path, sample.outcome]));
  expect(read.get("operations.recharge.pay.samples.success")).toBe("succeeded");
  expect(read.get("login.samples.success")).toBe("succeeded");
  expect([...read.keys()].every((path) => /^(?:operations\.recharge\.pay|login|callbacks)/.test(String(path)))).toBe(true);
});

test("the descriptions that come with Corprail are listed with their services, and each can be read", async () => {
  const shipped = await listShipped();
  const { body } = await api.get("/provider-descriptions?limit=200");
  expect(body.items).toEqual(
    shipped.map(({ name, services }) => ({ provider: name, services, documentation: `docs/providers/${name}.md` })),
  );
  for (const { name, definition } of shipped)
    expect((await api.get(`/provider-descriptions/${name}`)).body).toMatchObject({ provider: name, definition });
  expect((await api.get("/provider-descriptions/nobody")).status).toBe(404);
});

test("the dry run of a saved provider uses what is saved, and a sample answer finds out no secret", async () => {
  await add("tried", { secrets: { token: "tok-very-secret", pin: "4711" } });
  const saved = await api.post("/providers/tried/test", {
    answer: { body: "4710,4711,4712 tok-very-secret" },
    sample: { reference: "R1" },
  });
  expect(saved).toMatchObject({ status: 200, body: { missing: [] } });
  // Hiding what is right among guesses would give it away.
  expect(saved.text).not.toContain("hidden");
  expect((await api.post("/providers/nobody/test", {})).status).toBe(404);
  expect(await api.post("/providers/simulator/test", {})).toMatchObject({ status: 200, body: { request: null, missing: [] } });
  expect(await api.post("/providers/simulator/test", { answer: { body: "" } })).toMatchObject({
    status: 400,
    body: { fields: { answer: expect.any(String) } },
  });
  for (const sample of [{ amount: "x" }, { amount: "0" }, { colour: "red" }])
    expect((await api.post("/providers/tried/test", { sample })).status).toBe(400);
});

test("secrets that no description names are refused", async () => {
  await add("strict");
  expect(await api.post("/providers/strict/secret", { name: "colour", value: "red" })).toMatchObject({
    status: 400,
    body: { fields: { name: expect.any(String) } },
  });
  for (const value of ["", "a\u0007", "x".repeat(4001), 5])
    expect((await api.post("/providers/strict/secret", { name: "token", value })).status).toBe(400);
  expect((await api.post("/providers/nobody/secret", { name: "token", value: "x" })).status).toBe(404);
  expect((await api.post("/providers/strict/secret", { name: "token", value: null })).status).toBe(200);
});

test("a check of the connection asks the provider and says which step failed; the simulator has none", async () => {
  await add("checked", { secrets: { token: "sh-checked-1", pin: "sh-checked-2" } });
  const { status, body, text } = await api.post("/providers/checked/check", {});
  expect([status, body.ok, body.steps]).toEqual([
    200,
    false,
    [
      { step: "address", ok: true, detail: "https://api.quickpay.example", milliseconds: null },
      { step: "balance", ok: false, detail: expect.any(String), milliseconds: expect.any(Number) },
    ],
  ]);
  expect(text).not.toContain("sh-checked");
  expect((await api.post("/providers/simulator/check", {})).status).toBe(409);
  expect((await api.post("/providers/nobody/check", {})).status).toBe(404);
});
