import { withReason } from "../../accounts/account-change.ts";
import type { Done, NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import type { ProvidersContext } from "../context.ts";
import { lockProvider, type RouteKey, removeRoute } from "../store.ts";

/** Deletes a route. When it was the last of its level, less specific routes apply again. */
export async function deleteRoute(ctx: ProvidersContext, actor: string, input: WithReason & RouteKey): Promise<Done | NotFound> {
  const removed = await ctx.sql.begin(async (tx) => {
    await lockProvider(tx, input.provider);
    const route = await removeRoute(tx, input);
    if (!route) return false;
    const { service, operator, priority, weight, enabled } = route;
    const details = withReason({ service, operator, priority, weight, enabled }, input.reason);
    const subject = { kind: "provider", id: input.provider } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "provider.route_deleted", subject, details });
    return true;
  });
  if (!removed) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done" };
}
