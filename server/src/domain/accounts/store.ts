import type { CredentialKind } from "../../platform/crypto/vault.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";

export type AccountRow = Pick<
  Row<"accounts">,
  | "account_id"
  | "name"
  | "sandbox"
  | "standing"
  | "kyc"
  | "agreement"
  | "wallet"
  | "signing_required"
  | "money_per_minute"
  | "get_per_minute"
  | "daily_limit"
  | "services"
  | "allowlist"
  | "callback_url"
  | "complaint_callback_url"
  | "callback_version"
  | "log_bodies"
  | "callbacks_paused"
  | "closed_at"
  | "created_at"
>;

export type CredentialRow = Pick<
  Row<"credentials">,
  | "account_id"
  | "credential_id"
  | "key_id"
  | "sealed"
  | "digest"
  | "created_at"
  | "expires_at"
  | "is_primary"
  | "name"
  | "scopes"
  | "read_only"
> & {
  readonly kind: CredentialKind;
};

/** The settings that staff can change, by column. */
export type AccountSettings = Pick<
  AccountRow,
  | "standing"
  | "kyc"
  | "agreement"
  | "wallet"
  | "signing_required"
  | "money_per_minute"
  | "get_per_minute"
  | "daily_limit"
  | "callback_url"
  | "complaint_callback_url"
  | "callback_version"
  | "log_bodies"
>;

/** The rows of these accounts, or of all. */
export async function readAccounts(sql: Queryable, accountIds: readonly string[] | "all"): Promise<readonly AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from accounts ${accountIds === "all" ? sql`` : sql`where account_id = any(${accountIds as string[]})`}`;
}

/** Credentials that may still be in use, without replaced and revoked tokens and without replaced callback secrets. */
export async function readCredentials(sql: Queryable, accountIds: readonly string[] | "all"): Promise<readonly CredentialRow[]> {
  return await sql<CredentialRow[]>`
    select account_id, credential_id, kind, key_id, sealed, digest, created_at, expires_at, is_primary, name, scopes, read_only
    from credentials where (expires_at is null or kind = 'signing_secret' or not is_primary) and revoked_at is null
      ${accountIds === "all" ? sql`` : sql`and account_id = any(${accountIds as string[]})`}
    order by created_at, credential_id`;
}

export function credentialsByAccount(rows: readonly CredentialRow[]): ReadonlyMap<string, readonly CredentialRow[]> {
  const ofAccount = new Map<string, CredentialRow[]>();
  for (const row of rows) {
    const others = ofAccount.get(row.account_id);
    if (others) others.push(row);
    else ofAccount.set(row.account_id, [row]);
  }
  return ofAccount;
}

export type AccountCursor = { readonly createdAt: Date; readonly accountId: string };

export type AccountFilter = {
  /** Part of the name, or the beginning of the id. */
  readonly search?: string | undefined;
  readonly standing?: AccountRow["standing"] | undefined;
  readonly sandbox?: boolean | undefined;
  readonly after: AccountCursor | null;
  readonly limit: number;
};

/** The newest accounts, or those after the cursor. */
export async function readAccountPage(sql: Queryable, filter: AccountFilter): Promise<readonly AccountRow[]> {
  const { search, standing, sandbox, after } = filter;
  const letters = search?.replaceAll(/[\\%_]/g, "\\$&");
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from accounts where true
      ${letters === undefined ? sql`` : sql`and (name ilike ${`%${letters}%`} or account_id ilike ${`${letters}%`})`}
      ${standing === undefined ? sql`` : sql`and standing = ${standing}`}
      ${sandbox === undefined ? sql`` : sql`and sandbox = ${sandbox}`}
      ${after === null ? sql`` : sql`and (created_at, account_id) < (${after.createdAt}, ${after.accountId})`}
    order by created_at desc, account_id desc limit ${filter.limit}`;
}

export async function lockAccount(tx: Transaction, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await tx<AccountRow[]>`select ${accountColumns(tx)} from accounts where account_id = ${accountId} for update`;
  return row;
}

function accountColumns(sql: Queryable) {
  return sql`account_id, name, sandbox, standing, kyc, agreement, wallet, signing_required, money_per_minute, get_per_minute,
    daily_limit, services, allowlist, callback_url, complaint_callback_url, callback_version, log_bodies,
    callbacks_paused, closed_at, created_at`;
}

