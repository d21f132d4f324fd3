import { type CredentialKind, credentialContext } from "../../../platform/crypto/vault.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import type { AccountsContext } from "../context.ts";
import { endCurrentCredential, insertCredential } from "../store.ts";

export type Issued = {
  /** Shown once to the caller. Only the sealed form is stored. */
  readonly text: string;
  readonly credentialId: string;
  readonly replacedId: string | null;
  readonly keyId: string;
};

export type Issue = {
  readonly accountId: string;
  readonly kind: CredentialKind;
  readonly prefix: string;
  readonly at: Date;
  /** When the replaced credential expires. */
  readonly replacedEndsAt: Date;
};

/** Issues a new current credential. The caller holds the account's lock. */
export async function issueCredential(tx: Transaction, ctx: AccountsContext, issue: Issue): Promise<Issued> {
  const text = ctx.ids.secret(issue.prefix);
  const credentialId = ctx.ids.entry(issue.at.getTime());
  const keyring = ctx.vault.keyring();
  const { keyId, sealed } = keyring.seal(text, credentialContext(issue.accountId, credentialId, issue.kind));
  const replacedId = await endCurrentCredential(tx, issue.accountId, issue.kind, issue.replacedEndsAt);
  await insertCredential(tx, {
    account_id: issue.accountId,
    credential_id: credentialId,
    kind: issue.kind,
    key_id: keyId,
    sealed,
    digest: keyring.digest(text),
    created_at: issue.at,
  });
  return { text, credentialId, replacedId, keyId };
}

export function tokenPrefix(sandbox: boolean): string {
  return sandbox ? "tok_test_" : "tok_live_";
}
