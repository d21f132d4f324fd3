import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { audited, type ChangeFeed, followChanges } from "../../audit/feed.ts";
import { listAudit } from "../../audit/list.ts";
import type { SaveContext } from "../context.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "../registry.ts";
import { deleteRoute } from "../routing/delete-route.ts";
import { brokenRoutes } from "../routing/eligibility.ts";
import { type RouteInput, saveRoute } from "../routing/save-route.ts";
import { findUnserved, unservedText } from "../routing/unserved.ts";
import { saveProvider } from "../settings/save-provider.ts";
import { switchProvider } from "../settings/switch-provider.ts";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { storeMode } from "./change-mode.ts";
import { type ModeSetting, modeConflict, modeOf } from "./mode.ts";

const codes = (values: JsonObject): JsonObject => ({ codes: { operators: { values } } });

let settings: TestSettings;
let providerRegistry: ProviderRegistry;
let feed: ChangeFeed;
let ctx: SaveContext;
beforeEach(async () => {
  settings = await testSettings();
  providerRegistry = await open(null);
  const from = await audited(settings.database.sql);
  feed = followChanges({ sql: settings.database.sql, from, apply: providerChanges(providerRegistry), onError: () => {} });
  ctx = { ...settings.ctx, refresh: feed.refresh, egress: testEgress() };
});
afterEach(async () => {
  feed.close();
  await providerRegistry.close();
  await settings.close();
});

function open(modeSetting: ModeSetting): Promise<ProviderRegistry> {
  const { sql, vault, clock } = settings.ctx;
  return loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, modeSetting, egress: testEgress() });
}

async function save(provider: string, more: JsonObject = {}) {
  const description = { ...JSON_SPOKEN.describe("http://127.0.0.1:9"), name: provider, ...more } as JsonObject;
  return await saveProvider(ctx, "test", { provider, connector: "description", settings: description, secrets: { token: "t" } });
}
const route = (provider: string, more: Partial<RouteInput> = {}) =>
  saveRoute(ctx, "test", { service: "recharge", operator: "AT", provider, ...more });

/** A start of another process, and the mode that it has then. */
async function start(setting: ModeSetting, othersAreLive = false): Promise<{ readonly mode: string; readonly conflict: string | null }> {
  await storeMode({ sql: ctx.sql, clock: ctx.clock, setting, othersAreLive: async () => othersAreLive });
  await feed.refresh();
  const started = await open(setting);
  const facts = started.modeFacts();
  await started.close();
  return { mode: modeOf(facts), conflict: modeConflict(facts) };
}
const trail = async () =>
  (await listAudit(ctx.sql, { before: null, limit: 50, subject: { kind: "installation" } }))
    .map((row) => row.action)
    .filter((action) => /live|trial/.test(action));

test("an installation is in trial until a setting or a route makes it live", async () => {
  expect(await start(null)).toEqual({ mode: "trial", conflict: null });
  expect(await start("trial")).toEqual({ mode: "trial", conflict: null });
  expect(providerRegistry.mode()).toBe("trial");
  expect(await trail()).toEqual([]);
});

test("the first real route makes it live in every process, once, and nothing takes that back", async () => {
  await save("acme");
  expect(await route("acme", { enabled: false })).toMatchObject({ wentLive: null });
  expect(providerRegistry.mode()).toBe("trial");
  expect(await route("acme", { enabled: true })).toMatchObject({ wentLive: { accounts: 0, amount: 0n } });
  expect(providerRegistry.mode()).toBe("live");
  expect(await route("acme", { operator: "JO" })).toMatchObject({ wentLive: null });
  for (const operator of ["AT", "JO"]) await deleteRoute(ctx, "test", { service: "recharge", operator, provider: "acme" });
  expect(providerRegistry.mode()).toBe("live");
  expect(await start(null)).toEqual({ mode: "live", conflict: null });
  expect(await start("trial")).toEqual({ mode: "live", conflict: expect.stringContaining("stays live") });
  expect(await trail()).toEqual(["installation.went_live"]);
});

test("ten first routes at once make it live once", async () => {
  await save("acme");
  const results = await Promise.all(Array.from({ length: 10 }, (_, place) => route("acme", { operator: `O${place}` })));
  expect(results.filter((result) => result.kind === "done" && result.wentLive !== null)).toHaveLength(1);
  expect(await trail()).toEqual(["installation.went_live"]);
});

test("a setting makes it live for all processes, until one that is set to trial starts while no live one runs", async () => {
  expect((await start("live")).mode).toBe("live");
  expect(providerRegistry.mode()).toBe("live");
  expect((await start(null)).mode).toBe("live");
  expect(await start("trial", true)).toEqual({ mode: "live", conflict: expect.stringContaining("another process") });
  expect(await start("trial")).toEqual({ mode: "trial", conflict: null });
  expect(providerRegistry.mode()).toBe("trial");
  expect(await trail()).toEqual(["installation.back_to_trial", "installation.went_live"]);
});

