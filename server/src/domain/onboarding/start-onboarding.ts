import { withReason } from "../accounts/account-change.ts";
import type { AccountsContext, WithReason } from "../accounts/context.ts";
import type { Asker } from "../approvals/approval.ts";
import { appendAudit } from "../audit/append.ts";
import { insertOnboarding, insertPendingAccount } from "./store.ts";

/**
 * Creates an account that cannot transact yet, and its draft. It has no token: the client creates the first one in the
 * portal, so that no member of staff ever sees it. The caller has checked the name.
 */
export async function startOnboarding(ctx: AccountsContext, asker: Asker, input: WithReason & { readonly name: string }): Promise<string> {
  const accountId = ctx.ids.account();
  // Before the account exists, so that no account is in a cell that home does not know of.
  await ctx.assign?.(accountId);
  await ctx.sql.begin(async (tx) => {
    const at = new Date(ctx.clock.now());
    await insertPendingAccount(tx, accountId, input.name, at);
    await insertOnboarding(tx, { accountId, actor: asker.actor, person: asker.person, at });
    const details = withReason({ name: input.name, sandbox: false, onboarding: true }, input.reason);
    await appendAudit(tx, at, { actor: asker.actor, action: "account.created", subject: { kind: "account", id: accountId }, details });
  });
  await ctx.refresh();
  return accountId;
}
