import type { z } from "zod";
import { type ImpactOf, readImpact } from "../../../domain/orders/queries/read-impact.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorParams, providerParams, serviceParams } from "../fields.ts";
import { routingPlanWithout } from "../providers/routing-plans.ts";
import { noSuch } from "../refusal.ts";
import { providerSwitchImpactOutput, switchImpactOutput } from "./outputs.ts";

const showOperatorImpact = action({
  path: "GET /operators/:operator/impact",
  summary: "Shows the traffic that switching off an operator would affect.",
  roles: EVERYBODY,
  params: operatorParams,
  output: switchImpactOutput,
  cells: SUMMED,
  handler: async ({ deps, params: { operator: name } }) => {
    const known = deps.catalogue.operators().some((one) => one.operator === name);
    return known ? await impactFields(deps, { kind: "operator", name }) : noSuch("operator");
  },
});

const showServiceImpact = action({
  path: "GET /services/:service/impact",
  summary: "Shows the traffic that switching off a service would affect.",
  roles: EVERYBODY,
  params: serviceParams,
  output: switchImpactOutput,
  cells: SUMMED,
  handler: async ({ deps, params: { service: name } }) =>
    deps.catalogue.hasService(name) ? await impactFields(deps, { kind: "service", name }) : noSuch("service"),
});

const showProviderImpact = action({
  path: "GET /providers/:provider/impact",
  summary: "Shows the traffic that switching off a provider would affect, and the providers that would be tried instead.",
  roles: EVERYBODY,
  params: providerParams,
  output: providerSwitchImpactOutput,
  // What would be tried instead is the same in every cell.
  cells: {
    kind: "sum",
    merge: (all: readonly z.output<typeof providerSwitchImpactOutput>[]) => ({ ...SUMMED.merge(all), afterwards: all[0]?.afterwards }),
  },
  handler: async ({ deps, params: { provider: name } }) => {
    if (!deps.providerRegistry.providers().some(({ row }) => row.provider === name)) return noSuch("provider");
    const impact = await impactFields(deps, { kind: "provider", name });
    return { ...impact, afterwards: routingPlanWithout(deps.providerRegistry, name) };
  },
});

async function impactFields(deps: OperatorApiDependencies, of: ImpactOf): Promise<z.output<typeof switchImpactOutput>> {
  const { since, orders, accounts, amount, pending } = await readImpact(deps.sql, of, deps.clock.now());
  return { since: indiaDateTime(since), orders, accounts, amount: formatMoney(amount), pending };
}

/** The traffic that a switch would affect. */
export const impactActions: readonly Action[] = [showOperatorImpact, showServiceImpact, showProviderImpact];