export async function insertAccount(
  tx: Transaction,
  account: { readonly accountId: string; readonly name: string; readonly sandbox: boolean; readonly at: Date },
): Promise<void> {
  await tx`
    insert into accounts (account_id, name, sandbox, created_at, updated_at)
    values (${account.accountId}, ${account.name}, ${account.sandbox}, ${account.at}, ${account.at})`;
}

export async function updateAccount(tx: Transaction, accountId: string, changed: Partial<AccountSettings>, at: Date): Promise<void> {
  await tx`update accounts set ${tx({ ...changed, updated_at: at })} where account_id = ${accountId}`;
}

/** A closed account cannot be used or reopened. */
export async function markClosed(tx: Transaction, accountId: string, at: Date): Promise<void> {
  await tx`update accounts set standing = 'inactive', closed_at = ${at}, updated_at = ${at} where account_id = ${accountId}`;
}

export async function updateServices(tx: Transaction, accountId: string, services: readonly string[], at: Date): Promise<void> {
  await tx`update accounts set services = ${services as string[]}, updated_at = ${at} where account_id = ${accountId}`;
}

export async function updateAllowlist(tx: Transaction, accountId: string, entries: readonly string[], at: Date): Promise<void> {
  await tx`update accounts set allowlist = ${entries as string[]}, updated_at = ${at} where account_id = ${accountId}`;
}

export async function updateCallbacksPaused(tx: Transaction, accountId: string, paused: boolean, at: Date): Promise<void> {
  await tx`update accounts set callbacks_paused = ${paused}, updated_at = ${at} where account_id = ${accountId}`;
}

export async function insertCredential(tx: Transaction, row: CredentialRow): Promise<void> {
  await tx`
    insert into credentials (account_id, credential_id, kind, key_id, sealed, digest, created_at, expires_at, is_primary, name, scopes, read_only)
    values (${row.account_id}, ${row.credential_id}, ${row.kind}, ${row.key_id}, ${row.sealed}, ${row.digest}, ${row.created_at},
      ${row.expires_at}, ${row.is_primary}, ${row.name}, ${row.scopes as string[] | null}, ${row.read_only})`;
}

/** What a replacement keeps of the replaced credential. */
export type EndedCredential = Pick<CredentialRow, "credential_id" | "name" | "scopes" | "read_only">;

/** Sets the expiry of the current credential; null when there is none. */
export async function endCurrentCredential(
  tx: Transaction,
  accountId: string,
  kind: CredentialKind,
  endsAt: Date,
): Promise<EndedCredential | null> {
  const [ended] = await tx<EndedCredential[]>`
    update credentials set expires_at = ${endsAt}
    where account_id = ${accountId} and kind = ${kind} and expires_at is null and is_primary
    returning credential_id, name, scopes, read_only`;
  return ended ?? null;
}

export async function endReplacedSigningSecrets(tx: Transaction, accountId: string, at: Date): Promise<readonly string[]> {
  const ended = await tx<{ credential_id: string }[]>`
    update credentials set expires_at = ${at}
    where account_id = ${accountId} and kind = 'signing_secret' and expires_at > ${at} returning credential_id`;
  return ended.map((row) => row.credential_id).sort();
}

export async function hasCurrentCredential(tx: Transaction, accountId: string, kind: CredentialKind): Promise<boolean> {
  const rows = await tx`select 1 from credentials where account_id = ${accountId} and kind = ${kind} and expires_at is null and is_primary`;
  return rows.length > 0;
}

/** Makes waiting callbacks of this account due, with the current settings. */
export async function advanceCallbackEpoch(sql: Queryable, accountId: string): Promise<void> {
  await sql`update accounts set callback_settings_version = callback_settings_version + 1 where account_id = ${accountId}`;
}

export async function readCallbackEpoch(sql: Queryable, accountId: string): Promise<number | null> {
  const [row] = await sql<
    { callback_settings_version: number }[]
  >`select callback_settings_version from accounts where account_id = ${accountId}`;
  return row?.callback_settings_version ?? null;
}