test("live by a setting becomes live for good with the first real route", async () => {
  await start("live");
  await save("acme");
  expect(await route("acme")).toMatchObject({ wentLive: null });
  await deleteRoute(ctx, "test", { service: "recharge", operator: "AT", provider: "acme" });
  expect((await start("trial")).mode).toBe("live");
  expect(await trail()).toEqual(["installation.stays_live", "installation.went_live"]);
});

test("real routes that an earlier version saved make it live at the start", async () => {
  await save("acme");
  await ctx.sql`insert into provider_routes (service, operator, provider) values ('recharge', 'AT', 'acme')`;
  expect((await start("trial")).mode).toBe("live");
  expect(await trail()).toEqual(["installation.went_live"]);
});

test("in live, routes to the simulator are refused and those that are there count for nothing", async () => {
  expect(await route("simulator", { operator: "JO" })).toMatchObject({ kind: "done" });
  await save("acme");
  await route("acme", { operator: "*" });
  // The route for JO alone led to the simulator, so the general one holds.
  expect(providerRegistry.providersFor({ service: "recharge", operator: "JO", sandbox: false, reference: "R" })).toEqual(["acme"]);
  expect(await route("simulator", { operator: "VI" })).toMatchObject({ kind: "unusable", path: "provider" });
  expect(await route("simulator", { operator: "JO", priority: 5 })).toMatchObject({ kind: "unusable" });
  expect(await route("simulator", { operator: "JO", enabled: false })).toMatchObject({ kind: "done" });
  expect(await saveRoute(ctx, "test", { service: "*", operator: "*", provider: "simulator" })).toMatchObject({ kind: "unusable" });
});

test("a process that is set to live refuses a route to the simulator before it has been stored anywhere", async () => {
  const result = await saveRoute({ ...ctx, modeSetting: "live" }, "test", { service: "recharge", operator: "AT", provider: "simulator" });
  expect(result).toMatchObject({ kind: "unusable" });
});

test("another provider of the simulator's kind is the simulator too", async () => {
  await saveProvider(ctx, "test", { provider: "sim2", connector: "simulator", settings: {} });
  expect(await route("sim2")).toMatchObject({ kind: "done", wentLive: null });
  expect(await route("sim2", { service: "aeps", operator: "*" })).toMatchObject({ kind: "unusable" });
  await start("live");
  expect(providerRegistry.serves({ service: "recharge", operator: "AT", sandbox: false })).toBe(false);
  expect(providerRegistry.isBarred("sim2", false)).toBe(true);
  expect(providerRegistry.isBarred("sim2", true)).toBe(false);
});

test("a description cannot lose what its routes need, nor its provider become another kind under them", async () => {
  await save("acme", codes({ AT: "1", JO: "2" }));
  await route("acme");
  expect(await save("acme", codes({ JO: "2" }))).toMatchObject({
    kind: "invalid",
    faults: [{ path: "codes.operators", message: expect.stringContaining("recharge AT") }],
  });
  expect(await save("acme", codes({ AT: "1" }))).toMatchObject({ kind: "done" });
  const simulated = await saveProvider(ctx, "test", { provider: "acme", connector: "simulator", settings: {} });
  expect(simulated).toMatchObject({ kind: "invalid", faults: [{ path: "connector" }] });
});

test("what has no provider is named, and so are routes that no provider can take", async () => {
  const catalogue = {
    operators: ["AT", "JO", "TP"].map((name) => ({ name, enabled: name !== "TP" })),
    services: ["recharge", "bills", "bus"].map((name) => ({ name, enabled: name !== "bus" })),
  };
  const unserved = () => findUnserved(providerRegistry.network(), catalogue);
  expect(unserved()).toEqual({ operators: [], services: [] });
  expect(unservedText(unserved())).toBeNull();
  await save("acme", codes({ AT: "1" }));
  await route("acme", { operator: "*" });
  expect(unserved()).toEqual({ operators: ["JO"], services: ["bills"] });
  await switchProvider(ctx, "test", { provider: "acme", enabled: false });
  expect(unserved().operators).toEqual(["AT", "JO"]);
  expect(brokenRoutes(providerRegistry.network())).toEqual([]);
  await ctx.sql`insert into provider_routes (service, operator, provider) values ('bills', '*', 'acme'), ('recharge', 'JO', 'acme')`;
  await providerRegistry.reload();
  expect(brokenRoutes(providerRegistry.network()).map(({ service, operator }) => `${service} ${operator}`)).toEqual([
    "bills *",
    "recharge JO",
  ]);
});

test("what the simulator does for sandbox accounts says nothing about an operator's health in live", async () => {
  await save("acme");
  await route("acme");
  for (let time = 0; time < 10; time++)
    providerRegistry.noteOutcome("simulator", { service: "recharge", operator: "AT" }, { kind: "unknown", why: "" }, 10);
  expect(providerRegistry.health("AT")).toEqual({ status: "up", successRate1h: null });
  expect(providerRegistry.health("AT", true).status).toBe("down");
});
