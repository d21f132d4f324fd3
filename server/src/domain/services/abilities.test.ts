import { expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { canServe } from "../providers/settings/capabilities.ts";
import { JSON_SPOKEN } from "../providers/testing/definitions.ts";
import { simulatedServices } from "./testing/simulated-services.ts";

const providerServices = simulatedServices(systemClock(0));

// Without queries a provider can still carry out recharges.
const { recharge: _, ...signed } = providerServices;

test.each(Object.entries(signed))("every provider that a route for %s may lead to has what the service needs", (service, find) => {
  for (const provider of ["simulator", "sim2"]) {
    const row = { provider, connector: "simulator", settings: {} } as const;
    expect(canServe(row, service, "*")).toBe(find(provider) !== undefined);
  }
  for (const connector of ["description", "corprail"] as const)
    expect(canServe({ provider: "acme", connector, settings: {} }, service, "*")).toBe(false);
});

test("every connector can do recharges, for the operators that it lists or for all", () => {
  const described = { ...JSON_SPOKEN.describe("https://a.example"), name: "acme" } as JsonObject;
  for (const [connector, settings, operators] of [
    ["simulator", {}, { operators: { AT: "1" } }],
    ["description", described, { codes: { operators: { values: { AT: "1" } } } }],
    ["corprail", { base_url: "https://a.example" }, { operators: { AT: "1" } }],
  ] as const) {
    expect(canServe({ provider: "acme", connector, settings }, "recharge", "AT")).toBe(true);
    const listed = { provider: "acme", connector, settings: { ...settings, ...operators } };
    expect([canServe(listed, "recharge", "AT"), canServe(listed, "recharge", "TP"), canServe(listed, "*", "*")]).toEqual([
      true,
      false,
      true,
    ]);
  }
});
