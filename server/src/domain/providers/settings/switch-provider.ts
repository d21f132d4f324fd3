import { withReason } from "../../accounts/account-change.ts";
import type { Done, NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import type { ProvidersContext } from "../context.ts";
import { lockProvider, updateProviderSwitch } from "../store.ts";

export type ProviderSwitch = WithReason & { readonly provider: string; readonly enabled: boolean };

/** Enables or disables a provider for new orders. Its earlier orders are polled in either case. */
export async function switchProvider(ctx: ProvidersContext, actor: string, input: ProviderSwitch): Promise<Done | NotFound> {
  const found = await ctx.sql.begin(async (tx) => {
    const before = await lockProvider(tx, input.provider);
    if (!before || before.enabled === input.enabled) return before !== undefined;
    await updateProviderSwitch(tx, input.provider, input.enabled);
    const details = withReason({ changes: { enabled: { from: before.enabled, to: input.enabled } } }, input.reason);
    const subject = { kind: "provider", id: input.provider } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "provider.switched", subject, details });
    return true;
  });
  if (!found) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done" };
}
