import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { Realm } from "../context.ts";

export type TotpRow = { readonly key_id: string; readonly sealed: Buffer; readonly confirmed_at: Date | null };

export async function findTotp(sql: Queryable, userId: string): Promise<TotpRow | undefined> {
  const [row] = await sql<TotpRow[]>`select key_id, sealed, confirmed_at from user_totps where user_id = ${userId}`;
  return row;
}

/** Replaces an unconfirmed secret; returns false when a confirmed one is in use. */
export async function saveTotp(
  tx: Transaction,
  row: { readonly userId: string; readonly keyId: string; readonly sealed: Buffer; readonly at: Date },
): Promise<boolean> {
  const saved = await tx`
    insert into user_totps (user_id, key_id, sealed, created_at) values (${row.userId}, ${row.keyId}, ${row.sealed}, ${row.at})
    on conflict (user_id) do update set key_id = excluded.key_id, sealed = excluded.sealed, created_at = excluded.created_at, last_step = 0
    where user_totps.confirmed_at is null returning 1`;
  return saved.length > 0;
}

/** Returns false when the code of this or a later time step was already used. */
export async function takeTotpStep(tx: Queryable, userId: string, step: number): Promise<boolean> {
  const taken = await tx`
    update user_totps set last_step = ${step} where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning 1`;
  return taken.length > 0;
}

/** `sealed` identifies the secret that the code was checked with, because another setup may have started meanwhile. */
export async function confirmTotp(tx: Transaction, userId: string, sealed: Buffer, step: number, at: Date): Promise<boolean> {
  const confirmed = await tx`
    update user_totps set confirmed_at = ${at}, last_step = ${step}
    where user_id = ${userId} and confirmed_at is null and sealed = ${sealed} returning 1`;
  return confirmed.length > 0;
}

export async function deleteTotp(tx: Transaction, userId: string): Promise<boolean> {
  const gone = await tx`delete from user_totps where user_id = ${userId} and confirmed_at is not null returning 1`;
  return gone.length > 0;
}

export async function replaceRecoveryCodes(tx: Transaction, userId: string, digests: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId}`;
  for (const digest of digests) await tx`insert into recovery_codes (user_id, digest) values (${userId}, ${digest})`;
}

export async function useRecoveryCode(tx: Queryable, userId: string, digest: Buffer): Promise<boolean> {
  const used = await tx`delete from recovery_codes where user_id = ${userId} and digest = ${digest} returning 1`;
  return used.length > 0;
}

/** Deletes all second factors of a user. */
export async function deleteFactors(tx: Transaction, userId: string): Promise<void> {
  await tx`delete from user_totps where user_id = ${userId}`;
  await tx`delete from passkeys where user_id = ${userId}`;
  await tx`delete from recovery_codes where user_id = ${userId}`;
}

export type Factors = { readonly totp: boolean; readonly passkeys: number; readonly recovery_codes: number };

export async function readFactors(sql: Queryable, userId: string): Promise<Factors> {
  const [row] = await sql<Factors[]>`
    select exists (select from user_totps where user_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId}) as recovery_codes`;
  return row ?? { totp: false, passkeys: 0, recovery_codes: 0 };
}

export type PasskeyRow = Row<"passkeys">;

function passkeyColumns(sql: Queryable) {
  return sql`passkey_id, user_id, name, credential_id, public_key, counter, transports, created_at, last_used_at`;
}

export async function listPasskeys(sql: Queryable, userId: string): Promise<readonly PasskeyRow[]> {
  return await sql<PasskeyRow[]>`select ${passkeyColumns(sql)} from passkeys where user_id = ${userId} order by created_at, passkey_id`;
}

export async function findPasskey(sql: Queryable, realm: Realm, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await sql<PasskeyRow[]>`
    select ${passkeyColumns(sql)} from passkeys where credential_id = ${credentialId}
      and user_id in (select user_id from users where realm = ${realm} and disabled_at is null)`;
  return row;
}

export async function insertPasskey(tx: Transaction, row: PasskeyRow): Promise<boolean> {
  const made = await tx`
    insert into passkeys (passkey_id, user_id, name, credential_id, public_key, counter, transports, created_at)
    values (${row.passkey_id}, ${row.user_id}, ${row.name}, ${row.credential_id}, ${row.public_key}, ${row.counter}, ${row.transports}, ${row.created_at})
    on conflict (credential_id) do nothing returning 1`;
  return made.length > 0;
}

/** A counter that does not grow indicates a cloned authenticator. Authenticators without a counter always send 0. */
export async function usePasskey(tx: Queryable, passkeyId: string, counter: number, at: Date): Promise<boolean> {
  const used = await tx`
    update passkeys set counter = ${BigInt(counter)}, last_used_at = ${at}
    where passkey_id = ${passkeyId} and (counter < ${BigInt(counter)} or (counter = 0 and ${counter === 0})) returning 1`;
  return used.length > 0;
}

export async function deletePasskey(tx: Transaction, userId: string, passkeyId: string): Promise<string | null> {
  const [gone] = await tx<{ name: string }[]>`
    delete from passkeys where passkey_id = ${passkeyId} and user_id = ${userId} returning name`;
  return gone?.name ?? null;
}

export type Challenge = {
  readonly challenge: string;
  readonly realm: Realm;
  readonly purpose: "register" | "sign_in" | "prove";
  readonly userId: string | null;
};

export async function insertChallenge(sql: Sql, row: Challenge, expiresAt: Date): Promise<void> {
  await sql`
    insert into passkey_challenges (challenge, realm, purpose, user_id, expires_at)
    values (${row.challenge}, ${row.realm}, ${row.purpose}, ${row.userId}, ${expiresAt})`;
}

/** True once, for the user and purpose that the challenge was created for. */
export async function takeChallenge(sql: Sql, row: Challenge, now: Date): Promise<boolean> {
  const taken = await sql`
    delete from passkey_challenges where challenge = ${row.challenge} and realm = ${row.realm} and purpose = ${row.purpose}
      and user_id is not distinct from ${row.userId} and expires_at > ${now} returning 1`;
  return taken.length > 0;
}

export async function sweepChallenges(sql: Sql, now: Date): Promise<void> {
  await sql`delete from passkey_challenges where expires_at <= ${now}`;
}
