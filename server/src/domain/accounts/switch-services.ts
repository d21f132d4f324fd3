import { changeUnderLock } from "./account-change.ts";
import type { AccountsContext, Done, NotFound, WithReason } from "./context.ts";
import { updateServices } from "./store.ts";

/** The services to enable or disable, by name. The caller has checked the names. */
export type ServiceSwitches = WithReason & { readonly accountId: string; readonly services: Readonly<Record<string, boolean>> };

export async function switchServices(ctx: AccountsContext, actor: string, input: ServiceSwitches): Promise<Done | NotFound> {
  return await changeUnderLock<Done>(ctx, actor, input, async (tx, account, at) => {
    const on = new Set(account.services);
    const changed = Object.entries(input.services).filter(([service, wanted]) => on.has(service) !== wanted);
    if (changed.length === 0) return { result: { kind: "done" }, audit: null };
    for (const [service, wanted] of changed) wanted ? on.add(service) : on.delete(service);
    await updateServices(tx, account.account_id, [...on].sort(), at);
    const changes = Object.fromEntries(changed.map(([service, wanted]) => [service, { from: !wanted, to: wanted }]));
    return { result: { kind: "done" }, audit: { action: "account.services_switched", details: { changes } } };
  });
}
