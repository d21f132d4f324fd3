import type { CredentialKind } from "../../../platform/crypto/vault.ts";
import { changeUnderLock } from "../account-change.ts";
import type { AccountsContext, NotFound, WithReason } from "../context.ts";
import { type AccountRow, advanceCallbackEpoch } from "../store.ts";
import { issueCredential } from "./credentials.ts";

export type Replacement = WithReason & { readonly accountId: string };
export type Replaced = { readonly kind: "done"; readonly text: string };

type Rule = {
  readonly kind: CredentialKind;
  readonly action: string;
  readonly prefix: (account: AccountRow) => string;
  /** How long the replaced credential remains valid. */
  readonly overlapMilliseconds: number;
};

/** The common part of replacing a token and replacing a secret. */
export async function replaceCredential(ctx: AccountsContext, actor: string, input: Replacement, rule: Rule): Promise<Replaced | NotFound> {
  return await changeUnderLock<Replaced>(ctx, actor, input, async (tx, account, at) => {
    const issued = await issueCredential(tx, ctx, {
      accountId: account.account_id,
      kind: rule.kind,
      prefix: rule.prefix(account),
      at,
      replacedEndsAt: new Date(at.getTime() + rule.overlapMilliseconds),
    });
    // Signing secrets are not used for callbacks.
    if (rule.kind !== "signing_secret") await advanceCallbackEpoch(tx, account.account_id);
    const details = { credential_id: issued.credentialId, replaced_credential_id: issued.replacedId };
    return { result: { kind: "done", text: issued.text }, audit: { action: rule.action, details }, sealedWith: issued.keyId };
  });
}
