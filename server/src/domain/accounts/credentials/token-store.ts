import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";

export type TokenRow = Pick<
  Row<"credentials">,
  "credential_id" | "key_id" | "sealed" | "created_at" | "expires_at" | "is_primary" | "name" | "scopes" | "read_only"
>;

/** The tokens of an account that were neither replaced nor revoked, the primary one first. Expired ones are included. */
export async function readTokenRows(sql: Queryable, accountId: string): Promise<readonly TokenRow[]> {
  return await sql<TokenRow[]>`
    select credential_id, key_id, sealed, created_at, expires_at, is_primary, name, scopes, read_only from credentials
    where account_id = ${accountId} and kind = 'api_token' and revoked_at is null and (expires_at is null or not is_primary)
    order by is_primary desc, created_at desc, credential_id desc`;
}

export async function updateToken(
  tx: Transaction,
  accountId: string,
  tokenId: string,
  changes: Partial<Pick<TokenRow, "name" | "expires_at" | "is_primary"> & { readonly revoked_at: Date }>,
): Promise<void> {
  await tx`update credentials set ${tx(changes)} where account_id = ${accountId} and credential_id = ${tokenId}`;
}
