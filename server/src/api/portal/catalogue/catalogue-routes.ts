import type { Answer, Route } from "../../../domain/client-api/route.ts";
import { listOperators } from "../../../domain/services/recharge/list-operators.ts";
import { listServices } from "../../../domain/services/recharge/list-services.ts";
import type { PortalContext } from "../context.ts";
import { refusedFault } from "../refused.ts";
import { EVERYBODY, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";

type CatalogueContext = Pick<PortalContext, "sql" | "clock" | "catalogue" | "accountById" | "health" | "limits" | "orders">;

/** Operators and services with the fields of the client API. */
export function catalogueRoutes(ctx: CatalogueContext): readonly PortalRoute[] {
  const { providerRegistry } = ctx.orders;
  return [sameAs(ctx, listOperators(ctx)), sameAs(ctx, listServices({ ...ctx, providerRegistry }))];
}

function sameAs(ctx: CatalogueContext, route: Route): PortalRoute {
  return memberRoute({
    method: "GET",
    path: route.path,
    does: route.summary,
    who: EVERYBODY,
    input: route.input,
    handle: async ({ session, input, requestId }) => {
      const account = ctx.accountById(session.accountId);
      if (!account) return fault("not_found", "There is no such account.");
      return shown(await route.handle({ account, input, requestId }));
    },
  });
}

function shown(answer: Answer): PortalAnswer {
  if (answer.kind === "refused") return refusedFault(answer);
  if (answer.kind === "list") return json({ items: answer.items, next: answer.next });
  throw new Error(`A list was answered ${answer.kind}.`);
}
