import { type ImpactOf, readImpact } from "../../../domain/orders/queries/read-impact.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { EVERYBODY, may } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound } from "../errors.ts";
import { operatorParams, providerParams, serviceParams } from "../fields.ts";
import { routingPlanWithout } from "../providers/routing-plans.ts";
import type { ZodApp } from "../zod-app.ts";

/** The traffic that switching off an operator or service would affect. */
export function impactRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const impact = (of: ImpactOf) => impactFields(deps, of);

  app.get("/operators/:operator/impact", { config: may(EVERYBODY), schema: { params: operatorParams } }, async (request, reply) => {
    const { operator: name } = request.params;
    const known = deps.catalogue.operators().some((one) => one.operator === name);
    return known ? reply.send(await impact({ kind: "operator", name })) : notFound(reply, "operator");
  });

  app.get("/services/:service/impact", { config: may(EVERYBODY), schema: { params: serviceParams } }, async (request, reply) => {
    const { service: name } = request.params;
    return deps.catalogue.hasService(name) ? reply.send(await impact({ kind: "service", name })) : notFound(reply, "service");
  });

  app.get("/providers/:provider/impact", { config: may(EVERYBODY), schema: { params: providerParams } }, async (request, reply) => {
    const { provider: name } = request.params;
    if (!deps.providerRegistry.providers().some(({ row }) => row.provider === name)) return notFound(reply, "provider");
    return reply.send({ ...(await impact({ kind: "provider", name })), afterwards: routingPlanWithout(deps.providerRegistry, name) });
  });
}

async function impactFields(deps: OperatorApiDependencies, of: ImpactOf) {
  const { since, orders, accounts, amount, pending } = await readImpact(deps.sql, of, deps.clock.now());
  return { since: indiaDateTime(since), orders, accounts, amount: formatMoney(amount), pending };
}
