import { changeUnderLock } from "../account-change.ts";
import type { AccountsContext, Done, NotFound } from "../context.ts";
import { endReplacedSigningSecrets } from "../store.ts";
import type { Replacement } from "./replace-credential.ts";

/** Revokes the replaced signing secrets that are still valid; the current one stays. */
export async function revokeOldSigningSecrets(ctx: AccountsContext, actor: string, input: Replacement): Promise<Done | NotFound> {
  return await changeUnderLock<Done>(ctx, actor, input, async (tx, account, at) => {
    const revoked = await endReplacedSigningSecrets(tx, account.account_id, at);
    if (revoked.length === 0) return { result: { kind: "done" }, audit: null };
    return {
      result: { kind: "done" },
      audit: { action: "account.old_signing_secrets_revoked", details: { revoked_credential_ids: revoked } },
    };
  });
}
