import type { Queryable, Sql, Transaction } from "../db/connection.ts";
import type { Realm } from "./context.ts";
import type { Role } from "./user.ts";

export type Stage = "half" | "full";

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
};

export type FoundSession = Pick<SessionRow, "session_id" | "user_id" | "stage" | "proved_at" | "last_seen_at"> & {
  readonly account_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
};

export async function insertSession(tx: Transaction, digest: Buffer, row: SessionRow): Promise<void> {
  await tx`
    insert into sessions (session_id, digest, user_id, stage, proved_at, address, user_agent, created_at, last_seen_at, expires_at)
    values (${row.session_id}, ${digest}, ${row.user_id}, ${row.stage}, ${row.proved_at}, ${row.address}, ${row.user_agent},
      ${row.created_at}, ${row.last_seen_at}, ${row.expires_at})`;
}

export type Moment = { readonly now: Date; readonly idleSince: Date };

/** With whatever the user is now: a change of role or a lock holds at the next request. */
export async function findLiveSession(sql: Sql, realm: Realm, digest: Buffer, at: Moment): Promise<FoundSession | undefined> {
  const [row] = await sql<FoundSession[]>`
    select session_id, sessions.user_id, stage, proved_at, last_seen_at, account_id, email, name, role
    from sessions join users using (user_id)
    where digest = ${digest} and realm = ${realm} and disabled_at is null and expires_at > ${at.now} and last_seen_at > ${at.idleSince}`;
  return row;
}

export async function touchSession(sql: Sql, sessionId: string, seen: Date, unlessSince: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${seen} where session_id = ${sessionId} and last_seen_at <= ${unlessSince}`;
}

export async function listLiveSessions(sql: Sql, userId: string, at: Moment): Promise<readonly SessionRow[]> {
  return await sql<SessionRow[]>`
    select session_id, user_id, stage, proved_at, address, user_agent, created_at, last_seen_at, expires_at from sessions
    where user_id = ${userId} and stage = 'full' and expires_at > ${at.now} and last_seen_at > ${at.idleSince}
    order by last_seen_at desc, session_id desc`;
}

/** False when it is over. */
export async function lockHalfSession(tx: Transaction, userId: string, sessionId: string): Promise<boolean> {
  const found = await tx`
    select 1 from sessions where session_id = ${sessionId} and user_id = ${userId} and stage = 'half' for update`;
  return found.length > 0;
}

/** False when it was over already. */
export async function deleteSession(tx: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const ended = await tx`delete from sessions where session_id = ${sessionId} and user_id = ${userId} returning 1`;
  return ended.length > 0;
}

/** How many have ended; one may stay. */
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
