import { credentialContext, type Vault } from "../../../platform/crypto/vault.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { readCredentials } from "../store.ts";

export type CurrentSecrets = {
  /** Enough characters to recognise a token, not enough to use it. */
  readonly token: { readonly masked: string; readonly createdAt: Date } | null;
  readonly callbackSecret: { readonly createdAt: Date } | null;
};

const SHOWN_CHARACTERS = 4;

export async function readCurrentSecrets(
  ctx: { readonly sql: Queryable; readonly vault: Vault },
  accountId: string,
): Promise<CurrentSecrets> {
  const rows = await readCredentials(ctx.sql, [accountId]);
  const current = (kind: string) => rows.find((row) => row.kind === kind && row.expires_at === null);
  const [token, callbackSecret] = [current("api_token"), current("callback_secret")];
  return {
    token: token
      ? {
          masked: masked(
            await ctx.vault.open(
              { keyId: token.key_id, sealed: token.sealed },
              credentialContext(accountId, token.credential_id, token.kind),
            ),
          ),
          createdAt: token.created_at,
        }
      : null,
    callbackSecret: callbackSecret ? { createdAt: callbackSecret.created_at } : null,
  };
}

function masked(token: string): string {
  const [prefix = ""] = /^tok_(?:live|test)_/.exec(token) ?? [];
  return `${prefix}••••${token.slice(-SHOWN_CHARACTERS)}`;
}

/** Who last changed whether the account must sign requests; null when nobody has. */
export async function signingRequiredBy(sql: Queryable, accountId: string): Promise<string | null> {
  const [row] = await sql<{ actor: string }[]>`
    select actor from audit_log where subject_kind = 'account' and subject_id = ${accountId} and action = 'account.changed'
      and jsonb_exists(details::jsonb -> 'changes', 'signing_required') order by seq desc limit 1`;
  return row?.actor ?? null;
}
