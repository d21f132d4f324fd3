import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { AuthContext, Realm } from "./context.ts";
import type { Role, StaffRole } from "./user.ts";

export type UserRow = {
  readonly user_id: string;
  readonly realm: Realm;
  /** Null for staff. */
  readonly account_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role | StaffRole;
  /** The chosen language, such as "hi"; null if none was chosen. */
  readonly language: string | null;
  /** Null for a member who has only signed in through an identity provider. */
  readonly password_hash: string | null;
  /** Signs in with a password even where single sign-on is enforced. */
  readonly break_glass: boolean;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
};

export type InvitationRow = Pick<Row<"invitations">, "invitation_id" | "account_id" | "email" | "created_at" | "expires_at"> & {
  readonly role: Role | StaffRole;
};

function userColumns(sql: Queryable) {
  return sql`user_id, realm, account_id, email, name, role, language, password_hash, break_glass, disabled_at, created_at`;
}

export async function findUserByEmail(sql: Queryable, realm: Realm, email: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`select ${userColumns(sql)} from users where realm = ${realm} and email = ${email}`;
  return row;
}

export async function findUser(sql: Queryable, realm: Realm, userId: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`select ${userColumns(sql)} from users where realm = ${realm} and user_id = ${userId}`;
  return row;
}

/** Locks the user until the transaction ends, so that nobody signs in with a password that is being replaced. */
export async function lockUser(tx: Transaction, realm: Realm, userId: string): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`select ${userColumns(tx)} from users where realm = ${realm} and user_id = ${userId} for update`;
  return row;
}

/** An account's users, or staff when there is no account. */
export type Team = { readonly realm: Realm; readonly accountId: string | null };

function ofAccount(sql: Queryable, accountId: string | null) {
  return accountId === null ? sql`account_id is null` : sql`account_id = ${accountId}`;
}

/** Locks a whole team in a fixed order, so that of two changes the second sees the first. */
export async function lockTeam(tx: Transaction, { realm, accountId }: Team): Promise<readonly UserRow[]> {
  return await tx<UserRow[]>`
    select ${userColumns(tx)} from users where ${ofAccount(tx, accountId)} and realm = ${realm} order by user_id for update`;
}

/** Returns false when the email address already has a user. */
export async function insertUser(tx: Transaction, user: Omit<UserRow, "disabled_at" | "break_glass" | "language">): Promise<boolean> {
  const { created_at: at } = user;
  const made = await tx`
    insert into users (user_id, realm, account_id, email, name, role, password_hash, created_at, updated_at)
    values (${user.user_id}, ${user.realm}, ${user.account_id}, ${user.email}, ${user.name}, ${user.role}, ${user.password_hash}, ${at}, ${at})
    on conflict (realm, email) do nothing returning 1`;
  return made.length > 0;
}

export async function updatePassword(tx: Transaction, userId: string, passwordHash: string, at: Date): Promise<void> {
  await tx`update users set password_hash = ${passwordHash}, updated_at = ${at} where user_id = ${userId}`;
}

export async function updateRole(tx: Transaction, userId: string, role: Role | StaffRole, at: Date): Promise<void> {
  await tx`update users set role = ${role}, updated_at = ${at} where user_id = ${userId}`;
}

export async function updateLanguage(tx: Transaction, userId: string, language: string, at: Date): Promise<void> {
  await tx`update users set language = ${language}, updated_at = ${at} where user_id = ${userId}`;
}

export async function updateDisabled(tx: Transaction, userId: string, disabledAt: Date | null, at: Date): Promise<void> {
  await tx`update users set disabled_at = ${disabledAt}, updated_at = ${at} where user_id = ${userId}`;
}

export type NewInvitation = InvitationRow & {
  readonly realm: Realm;
  readonly digest: Buffer;
  readonly invited_by: string;
  readonly inviter_person: string | null;
};

export async function insertInvitation(tx: Transaction, row: NewInvitation): Promise<void> {
  await tx`
    insert into invitations (invitation_id, realm, account_id, email, role, digest, invited_by, inviter_person, created_at, expires_at)
    values (${row.invitation_id}, ${row.realm}, ${row.account_id}, ${row.email}, ${row.role}, ${row.digest}, ${row.invited_by},
      ${row.inviter_person}, ${row.created_at}, ${row.expires_at})`;
}

export type FoundInvitation = InvitationRow & { readonly inviter_person: string | null };

export async function findInvitation(sql: Queryable, realm: Realm, digest: Buffer, now: Date): Promise<FoundInvitation | undefined> {
  const [row] = await sql<FoundInvitation[]>`
    select invitation_id, account_id, email, role, created_at, expires_at, inviter_person from invitations
    where digest = ${digest} and realm = ${realm} and ended_at is null and expires_at > ${now}`;
  return row;
}

