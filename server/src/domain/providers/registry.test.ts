import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { createLog } from "../../platform/observability/log.ts";
import { rotateMasterKey } from "../accounts/master-key/rotate-master-key.ts";
import { type TestSettings, testSettings } from "../accounts/testing/settings.ts";
import { audited, type ChangeFeed, followChanges } from "../audit/feed.ts";
import { listAudit } from "../audit/list.ts";
import type { Outcome } from "./connector.ts";
import type { SaveContext } from "./context.ts";
import { loadProviders, type ProviderRegistry, type ProviderRegistryOptions, providerChanges } from "./registry.ts";
import { deleteRoute } from "./routing/delete-route.ts";
import { type RouteInput, saveRoute } from "./routing/save-route.ts";
import { PROVIDER_SECRETS } from "./settings/provider-secrets.ts";
import { type ProviderInput, saveProvider } from "./settings/save-provider.ts";
import { switchProvider } from "./settings/switch-provider.ts";
import { JSON_SPOKEN } from "./testing/definitions.ts";
import { testEgress } from "./testing/egress.ts";
import { NEVER, providerRequest } from "./testing/requests.ts";
import { startUnrulyServer } from "./testing/unruly-server.ts";

let settings: TestSettings;
let providerRegistry: ProviderRegistry;
let feed: ChangeFeed;
let ctx: SaveContext;
let written: string[];
beforeEach(async () => {
  settings = await testSettings();
  written = [];
  providerRegistry = await open();
  const from = await audited(settings.database.sql);
  feed = followChanges({ sql: settings.database.sql, from, apply: providerChanges(providerRegistry), onError: () => {} });
  ctx = { ...settings.ctx, refresh: feed.refresh, egress: testEgress() };
});
afterEach(async () => {
  feed.close();
  await providerRegistry.close();
  await settings.close();
});

function open(more: Partial<ProviderRegistryOptions> = {}): Promise<ProviderRegistry> {
  const log = createLog("trace", { write: (line: string) => void written.push(line) });
  const { sql, vault, clock } = settings.ctx;
  return loadProviders({ sql, vault, clock, log, reportTo: () => {}, egress: testEgress(), ...more });
}

function template(provider: string, origin = "http://127.0.0.1:9"): JsonObject {
  return { ...JSON_SPOKEN.describe(origin), name: provider } as JsonObject;
}

async function save(provider: string, more: Partial<ProviderInput> = {}) {
  const result = await saveProvider(ctx, "test", {
    provider,
    connector: "description",
    settings: template(provider),
    secrets: { token: `tok-of-${provider}` },
    ...more,
  });
  expect(result.kind).toBe("done");
}

async function routeTo(provider: string, more: Partial<RouteInput> = {}) {
  const route = { service: "recharge", operator: "AT", provider, priority: 100, weight: 100, enabled: true, ...more };
  expect(await saveRoute(ctx, "test", route)).toMatchObject({ kind: "done", route });
}

const ask = (more: object = {}) =>
  providerRegistry.providersFor({ service: "recharge", operator: "AT", sandbox: false, reference: "R1", ...more });
const trail = async () =>
  (await listAudit(ctx.sql, { before: null, limit: 50, subject: { kind: "provider" } })).map((row) => [
    row.action,
    JSON.parse(row.details),
  ]);
const silent: Outcome = { kind: "unknown", why: "" };

test("a new installation sends everything to the simulator", async () => {
  expect(ask()).toEqual(["simulator"]);
  expect(ask({ service: "bus", operator: "anything" })).toEqual(["simulator"]);
  expect((await providerRegistry.connector("simulator")?.send(providerRequest(), NEVER))?.kind).toBe("succeeded");
  expect(providerRegistry.connector("nobody")).toBeNull();
});

test("a saved provider and its route hold when the change is answered, here and in another process", async () => {
  const other = await open();
  const otherFeed = followChanges({ sql: ctx.sql, from: await audited(ctx.sql), apply: providerChanges(other), onError: () => {} });
  await save("acme");
  await routeTo("acme");
  expect(ask()).toEqual(["acme"]);
  // The first route to a real provider made the installation live: the simulator's route is ignored.
  expect(ask({ operator: "JO" })).toEqual([]);
  await otherFeed.refresh();
  expect(other.providersFor({ service: "recharge", operator: "AT", sandbox: false, reference: "R1" })).toEqual(["acme"]);
  otherFeed.close();
  await other.close();
});

test("a sandbox account never leaves the simulator", async () => {
  await save("acme");
  await routeTo("acme");
  await switchProvider(ctx, "test", { provider: "simulator", enabled: false });
  expect(ask({ sandbox: true })).toEqual(["simulator"]);
  expect(providerRegistry.connector("simulator")).not.toBeNull();
});

