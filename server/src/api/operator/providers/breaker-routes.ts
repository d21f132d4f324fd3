import { z } from "zod";
import type { ProviderBreaker } from "../../../domain/providers/health/breakers.ts";
import { resetBreaker } from "../../../domain/providers/health/reset-breaker.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { EVERYBODY, may, OPERATIONS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, sendPage } from "../errors.ts";
import type { ZodApp } from "../zod-app.ts";
import { breakerBody } from "./fields.ts";
import { breakerView } from "./views.ts";

const breakersQuery = shortListQuery.extend({ provider: z.string().max(64).optional() });

/** Breakers of the process that answers. Each process has its own. */
export function breakerRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const found = (provider: string | undefined) => {
    const named = (one: ProviderBreaker) => `${one.provider} ${one.operator}`;
    const fitting = deps.providerRegistry.breakers().filter((one) => provider === undefined || one.provider === provider);
    return fitting.toSorted((a, b) => (named(a) < named(b) ? -1 : 1));
  };
  const view = (one: ProviderBreaker) => breakerView(one, deps.clock.now());

  app.get("/breakers", { config: may(EVERYBODY), schema: { querystring: breakersQuery } }, async (request, reply) => {
    const page = shortPage(found(request.query.provider), request.query, view, (one) => `${one.provider} ${one.operator}`);
    return sendPage(reply, page && { ...page, process_id: deps.orders.processId });
  });

  app.post("/breakers/reset", { config: may(OPERATIONS), schema: { body: breakerBody } }, async (request, reply) => {
    const { provider, operator = null, reason } = request.body;
    const result = await resetBreaker(deps, actor(request), { provider, operator, reason });
    if (result.kind === "not_found") return notFound(reply, "provider");
    return reply.send({ ok: true, items: found(provider).map(view), next: null, process_id: deps.orders.processId });
  });
}
