import type { Operator, Service } from "../../../domain/catalog/catalogue.ts";
import { isOpen } from "../../../platform/core/india-time.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { EVERYBODY, may } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { sendPage } from "../errors.ts";
import { stepView } from "../providers/views.ts";
import { operatorView, serviceView } from "../views.ts";
import type { ZodApp } from "../zod-app.ts";

const RECHARGE = "recharge";

/** Operators and services with their state and health. */
export function catalogueListRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const listed = { config: may(EVERYBODY), schema: { querystring: shortListQuery } };

  app.get("/operators", listed, async (request, reply) => {
    const view = (operator: Operator) => operatorState(deps, operator);
    return sendPage(
      reply,
      shortPage(deps.catalogue.operators(), request.query, view, (one) => one.operator),
    );
  });

  app.get("/services", listed, async (request, reply) => {
    const view = (service: Service) => ({ ...serviceView(service), state: stateOf(deps, service) });
    return sendPage(
      reply,
      shortPage(deps.catalogue.services(), request.query, view, (one) => one.service),
    );
  });
}

function operatorState({ providerRegistry }: OperatorApiDependencies, operator: Operator) {
  const health = providerRegistry.health(operator.operator);
  return {
    ...operatorView(operator),
    status: operator.enabled ? health.status : "off",
    success_rate_1h: health.successRate1h,
    providers: providerRegistry.routingPlan(RECHARGE, operator.operator).steps.map(stepView),
  };
}

function stateOf({ clock, providerRegistry }: OperatorApiDependencies, service: Service): "open" | "closed" | "off" | "no_provider" {
  if (!service.enabled) return "off";
  if (!providerRegistry.serves({ service: service.service, sandbox: false })) return "no_provider";
  return isOpen(service, clock.now()) ? "open" : "closed";
}