/** The open invitation of an email address to a team. */
export async function findOpenInvitation(
  tx: Transaction,
  { realm, accountId }: Team,
  email: string,
  now: Date,
): Promise<FoundInvitation | undefined> {
  const [row] = await tx<FoundInvitation[]>`
    select invitation_id, account_id, email, role, created_at, expires_at, inviter_person from invitations
    where ${ofAccount(tx, accountId)} and realm = ${realm} and email = ${email} and ended_at is null and expires_at > ${now}
    order by created_at desc limit 1`;
  return row;
}

export async function listInvitations(sql: Queryable, { realm, accountId }: Team, now: Date): Promise<readonly InvitationRow[]> {
  return await sql<InvitationRow[]>`
    select invitation_id, account_id, email, role, created_at, expires_at from invitations
    where ${ofAccount(sql, accountId)} and realm = ${realm} and ended_at is null and expires_at > ${now} order by created_at desc, invitation_id desc`;
}

/** Of several that use or revoke one invitation, one gets true. */
export async function endInvitation(tx: Transaction, invitationId: string, at: Date): Promise<boolean> {
  const ended = await tx`
    update invitations set ended_at = ${at}
    where invitation_id = ${invitationId} and ended_at is null and expires_at > ${at} returning 1`;
  return ended.length > 0;
}

/** A newer invitation to the same email address replaces older ones. */
export async function endInvitationsOf(tx: Transaction, { realm, accountId }: Team, email: string, at: Date): Promise<void> {
  await tx`
    update invitations set ended_at = ${at}
    where ${ofAccount(tx, accountId)} and realm = ${realm} and email = ${email} and ended_at is null`;
}

/** Revokes the invitations that somebody has sent. Returns their number. */
export async function endInvitationsBy(tx: Transaction, { realm, accountId }: Team, invitedBy: string, at: Date): Promise<number> {
  const ended = await tx`
    update invitations set ended_at = ${at}
    where ${ofAccount(tx, accountId)} and realm = ${realm} and invited_by = ${invitedBy} and ended_at is null and expires_at > ${at} returning 1`;
  return ended.length;
}

export async function updateBreakGlass(tx: Transaction, userId: string, isBreakGlass: boolean, at: Date): Promise<void> {
  await tx`update users set break_glass = ${isBreakGlass}, updated_at = ${at} where user_id = ${userId}`;
}

export type MemberRow = Pick<UserRow, "user_id" | "email" | "name" | "role" | "disabled_at" | "break_glass"> & {
  /** Whether the user is bound to a subject of an identity provider. */
  readonly single_sign_on: boolean;
  readonly second_factor: boolean;
  readonly last_seen_at: Date | null;
};

export async function listMembers(ctx: AuthContext, accountId: string | null): Promise<readonly MemberRow[]> {
  return await ctx.sql<MemberRow[]>`
    select user_id, email, name, role, disabled_at, break_glass,
      exists (select from user_identities where user_identities.user_id = users.user_id) as single_sign_on,
      exists (select from user_totps where user_totps.user_id = users.user_id and confirmed_at is not null)
        or exists (select from passkeys where passkeys.user_id = users.user_id) as second_factor,
      (select max(last_seen_at) from sessions where sessions.user_id = users.user_id and stage = 'full') as last_seen_at
    from users where ${ofAccount(ctx.sql, accountId)} and realm = ${ctx.realm} order by created_at, user_id`;
}

export async function insertReset(
  tx: Transaction,
  row: { readonly digest: Buffer; readonly userId: string; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await tx`delete from password_resets where user_id = ${row.userId}`;
  await tx`
    insert into password_resets (digest, user_id, created_at, expires_at)
    values (${row.digest}, ${row.userId}, ${row.at}, ${row.expiresAt})`;
}

export async function findReset(sql: Queryable, realm: Realm, digest: Buffer, now: Date): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select ${userColumns(sql)} from users
    where realm = ${realm} and disabled_at is null
      and user_id = (select user_id from password_resets where digest = ${digest} and expires_at > ${now})`;
  return row;
}

/** Of several that use the link, one gets true. */
export async function useReset(tx: Transaction, digest: Buffer): Promise<boolean> {
  const used = await tx`delete from password_resets where digest = ${digest} returning 1`;
  return used.length > 0;
}

export async function dropResets(tx: Transaction, userId: string): Promise<void> {
  await tx`delete from password_resets where user_id = ${userId}`;
}
