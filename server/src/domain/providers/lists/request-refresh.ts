import { withReason } from "../../accounts/account-change.ts";
import type { NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import type { ProvidersContext } from "../context.ts";
import { lockProvider } from "../store.ts";
import { makeListsDue } from "./store.ts";

export type RefreshRequest = WithReason & {
  readonly provider: string;
  /** Take the answers over even if a list gets much smaller or empty. */
  readonly acceptSmaller: boolean;
};

export type RefreshRequested = { readonly kind: "done"; readonly lists: number };

/** Makes all lists of a provider due now. A process that runs the background jobs asks the provider. */
export async function requestRefresh(
  ctx: Pick<ProvidersContext, "sql" | "clock">,
  actor: string,
  input: RefreshRequest,
): Promise<RefreshRequested | NotFound> {
  const { provider, acceptSmaller, reason } = input;
  return await ctx.sql.begin(async (tx) => {
    if (!(await lockProvider(tx, provider))) return { kind: "not_found" };
    const now = ctx.clock.now();
    const lists = await makeListsDue(tx, provider, acceptSmaller, now);
    const details = withReason({ lists, accept_smaller: acceptSmaller }, reason);
    const subject = { kind: "provider", id: provider } as const;
    await appendAudit(tx, new Date(now), { actor, action: "provider.lists_refreshed", subject, details });
    return { kind: "done", lists };
  });
}
