import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../accounts/testing/settings.ts";
import { type Catalogue, loadCatalogue } from "../catalog/catalogue.ts";
import { loadProviders, type ProviderRegistry } from "../providers/registry.ts";
import { measureComponents } from "./component.ts";

let settings: TestSettings;
let catalogue: Catalogue;
let providerRegistry: ProviderRegistry;
beforeEach(async () => {
  settings = await testSettings();
  const { sql, vault, clock } = settings.ctx;
  catalogue = await loadCatalogue(sql);
  providerRegistry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {} });
});
afterEach(async () => {
  await providerRegistry.close();
  await settings.close();
});

const goUnanswered = (service: string, operator: string) => {
  for (let time = 0; time < 5; time++) {
    providerRegistry.noteOutcome("simulator", { service, operator }, { kind: "unknown", why: "" }, 10);
  }
};

function states(): Readonly<Record<string, string>> {
  // Noon in India, when every service is open.
  const components = measureComponents({ catalogue, providerRegistry }, Date.parse("2026-11-17T12:00:00+05:30"));
  return Object.fromEntries(components.map(({ component, state }) => [component, state]));
}

test("unanswered recharges of one operator change neither other operators nor other services of the same provider", () => {
  goUnanswered("recharge", "AT");
  const { "operator:AT": airtel, "service:recharge": recharge, ...others } = states();
  expect([airtel, recharge]).toEqual(["down", "degraded"]);
  expect(new Set(Object.values(others))).toEqual(new Set(["up"]));
});

test("a service is down when none of its own orders is answered", () => {
  goUnanswered("bills", "BESCOM");
  expect(states()).toMatchObject({ "service:bills": "down", "service:transfers": "up", "service:recharge": "up" });
});
