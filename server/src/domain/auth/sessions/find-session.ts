import type { AuthContext } from "../context.ts";
import { csrfToken, digestOf } from "../tokens.ts";
import type { Role, StaffRole } from "../user.ts";
import { findLiveSession, type Stage, touchSession } from "./session-store.ts";
import { sessionMoment } from "./start-session.ts";

// Updating once a minute is exact enough and saves a write for every request.
const SEEN_MILLISECONDS = 60_000;

/** A signed-in user, or one who still owes a second factor. */
export type PersonSession = {
  readonly sessionId: string;
  readonly userId: string;
  /** Null for staff at the console. */
  readonly accountId: string | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role | StaffRole;
  /** The language that the user chose; null if none was chosen. */
  readonly language: string | null;
  readonly csrfToken: string;
  readonly stage: Stage;
  /** When the user last proved their identity, in milliseconds since 1970. */
  readonly provedAt: number;
  /** Staff who view a client's portal with read-only access. */
  readonly viewing: boolean;
  /** The identity provider that signed the user in; null for a password or a passkey. */
  readonly identityProviderId: string | null;
};

/**
 * Finds the session of a cookie's token; null when there is none or it has ended. With `seen: false`, used by automatic
 * requests, the session's idle time continues.
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
    language: row.language,
    csrfToken: csrfToken(token),
    stage: row.stage,
    provedAt: row.proved_at.getTime(),
    viewing: row.viewing,
    identityProviderId: row.identity_provider_id,
  };
}