test("a provider that is switched off gets no orders, but is still asked", async () => {
  await save("acme");
  await routeTo("acme");
  expect(await switchProvider(ctx, "test", { provider: "acme", enabled: false, reason: "maintenance" })).toEqual({ kind: "done" });
  expect(ask()).toEqual([]);
  expect(providerRegistry.connector("acme")).not.toBeNull();
  expect(providerRegistry.health("AT").status).toBe("down");
  expect(await switchProvider(ctx, "test", { provider: "nobody", enabled: false })).toEqual({ kind: "not_found" });
});

test("secrets reach the provider, and neither the audit log, the settings nor the log", async () => {
  const server = await startUnrulyServer("success", JSON_SPOKEN.words);
  await save("acme", { settings: template("acme", server.origin), secrets: { token: "sh-much-secret" } });
  expect(await providerRegistry.connector("acme")?.send(providerRequest(), NEVER)).toEqual({ kind: "succeeded", operatorRef: "OP1" });
  expect(server.received[0]?.headers.authorization).toBe("Bearer sh-much-secret");
  await server.close();
  const rows = await ctx.sql`select settings::text as settings, encode(secret, 'escape') as secret from providers`;
  expect(JSON.stringify([await trail(), rows, providerRegistry.providers(), written])).not.toContain("sh-much-secret");
  expect(providerRegistry.providers().find((one) => one.row.provider === "acme")?.secrets).toEqual(["token"]);
});

test("a secret that is not named stays, null removes it, and a provider without it gets no orders", async () => {
  await save("acme");
  await routeTo("acme");
  await save("acme", { settings: { ...template("acme"), polling: { quiet_seconds: 5 } }, secrets: {} });
  expect(providerRegistry.connector("acme")?.quietMilliseconds).toBe(5000);
  await save("acme", { settings: { ...template("acme"), polling: { quiet_seconds: 5 } }, secrets: { token: null } });
  expect(providerRegistry.connector("acme")).toBeNull();
  expect(ask()).toEqual([]);
  expect(providerRegistry.providers()[0]?.fault).toMatch(/CORPRAIL_PROVIDER_ACME_TOKEN/);
  expect(await trail()).toEqual([
    ["provider.changed", { connector: "description", secrets_changed: ["token"] }],
    ["provider.changed", { connector: "description", settings_changed: ["polling"] }],
    ["provider.route_saved", expect.objectContaining({ operator: "AT" })],
    ["provider.created", expect.objectContaining({ secrets_changed: ["token"] })],
  ]);
});

test("a secret that the description no longer names is kept for the version before, which finishes its orders", async () => {
  const both = { settings: { ...template("acme"), secrets: ["token", "pin"] } };
  await save("acme", { ...both, secrets: { token: "a", pin: "b" } });
  await save("acme", { secrets: {} });
  await save("acme", { ...both, secrets: {} });
  expect(providerRegistry.providers()[0]).toMatchObject({
    connector: expect.anything(),
    secrets: expect.arrayContaining(["token", "pin"]),
  });
  await save("acme", { ...both, secrets: { pin: null } });
  expect(providerRegistry.providers()[0]).toMatchObject({ connector: null, secrets: ["token"] });
});

test("a secret that was not saved is taken from the environment", async () => {
  await save("acme", { secrets: {} });
  const other = await open({ environment: { CORPRAIL_PROVIDER_ACME_TOKEN: "from-environment" } });
  expect(providerRegistry.connector("acme")).toBeNull();
  expect(other.connector("acme")).not.toBeNull();
  await other.close();
});

test("saving what is already so leaves no trace, and keeps the open connector", async () => {
  await save("acme");
  await routeTo("acme");
  const [before, connector] = [await audited(ctx.sql), providerRegistry.connector("acme")];
  await save("acme");
  await routeTo("acme");
  await switchProvider(ctx, "test", { provider: "acme", enabled: true });
  expect(await audited(ctx.sql)).toBe(before);
  await save("beta");
  expect(providerRegistry.connector("acme")).toBe(connector);
  await save("acme", { secrets: { token: "another" } });
  expect(providerRegistry.connector("acme")).not.toBe(connector);
});

test.each<[string, Partial<ProviderInput>]>([
  ["provider", { provider: "Acme" }],
  ["name", { settings: template("other") }],
  ["base_url", { settings: { ...template("acme"), plain_http: false } }],
  ["secrets.pin", { secrets: { pin: "1" } }],
  ["connector", { provider: "simulator" }],
  ["base_url", { connector: "corprail", settings: {} }],
  ["speed", { connector: "simulator", settings: { speed: 1 } }],
])("a provider with a fault at %s is not saved", async (path, more) => {
  const input = { provider: "acme", connector: "description", settings: template("acme"), ...more } as ProviderInput;
  const result = await saveProvider(ctx, "test", input);
  expect(result.kind === "invalid" ? result.faults.map((fault) => fault.path) : []).toContain(path);
  expect(providerRegistry.providers()).toHaveLength(1);
});

