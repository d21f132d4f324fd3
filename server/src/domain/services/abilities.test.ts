import { expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import { canServe } from "../providers/settings/capabilities.ts";
import { simulatedServices } from "./testing/simulated-services.ts";

const providerServices = simulatedServices(systemClock(0));

test.each(Object.entries(providerServices))(
  "whoever a route for %s may lead to has what the service asks of a provider",
  (service, find) => {
    for (const provider of ["simulator", "sim2"]) {
      const row = { provider, connector: "simulator", settings: {} } as const;
      expect(canServe(row, service, "*")).toBe(find(provider) !== undefined);
    }
    for (const connector of ["description", "corprail"] as const)
      expect(canServe({ provider: "acme", connector, settings: {} }, service, "*")).toBe(false);
  },
);

test("every connector can do recharges, for the operators that it lists or for all", () => {
  for (const connector of ["simulator", "description", "corprail"] as const) {
    expect(canServe({ provider: "acme", connector, settings: {} }, "recharge", "AT")).toBe(true);
    const listed = { provider: "acme", connector, settings: { operators: { AT: "1" } } };
    expect([canServe(listed, "recharge", "AT"), canServe(listed, "recharge", "TP"), canServe(listed, "*", "*")]).toEqual([
      true,
      false,
      true,
    ]);
  }
});
