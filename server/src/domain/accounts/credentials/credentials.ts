import { type CredentialKind, credentialContext } from "../../../platform/crypto/vault.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import type { AccountsContext } from "../context.ts";
import { type CredentialRow, endCurrentCredential, insertCredential } from "../store.ts";

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

/** The name of an account's first token. A replacement keeps the name of the replaced token. */
const FIRST_TOKEN_NAME = "First token";

/** Issues a new current credential. The caller holds the account's lock. */
export async function issueCredential(tx: Transaction, ctx: AccountsContext, issue: Issue): Promise<Issued> {
  const replaced = await endCurrentCredential(tx, issue.accountId, issue.kind, issue.replacedEndsAt);
  const sealed = await insertSealed(tx, ctx, issue, {
    expires_at: null,
    is_primary: true,
    name: replaced?.name ?? (issue.kind === "api_token" ? FIRST_TOKEN_NAME : ""),
    scopes: replaced?.scopes ?? null,
    read_only: replaced?.read_only ?? false,
  });
  return { ...sealed, replacedId: replaced?.credential_id ?? null };
}

/** Makes a new secret text and stores it sealed. */
export async function insertSealed(
  tx: Transaction,
  ctx: AccountsContext,
  { accountId, kind, prefix, at }: Pick<Issue, "accountId" | "kind" | "prefix" | "at">,
  limits: Pick<CredentialRow, "expires_at" | "is_primary" | "name" | "scopes" | "read_only">,
): Promise<Omit<Issued, "replacedId">> {
  const text = ctx.ids.secret(prefix);
  const credentialId = ctx.ids.entry(at.getTime());
  const keyring = ctx.vault.keyring();
  const { keyId, sealed } = keyring.seal(text, credentialContext(accountId, credentialId, kind));
  await insertCredential(tx, {
    account_id: accountId,
    credential_id: credentialId,
    kind,
    key_id: keyId,
    sealed,
    digest: keyring.digest(text),
    created_at: at,
    ...limits,
  });
  return { text, credentialId, keyId };
}

export function tokenPrefix(sandbox: boolean): string {
  return sandbox ? "tok_test_" : "tok_live_";
}
