import type { z } from "zod";
import type { Operator, Service } from "../../../domain/catalog/catalogue.ts";
import { switchOperator } from "../../../domain/catalog/switch-operator.ts";
import { switchService } from "../../../domain/catalog/switch-service.ts";
import { operatorFields } from "../../../domain/services/recharge/list-operators.ts";
import { CATALOGUE_SERVICE } from "../../../domain/shared/service-definition.ts";
import { isOpen } from "../../../platform/core/india-time.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorBody, operatorParams, serviceBody, serviceParams } from "../fields.ts";
import { stepView } from "../providers/views.ts";
import { noSuch, pageOrRefusal } from "../refusal.ts";
import { operatorStateOutput, serviceStateOutput } from "./outputs.ts";

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
    const view = (service: Service) => serviceState(deps, service);
    return pageOrRefusal(shortPage(deps.catalogue.services(), query, view, (one) => one.service));
  },
});

function operatorState({ providerRegistry }: OperatorApiDependencies, operator: Operator): z.output<typeof operatorStateOutput> {
  const health = providerRegistry.health(operator.operator);
  return {
    ...operatorFields(operator),
    enabled: operator.enabled,
    status: operator.enabled ? health.status : "off",
    success_rate_1h: health.successRate1h,
    providers: providerRegistry.routingPlan(CATALOGUE_SERVICE, operator.operator).steps.map(stepView),
  };
}

type ServiceState = z.output<typeof serviceStateOutput>;

function serviceState(deps: OperatorApiDependencies, service: Service): ServiceState {
  return {
    service: service.service,
    name: service.name,
    signing: service.signing,
    enabled: service.enabled,
    opens_at: service.opensAt,
    closes_at: service.closesAt,
    state: stateOf(deps, service),
  };
}

function stateOf({ clock, providerRegistry }: OperatorApiDependencies, service: Service): ServiceState["state"] {
  if (!service.enabled) return "off";
  if (!providerRegistry.serves({ service: service.service, sandbox: false })) return "no_provider";
  return isOpen(service, clock.now()) ? "open" : "closed";
}

const changeOperator = action({
  path: "POST /operators/:operator",
  summary: "Switches an operator on or off for the whole installation.",
  roles: OPERATIONS,
  params: operatorParams,
  body: operatorBody,
  output: operatorStateOutput,
  handler: async ({ deps, actor, params: { operator }, body }) => {
    const result = await switchOperator(deps, actor, { operator, ...body });
    const switched = result.kind === "done" ? deps.catalogue.operator(operator) : null;
    return switched ? operatorState(deps, switched) : noSuch("operator");
  },
});

const changeService = action({
  path: "POST /services/:service",
  summary: "Switches a service on or off, or changes its opening hours, for the whole installation.",
  roles: OPERATIONS,
  params: serviceParams,
  body: serviceBody,
  output: serviceStateOutput,
  handler: async ({ deps, actor, params: { service }, body: { enabled, opens_at: opensAt, closes_at: closesAt, reason } }) => {
    const result = await switchService(deps, actor, { service, enabled, opensAt, closesAt, reason });
    return result.kind === "done" ? serviceState(deps, deps.catalogue.service(service)) : noSuch("service");
  },
});

/** Operators and services with their state and health, and their installation-wide switches. */
export const catalogueActions: readonly Action[] = [listOperators, listServices, changeOperator, changeService];
