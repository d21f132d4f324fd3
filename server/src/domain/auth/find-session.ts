import type { AuthContext } from "./context.ts";
import { findLiveSession, type Stage, touchSession } from "./session-store.ts";
import { sessionMoment } from "./start-session.ts";
import { csrfToken, digestOf } from "./tokens.ts";
import type { Role, StaffRole } from "./user.ts";

// Seen once a minute is exact enough, and spares a write with every request.
const SEEN_MILLISECONDS = 60_000;

/** Somebody who is signed in, or half so. */
export type PersonSession = {
  readonly sessionId: string;
  readonly userId: string;
  /** Null for staff at their console only. */
  readonly accountId: string | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role | StaffRole;
  readonly csrfToken: string;
  readonly stage: Stage;
  /** When they last proved who they are, in milliseconds. */
  readonly provedAt: number;
  /** Staff who look at a client's portal, where they change nothing. */
  readonly viewing: boolean;
};

/**
 * The session that a cookie's token belongs to; null when there is none, or no longer. A look at it on behalf of something
 * that goes on by itself is not a visit: the session stays as idle as it is.
 */
export async function findSession(ctx: AuthContext, token: string, { seen = true } = {}): Promise<PersonSession | null> {
  const moment = sessionMoment(ctx);
  const row = await findLiveSession(ctx.sql, ctx.realm, digestOf(token), moment);
  if (!row) return null;
  const unlessSince = new Date(moment.now.getTime() - SEEN_MILLISECONDS);
  if (seen && row.last_seen_at <= unlessSince) await touchSession(ctx.sql, row.session_id, moment.now, unlessSince);
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    csrfToken: csrfToken(token),
    stage: row.stage,
    provedAt: row.proved_at.getTime(),
    viewing: row.viewing,
  };
}
