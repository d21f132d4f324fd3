import type { z } from "zod";
import type { Operator, Service } from "../../../domain/catalog/catalogue.ts";
import { isOpen } from "../../../platform/core/india-time.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { pageOf } from "../../sites/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { stepView } from "../providers/views.ts";
import { pageOrRefusal } from "../refusal.ts";
import { operatorStateOutput, serviceStateOutput } from "./outputs.ts";
import { operatorView, serviceView } from "./views.ts";

const RECHARGE = "recharge";

const listOperators = action({
  path: "GET /operators",
  summary: "Lists the recharge operators with their health and their providers.",
  roles: EVERYBODY,
  query: shortListQuery,
  output: pageOf(operatorStateOutput),
  handler: async ({ deps, query }) => {
    const view = (operator: Operator) => operatorState(deps, operator);
    return pageOrRefusal(shortPage(deps.catalogue.operators(), query, view, (one) => one.operator));
  },
});

const listServices = action({
  path: "GET /services",
  summary: "Lists the services with their state.",
  roles: EVERYBODY,
  query: shortListQuery,
  output: pageOf(serviceStateOutput),
  handler: async ({ deps, query }) => {
    const view = (service: Service) => ({ ...serviceView(service), state: stateOf(deps, service) });
    return pageOrRefusal(shortPage(deps.catalogue.services(), query, view, (one) => one.service));
  },
});

function operatorState({ providerRegistry }: OperatorApiDependencies, operator: Operator): z.output<typeof operatorStateOutput> {
  const health = providerRegistry.health(operator.operator);
  return {
    ...operatorView(operator),
    status: operator.enabled ? health.status : "off",
    success_rate_1h: health.successRate1h,
    providers: providerRegistry.routingPlan(RECHARGE, operator.operator).steps.map(stepView),
  };
}

type ServiceState = z.output<typeof serviceStateOutput>["state"];

function stateOf({ clock, providerRegistry }: OperatorApiDependencies, service: Service): ServiceState {
  if (!service.enabled) return "off";
  if (!providerRegistry.serves({ service: service.service, sandbox: false })) return "no_provider";
  return isOpen(service, clock.now()) ? "open" : "closed";
}

/** Operators and services with their state and health. */
export const catalogueActions: readonly Action[] = [listOperators, listServices];
