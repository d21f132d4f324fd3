import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { Realm } from "../context.ts";
import { type Role, type StaffRole, VIEWERS } from "../user.ts";

/** `half`: the second factor is still required. `enrol`: a second factor must be set up first. */
export type Stage = "half" | "enrol" | "full";

/** The identity provider that signed the user in, the user's subject and session there. All null for a password or a passkey. */
export type SessionIdentity = Pick<Row<"sessions">, "identity_provider_id" | "identity_subject" | "identity_session_id">;

export type SessionRow = {
  readonly session_id: string;
  readonly user_id: string;
  readonly stage: Stage;
  readonly proved_at: Date;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  /** The account whose portal a member of staff views. */
  readonly view_account_id: string | null;
  /** The console session that a view was started from, and ends with. */
  readonly parent_session_id: string | null;
};

export type FoundSession = Pick<SessionRow, "session_id" | "user_id" | "stage" | "proved_at" | "last_seen_at"> & {
  readonly account_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role | StaffRole;
  readonly language: string | null;
  readonly viewing: boolean;
  readonly identity_provider_id: string | null;
};

export async function insertSession(tx: Transaction, digest: Buffer, row: SessionRow & SessionIdentity): Promise<void> {
  await tx`
    insert into sessions (session_id, digest, user_id, stage, proved_at, address, user_agent, created_at, last_seen_at, expires_at,
      view_account_id, parent_session_id, identity_provider_id, identity_subject, identity_session_id)
    values (${row.session_id}, ${digest}, ${row.user_id}, ${row.stage}, ${row.proved_at}, ${row.address}, ${row.user_agent},
      ${row.created_at}, ${row.last_seen_at}, ${row.expires_at}, ${row.view_account_id}, ${row.parent_session_id},
      ${row.identity_provider_id}, ${row.identity_subject}, ${row.identity_session_id})`;
}

export type Moment = { readonly now: Date; readonly idleSince: Date };

/**
 * Reads the user's current role and lock, so that changes apply at the next request. Staff who view a client's portal have
 * access to that portal only, while their console session lasts and their role allows it.
 */
export async function findLiveSession(sql: Sql, realm: Realm, digest: Buffer, at: Moment): Promise<FoundSession | undefined> {
  const [row] = await sql<FoundSession[]>`
    select s.session_id, s.user_id, s.stage, s.proved_at, s.last_seen_at, coalesce(s.view_account_id, u.account_id) as account_id,
      u.email, u.name, u.role, u.language, s.view_account_id is not null as viewing, s.identity_provider_id
    from sessions s join users u on u.user_id = s.user_id left join sessions p on p.session_id = s.parent_session_id
    where s.digest = ${digest} and case when s.view_account_id is null then u.realm else 'portal' end = ${realm}
      and u.disabled_at is null and s.expires_at > ${at.now} and s.last_seen_at > ${at.idleSince}
      and (s.view_account_id is null or (u.role = any(${VIEWERS as string[]}) and p.stage = 'full'
        and p.expires_at > ${at.now} and p.last_seen_at > ${at.idleSince}))`;
  return row;
}

export async function touchSession(sql: Sql, sessionId: string, seen: Date, unlessSince: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${seen} where session_id = ${sessionId} and last_seen_at <= ${unlessSince}`;
}

export async function listLiveSessions(sql: Sql, userId: string, at: Moment): Promise<readonly SessionRow[]> {
  return await sql<SessionRow[]>`
    select session_id, user_id, stage, proved_at, address, user_agent, created_at, last_seen_at, expires_at, view_account_id,
      parent_session_id
    from sessions where user_id = ${userId} and stage = 'full' and view_account_id is null and expires_at > ${at.now} and last_seen_at > ${at.idleSince}
    order by last_seen_at desc, session_id desc`;
}

export type AtStage = { readonly userId: string; readonly sessionId: string; readonly stage: Stage };

/** Returns undefined when the session has ended. */
export async function lockSession(tx: Transaction, { userId, sessionId, stage }: AtStage): Promise<SessionIdentity | undefined> {
  const [found] = await tx<SessionIdentity[]>`
    select identity_provider_id, identity_subject, identity_session_id from sessions
    where session_id = ${sessionId} and user_id = ${userId} and stage = ${stage} for update`;
  return found;
}

/** Returns false when the session had already ended. */
export async function deleteSession(tx: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const ended = await tx`delete from sessions where session_id = ${sessionId} and user_id = ${userId} returning 1`;
  return ended.length > 0;
}

/** Returns the number of ended sessions; one session may be kept. */
export async function deleteSessions(tx: Queryable, userId: string, exceptSessionId: string | null): Promise<number> {
  const ended = await tx`delete from sessions where user_id = ${userId} and session_id is distinct from ${exceptSessionId} returning 1`;
  return ended.length;
}

export async function updateProof(tx: Queryable, sessionId: string, at: Date): Promise<boolean> {
  const proved = await tx`update sessions set proved_at = ${at} where session_id = ${sessionId} and stage = 'full' returning 1`;
  return proved.length > 0;
}

export async function deleteDeadSessions(sql: Sql, at: Moment): Promise<void> {
  await sql`delete from sessions where expires_at <= ${at.now} or last_seen_at <= ${at.idleSince}`;
}
