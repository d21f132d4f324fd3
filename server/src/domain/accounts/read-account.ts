import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import {
  type AccountFilter,
  type AccountRow,
  type CredentialRow,
  credentialsByAccount,
  readAccountPage,
  readAccounts,
  readCredentials,
} from "./store.ts";

/** An account as staff and clients may see it: which secrets exist, never their values. */
export type AccountDetail = {
  readonly account: AccountRow;
  readonly signingSecrets: readonly { readonly credentialId: string; readonly createdAt: Date; readonly expiresAt: Date | null }[];
  readonly callbackSecretSet: boolean;
};

type ReadContext = { readonly sql: Sql; readonly clock: Clock };

export async function readAccount(ctx: ReadContext, accountId: string): Promise<AccountDetail | null> {
  const [rows, credentials] = await ctx.sql.begin(SNAPSHOT, (tx) => [readAccounts(tx, [accountId]), readCredentials(tx, [accountId])]);
  const [row] = rows;
  return row ? toDetail(row, credentials, ctx.clock.now()) : null;
}

/** A page of accounts, newest first. */
export async function listAccounts(ctx: ReadContext, filter: AccountFilter): Promise<readonly AccountDetail[]> {
  const { rows, credentials } = await ctx.sql.begin(SNAPSHOT, async (tx) => {
    const rows = await readAccountPage(tx, filter);
    return {
      rows,
      credentials: await readCredentials(
        tx,
        rows.map((row) => row.account_id),
      ),
    };
  });
  const ofAccount = credentialsByAccount(credentials);
  const now = ctx.clock.now();
  return rows.map((row) => toDetail(row, ofAccount.get(row.account_id) ?? [], now));
}

const SNAPSHOT = "isolation level repeatable read read only";

function toDetail(account: AccountRow, credentials: readonly CredentialRow[], now: number): AccountDetail {
  const working = credentials.filter((credential) => credential.expires_at === null || credential.expires_at.getTime() > now);
  return {
    account,
    signingSecrets: working
      .filter((credential) => credential.kind === "signing_secret")
      .map((credential) => ({
        credentialId: credential.credential_id,
        createdAt: credential.created_at,
        expiresAt: credential.expires_at,
      })),
    callbackSecretSet: working.some((credential) => credential.kind === "callback_secret"),
  };
}
