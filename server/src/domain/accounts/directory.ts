import { createSecretKey } from "node:crypto";
import { moneyOrNull } from "../../platform/core/money.ts";
import { credentialContext, type Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";
import type { Account, KnownToken, SigningSecret } from "./account.ts";
import { parseAllowlist } from "./allowlist.ts";
import { type AccountRow, type CredentialRow, credentialsByAccount, readAccounts, readCredentials } from "./store.ts";

/** All accounts in memory, because the gate needs one for every request without waiting. */
export type AccountDirectory = {
  /** The token with its limits. The caller checks whether it has expired. */
  readonly findToken: (token: string) => KnownToken | null;
  /** The account of a token, whatever the limits of the token. */
  readonly byToken: (token: string) => Account | null;
  readonly byId: (accountId: string) => Account | null;
  readonly reload: (accountIds: readonly string[] | "all") => Promise<void>;
  readonly size: () => number;
};

type TokenEntry = { readonly digest: string; readonly token: KnownToken };
type Entry = { readonly account: Account; readonly tokens: readonly TokenEntry[] };

export async function loadDirectory(sql: Sql, vault: Vault): Promise<AccountDirectory> {
  const byId = new Map<string, Entry>();
  const byDigest = new Map<string, KnownToken>();
  // Tokens seen since the last change, so that a busy client's token is digested once.
  const recognised = new Map<string, KnownToken>();

  function remove(accountId: string): void {
    for (const { digest } of byId.get(accountId)?.tokens ?? []) byDigest.delete(digest);
    byId.delete(accountId);
  }

  function put(entry: Entry): void {
    remove(entry.account.accountId);
    byId.set(entry.account.accountId, entry);
    for (const { digest, token } of entry.tokens) byDigest.set(digest, token);
  }

  async function reload(accountIds: readonly string[] | "all"): Promise<void> {
    // Both tables are read in one snapshot, so that a token replaced in between is not missed.
    const [rows, credentials] = await sql.begin("isolation level repeatable read read only", (tx) => [
      readAccounts(tx, accountIds),
      readCredentials(tx, accountIds),
    ]);
    const entries = await readEntries(vault, rows, credentials);
    // An account that has moved to another database is not here any more.
    for (const accountId of accountIds === "all" ? [...byId.keys()] : accountIds) remove(accountId);
    for (const entry of entries) put(entry);
    recognised.clear();
  }

  function findToken(text: string): KnownToken | null {
    const known = recognised.get(text);
    if (known) return known;
    for (const digest of vault.keyring().digests(text)) {
      const token = byDigest.get(digest.toString("latin1"));
      if (token) {
        recognised.set(text, token);
        return token;
      }
    }
    return null;
  }

  await reload("all");
  return {
    findToken,
    byToken: (token) => findToken(token)?.account ?? null,
    byId: (accountId) => byId.get(accountId)?.account ?? null,
    reload,
    size: () => byId.size,
  };
}

async function readEntries(vault: Vault, rows: readonly AccountRow[], credentials: readonly CredentialRow[]): Promise<readonly Entry[]> {
  const ofAccount = credentialsByAccount(credentials);
  return await Promise.all(rows.map((row) => readEntry(vault, row, ofAccount.get(row.account_id) ?? [])));
}

async function readEntry(vault: Vault, row: AccountRow, credentials: readonly CredentialRow[]): Promise<Entry> {
  const signingSecrets = await Promise.all(
    credentials.filter((credential) => credential.kind === "signing_secret").map((credential) => unsealSigningSecret(vault, credential)),
  );
  const account = toAccount(
    row,
    signingSecrets,
    credentials.some((credential) => credential.kind === "callback_secret"),
  );
  return { account, tokens: credentials.filter(({ kind }) => kind === "api_token").map((token) => toTokenEntry(account, token)) };
}

function toTokenEntry(account: Account, row: CredentialRow): TokenEntry {
  const token: KnownToken = {
    account,
    tokenId: row.credential_id,
    scopes: row.scopes && new Set(row.scopes),
    readOnly: row.read_only,
    expiresAt: row.expires_at?.getTime() ?? null,
  };
  return { digest: row.digest.toString("latin1"), token };
}

async function unsealSigningSecret(vault: Vault, row: CredentialRow): Promise<SigningSecret> {
  const text = await vault.open({ keyId: row.key_id, sealed: row.sealed }, credentialContext(row.account_id, row.credential_id, row.kind));
  return { credentialId: row.credential_id, key: createSecretKey(Buffer.from(text)), expiresAt: row.expires_at?.getTime() ?? null };
}

function toAccount(row: AccountRow, signingSecrets: readonly SigningSecret[], hasCallbackSecret: boolean): Account {
  const list = parseAllowlist(row.allowlist);
  if (!list.ok) throw new Error(`Account ${row.account_id} has an allowlist entry that is not an address.`);
  return {
    accountId: row.account_id,
    name: row.name,
    sandbox: row.sandbox,
    standing: row.standing,
    kyc: row.kyc,
    agreement: row.agreement,
    wallet: row.wallet,
    signingRequired: row.signing_required,
    moneyPerMinute: row.money_per_minute,
    getPerMinute: row.get_per_minute,
    dailyLimit: moneyOrNull(row.daily_limit),
    services: new Set(row.services),
    allowlist: list.list,
    callbackUrl: row.callback_url,
    complaintCallbackUrl: row.complaint_callback_url,
    callbackVersion: row.callback_version,
    hasCallbackSecret,
    logBodies: row.log_bodies,
    signingSecrets,
    createdAt: row.created_at,
  };
}

/** Updates the directory from the change feed. */
export function accountChanges(vault: Vault, directory: AccountDirectory): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "master_key")) {
      // Keys are loaded first, because rows may be sealed with a new one.
      await vault.reload();
      await directory.reload("all");
      return;
    }
    const accountIds = new Set(changes.filter((change) => change.kind === "account").map((change) => change.id));
    if (accountIds.size > 0) await directory.reload([...accountIds]);
  };
}
