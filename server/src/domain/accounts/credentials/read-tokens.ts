import { credentialContext, type Vault } from "../../../platform/crypto/vault.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { readTokenRows, type TokenRow } from "./token-store.ts";

/** An API token as its owner and staff see it, without its value. */
export type TokenView = {
  readonly tokenId: string;
  readonly name: string;
  /** Enough characters to recognise it, not enough to use it. */
  readonly masked: string;
  readonly isPrimary: boolean;
  readonly scopes: readonly string[] | null;
  readonly readOnly: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

type ReadContext = { readonly sql: Queryable; readonly vault: Vault };

/** The tokens of an account, the primary one first, then the newest. Expired ones stay until they are revoked. */
export async function readTokens(ctx: ReadContext, accountId: string): Promise<readonly TokenView[]> {
  const rows = await readTokenRows(ctx.sql, accountId);
  return await Promise.all(rows.map((row) => toView(ctx.vault, accountId, row)));
}

async function toView(vault: Vault, accountId: string, row: TokenRow): Promise<TokenView> {
  const text = await vault.open({ keyId: row.key_id, sealed: row.sealed }, credentialContext(accountId, row.credential_id, "api_token"));
  return {
    tokenId: row.credential_id,
    name: row.name,
    masked: maskToken(text),
    isPrimary: row.is_primary,
    scopes: row.scopes,
    readOnly: row.read_only,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

const SHOWN_CHARACTERS = 4;

function maskToken(token: string): string {
  const [prefix = ""] = /^tok_(?:live|test)_/.exec(token) ?? [];
  return `${prefix}••••${token.slice(-SHOWN_CHARACTERS)}`;
}
