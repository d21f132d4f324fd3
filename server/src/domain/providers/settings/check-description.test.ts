import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { parseRange } from "../../../platform/network/address.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { readCircles } from "../../catalog/store.ts";
import { loadProviders } from "../registry.ts";
import { upsertProvider } from "../store.ts";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { addressFaults, CIRCLE_CODES } from "./check-description.ts";
import { saveProvider } from "./save-provider.ts";

let settings: TestSettings;
beforeEach(async () => {
  settings = await testSettings();
});
afterEach(() => settings.close());

const described = (more: JsonObject = {}, origin = "https://provider.example") =>
  ({
    provider: "acme",
    connector: "description",
    settings: { ...(JSON_SPOKEN.describe(origin) as JsonObject), name: "acme", ...more },
  }) as const;
const corprail = (more: JsonObject) =>
  ({ provider: "acme", connector: "corprail", settings: { base_url: "https://provider.example", ...more } }) as const;

async function savedFaults(input: ReturnType<typeof described> | ReturnType<typeof corprail>, egress = testEgress()) {
  const result = await saveProvider({ ...settings.ctx, egress }, "test", input);
  return result.kind === "invalid" ? result.faults.map((fault) => fault.path) : [];
}

test("the circles that descriptions are checked with are those of the catalogue", async () => {
  expect((await readCircles(settings.ctx.sql)).map((row) => row.circle)).toEqual(CIRCLE_CODES);
});

const codes = (name: string, values: object) => ({ [name]: { values } });

test.each([
  [codes("circles", { XX: "5" }), ["codes.circles.values.XX"]],
  [codes("operators", { AT: "1", NOBODY: "5" }), ["codes.operators.values.NOBODY"]],
  [{ ...codes("circles", { TN: "5" }), ...codes("operators", { AT: "AIR" }) }, []],
  [codes("circles", { "": "5" }), ["codes.circles.values."]],
  [codes("circles", { TN: "" }), ["codes.circles.values.TN"]],
])("codes %j are saved only when the catalogue has them and both sides are there", async (more, paths) => {
  expect(await savedFaults(described({ codes: more } as unknown as JsonObject))).toEqual(paths);
});

test.each([
  [{ "": "5" }, ["operators"]],
  [{ AT: "" }, ["operators.AT"]],
  [{ AT: "1", NOBODY: "5" }, ["operators.NOBODY"]],
])("the operators %j of another installation are checked in the same way", async (operators, paths) => {
  expect(await savedFaults(corprail({ operators } as unknown as JsonObject))).toEqual(paths);
});

test.each([
  "https://127.0.0.1",
  "https://0x7f.1",
  "https://2130706433",
  "https://169.254.169.254",
  "https://10.0.0.7:8443",
  "https://192.168.1.1",
  "https://100.64.0.1",
  "https://0.0.0.0",
  "https://[::1]",
  "https://[::ffff:127.0.0.1]",
  "https://[fd00:ec2::254]",
  "https://[fe80::1]",
  "https://localhost",
])("a provider at %s is not saved, whatever its connector", async (origin) => {
  const egress = testEgress({ allow: [] });
  expect(await savedFaults(described({}, origin), egress)).toEqual(["base_url"]);
  expect(await savedFaults(corprail({ base_url: origin }), egress)).toEqual(["base_url"]);
});

test("one private address among a name's refuses it, a public one on any port is taken, and the environment's list allows", async () => {
  const resolvesTo = (...addresses: string[]) => testEgress({ allow: [], resolve: async () => addresses });
  expect(await addressFaults(resolvesTo("93.184.215.14", "10.0.0.1"), described())).toHaveLength(1);
  expect(await addressFaults(resolvesTo("93.184.215.14"), described({}, "https://provider.example:9000"))).toEqual([]);
  const allow = [parseRange("10.0.0.0/8")].filter((range) => range !== null);
  expect(await addressFaults(testEgress({ allow, resolve: async () => ["10.0.0.1"] }), described())).toEqual([]);
});

test("a pattern that can take too long is refused by its place when it is saved", async () => {
  const input = (pattern: string) => described({ read: { format: "text", pattern } as unknown as JsonObject });
  expect(await savedFaults(input("(?<status>[A-Z]+)"))).toEqual([]);
  expect(await savedFaults(input("(?<status>(?:[A-Z]+)+)"))).toContain("read.pattern");
});

test("a description that an earlier version saved goes on working; one with a forbidden address gets no orders", async () => {
  const row = {
    version: 1,
    candidate_version: null,
    candidate_percent: 0,
    secret_key_id: null,
    secret: null,
    created_at: new Date(),
    connector: "description",
  } as const;
  const keyless = (provider: string, origin: string): JsonObject => {
    const text = JSON.stringify(JSON_SPOKEN.describe(origin)).replace("{secret.token}", "none");
    return {
      ...(JSON.parse(text) as JsonObject),
      name: provider,
      secrets: [],
      codes: codes("circles", { XX: "5" }),
    } as unknown as JsonObject;
  };
  await settings.ctx.sql.begin(async (tx) => {
    await upsertProvider(tx, { ...row, provider: "acme", settings: keyless("acme", "https://provider.example") });
    await upsertProvider(tx, { ...row, provider: "inside", settings: keyless("inside", "http://169.254.169.254") });
  });
  const { sql, vault, clock } = settings.ctx;
  const providerRegistry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress() });
  const faultOf = (name: string) => providerRegistry.providers().find(({ row: one }) => one.provider === name)?.fault;
  expect(faultOf("acme")).toBeNull();
  expect(providerRegistry.connector("acme")).not.toBeNull();
  expect(faultOf("inside")).toContain("CORPRAIL_PROVIDER_ALLOW");
  await providerRegistry.close();
});
