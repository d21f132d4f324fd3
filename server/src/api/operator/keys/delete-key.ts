import { withReason } from "../../../domain/accounts/account-change.ts";
import type { AccountsContext, WithReason } from "../../../domain/accounts/context.ts";
import { appendAudit } from "../../../domain/audit/append.ts";
import { type OperatorKeyRow, removeOperatorKey } from "./key-store.ts";

/** Deletes an operator key, which takes effect at once in every process. Returns the key, or null if there is none. */
export async function deleteKey(
  ctx: AccountsContext,
  actor: string,
  input: WithReason & { readonly keyId: string },
): Promise<OperatorKeyRow | null> {
  const removed = await ctx.sql.begin(async (tx) => {
    const row = await removeOperatorKey(tx, input.keyId);
    if (!row) return null;
    const details = withReason({ name: row.name }, input.reason);
    const subject = { kind: "operator_key", id: input.keyId } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "operator_key.deleted", subject, details });
    return row;
  });
  if (removed) await ctx.refresh();
  return removed;
}
