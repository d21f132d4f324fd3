import { isOpen } from "../../platform/core/india-time.ts";
import type { Catalogue, Operator, Service } from "../catalog/catalogue.ts";
import type { ProviderRegistry } from "../providers/registry.ts";
import { CATALOGUE_SERVICE } from "../shared/service-definition.ts";

/** `closed` is outside the opening hours, `off` is switched off by the platform. Neither is an outage. */
export const COMPONENT_STATES = ["up", "degraded", "down", "closed", "off"] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

/** A service or an operator on the status page. */
export type Component = {
  readonly component: string;
  readonly name: string;
  readonly group: "services" | "operators";
  readonly state: ComponentState;
};

export type Measured = {
  readonly catalogue: Pick<Catalogue, "services" | "operators">;
  readonly providerRegistry: Pick<ProviderRegistry, "health" | "serviceHealth" | "routingPlan" | "serves">;
};

/** The state of every service and operator from switches, providers and the orders of the last minutes. */
export function measureComponents(measured: Measured, now: number): readonly Component[] {
  const { catalogue } = measured;
  const operators = catalogue.operators().map((one) => operatorComponent(measured, one));
  return [...catalogue.services().map((one) => serviceComponent(measured, one, operators, now)), ...operators];
}

export function componentNames({ catalogue }: Pick<Measured, "catalogue">): ReadonlySet<string> {
  return new Set([
    ...catalogue.services().map(({ service }) => `service:${service}`),
    ...catalogue.operators().map(({ operator }) => `operator:${operator}`),
  ]);
}

const OF_HEALTH = { up: "up", slow: "degraded", down: "down" } as const;

function operatorComponent({ providerRegistry }: Measured, { operator, name, enabled }: Operator): Component {
  const served = providerRegistry.serves({ service: CATALOGUE_SERVICE, operator, sandbox: false });
  const measuredState = served ? OF_HEALTH[providerRegistry.health(operator).status] : "down";
  return { component: `operator:${operator}`, name, group: "operators", state: enabled ? measuredState : "off" };
}

function serviceComponent(measured: Measured, service: Service, operators: readonly Component[], now: number): Component {
  return {
    component: `service:${service.service}`,
    name: service.name,
    group: "services",
    state: serviceState(measured, service, operators, now),
  };
}

function serviceState({ providerRegistry }: Measured, service: Service, operators: readonly Component[], now: number): ComponentState {
  if (!service.enabled) return "off";
  if (!isOpen(service, now)) return "closed";
  if (service.service === CATALOGUE_SERVICE) return worstShared(operators.filter((one) => one.state !== "off").map(({ state }) => state));
  if (!providerRegistry.serves({ service: service.service, sandbox: false })) return "down";
  const tried = providerRegistry.routingPlan(service.service, "").steps.filter((step) => step.passedOver === null);
  return worstShared(tried.map(({ route }) => OF_HEALTH[providerRegistry.serviceHealth(route.provider, service.service).status]));
}

/** Down if all parts are, degraded if some are. */
export function worstShared(states: readonly ComponentState[]): ComponentState {
  if (states.length > 0 && states.every((state) => state === "down")) return "down";
  return states.some((state) => state === "down" || state === "degraded") ? "degraded" : "up";
}

/** For the headline. Parts that are closed or switched off do not count; an open incident is a problem even if nothing measures it. */
export function overallState(components: readonly Component[], hasOpenIncident: boolean): "up" | "degraded" | "down" {
  const counted = components.map(({ state }) => state).filter((state) => state !== "closed" && state !== "off");
  if (counted.length > 0 && counted.every((state) => state === "down")) return "down";
  return !hasOpenIncident && counted.every((state) => state === "up") ? "up" : "degraded";
}
