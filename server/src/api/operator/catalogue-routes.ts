import { switchOperator } from "../../domain/catalog/switch-operator.ts";
import { switchService } from "../../domain/catalog/switch-service.ts";
import { may, OPERATIONS } from "./access.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound } from "./errors.ts";
import { operatorBody, operatorParams, serviceBody, serviceParams } from "./fields.ts";
import { operatorView, serviceView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

/** Installation-wide switches of operators and services. */
export function catalogueRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/operators/:operator",
    { config: may(OPERATIONS), schema: { params: operatorParams, body: operatorBody } },
    async (request, reply) => {
      const { operator } = request.params;
      const result = await switchOperator(deps, actor(request), { operator, ...request.body });
      const switched = result.kind === "done" ? deps.catalogue.operator(operator) : null;
      return switched ? reply.send(operatorView(switched)) : notFound(reply, "operator");
    },
  );

  app.post(
    "/services/:service",
    { config: may(OPERATIONS), schema: { params: serviceParams, body: serviceBody } },
    async (request, reply) => {
      const { service } = request.params;
      const { enabled, opens_at: opensAt, closes_at: closesAt, reason } = request.body;
      const result = await switchService(deps, actor(request), { service, enabled, opensAt, closesAt, reason });
      return result.kind === "done" ? reply.send(serviceView(deps.catalogue.service(service))) : notFound(reply, "service");
    },
  );
}
