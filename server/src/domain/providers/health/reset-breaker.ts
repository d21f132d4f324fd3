import { withReason } from "../../accounts/account-change.ts";
import type { Done, NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import type { Change } from "../../audit/feed.ts";
import type { ProvidersContext } from "../context.ts";
import { lockProvider } from "../store.ts";

export type BreakerReset = {
  readonly provider: string;
  /** Null for all operators. */
  readonly operator: string | null;
};

const ACTION = "provider.breaker_reset";

/** Closes a provider's breaker. Every process acts on the audit entry, which is part of the change feed. */
export async function resetBreaker(ctx: ProvidersContext, actor: string, input: WithReason & BreakerReset): Promise<Done | NotFound> {
  const found = await ctx.sql.begin(async (tx) => {
    if (!(await lockProvider(tx, input.provider))) return false;
    const details = withReason({ operator: input.operator }, input.reason);
    const subject = { kind: "provider", id: input.provider } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: ACTION, subject, details });
    return true;
  });
  if (!found) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done" };
}

/** The reset that a change describes; null for other changes. */
export function readBreakerReset(change: Change): BreakerReset | null {
  if (change.kind !== "provider" || change.action !== ACTION) return null;
  const { operator } = JSON.parse(change.details) as { readonly operator: string | null };
  return { provider: change.id, operator };
}