test("a route needs a provider, a service that exists and sensible numbers", async () => {
  const route = { service: "recharge", operator: "AT", provider: "nobody", priority: 1, weight: 1, enabled: true };
  expect(await saveRoute(ctx, "test", route)).toEqual({ kind: "not_found" });
  const bad = await saveRoute(ctx, "test", { ...route, service: "gas", operator: "a b", priority: 0, weight: 1.5 });
  expect(bad.kind === "invalid" ? bad.faults.map((fault) => fault.path) : []).toEqual(["service", "operator", "priority", "weight"]);
});

test("a deleted route is gone, and deleting it again finds nothing", async () => {
  await save("acme");
  await routeTo("acme");
  const key = { service: "recharge", operator: "AT", provider: "acme" };
  expect(await deleteRoute(ctx, "key:K1", key)).toEqual({ kind: "done" });
  expect(ask()).toEqual([]);
  expect(await deleteRoute(ctx, "key:K1", key)).toEqual({ kind: "not_found" });
});

test("a silent provider is left out after five times, tried once after its rest, and back after an answer", async () => {
  for (const provider of ["acme", "beta"]) await save(provider);
  await routeTo("acme", { priority: 1 });
  await routeTo("beta", { priority: 2 });
  expect(ask()).toEqual(["acme", "beta"]);
  for (let time = 0; time < 5; time++) providerRegistry.noteOutcome("acme", { service: "recharge", operator: "AT" }, silent, 10);
  expect(ask()).toEqual(["beta"]);
  await routeTo("acme", { operator: "JO" });
  expect(ask({ operator: "JO" })).toEqual(["acme"]);
  settings.clock.advance(30_000);
  expect(ask()).toEqual(["acme", "beta"]);
  expect(ask()).toEqual(["beta"]);
  providerRegistry.noteOutcome("acme", { service: "recharge", operator: "AT" }, { kind: "declined", reason: "" }, 10);
  expect(ask()).toEqual(["acme", "beta"]);
});

test("when every provider rests, one is tried all the same, and the operator shows as down", async () => {
  for (const provider of ["acme", "beta"]) {
    await save(provider);
    await routeTo(provider);
    for (let time = 0; time < 5; time++) providerRegistry.noteOutcome(provider, { service: "recharge", operator: "AT" }, silent, 10);
    settings.clock.advance(1000);
  }
  expect(ask()).toEqual(["acme"]);
  expect(providerRegistry.health("AT")).toEqual({ status: "down", successRate1h: 0 });
  await routeTo("acme", { operator: "JO" });
  expect(providerRegistry.health("JO").status).toBe("up");
});

test("a message is read by the provider it was sent to, and by no other", async () => {
  const callback = {
    auth: { kind: "key", query: "key", secret: "token" },
    from: "query",
    reference: "ref",
    outcome: [{ when: { st: "OK" }, means: "success" }],
  };
  await save("acme", { settings: { ...template("acme"), callbacks: [callback] } });
  await save("beta", { settings: { ...template("beta"), callbacks: [callback] } });
  const message = {
    method: "GET",
    path: "",
    source: "192.0.2.1",
    query: { key: "tok-of-acme", ref: "R1", st: "OK" },
    headers: {},
    body: "",
  };
  expect(providerRegistry.readCallback("acme", message)).toMatchObject({ reference: "R1", finding: { kind: "succeeded" } });
  const refusals = ["beta", "simulator", "nobody"].map((other) => providerRegistry.readCallback(other, message));
  expect(refusals).toMatchObject([{ refused: "wrong_key" }, { refused: "not_expected" }, { refused: "unknown_provider" }]);
});

test("a report says which provider it is from", async () => {
  const seen: string[] = [];
  const other = await open({
    simulator: { delayMilliseconds: 0 },
    reportTo: (report, provider) => seen.push(`${provider}/${report.finding.kind}`),
  });
  await other.connector("simulator")?.send(providerRequest({ target: "9876543200" }), NEVER);
  await expect.poll(() => seen).toEqual(["simulator/succeeded"]);
  await other.close();
});

test("a provider's secrets survive a rotation of the master key", async () => {
  await save("acme");
  const result = await rotateMasterKey(settings.ctx, "test", {
    path: settings.keyPath,
    settle: async () => {},
    others: [PROVIDER_SECRETS],
  });
  const rows = await ctx.sql<{ secret_key_id: string }[]>`select secret_key_id from providers where provider = 'acme'`;
  expect(rows).toEqual([{ secret_key_id: result.kind === "done" ? result.keyId : "" }]);
  const fresh = await open();
  expect(fresh.connector("acme")).not.toBeNull();
  await fresh.close();
});

test("a provider whose secrets cannot be opened is named in the log and does not affect other providers", async () => {
  await save("acme");
  await ctx.sql`update providers set secret = 'garbage' where provider = 'acme'`;
  const other = await open();
  expect(other.connector("acme")).toBeNull();
  expect(other.connector("simulator")).not.toBeNull();
  expect(written.join("")).toContain("acme");
  await other.close();
  await providerRegistry.reload();
  // Rather the connector it had than none.
  expect(providerRegistry.connector("acme")).not.toBeNull();
});
