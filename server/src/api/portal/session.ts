import type { AuthContext } from "../../domain/auth/context.ts";
import { findSession, type PersonSession } from "../../domain/auth/sessions/find-session.ts";
import type { Role } from "../../domain/auth/user.ts";
import type { FindSession } from "../sites/actions/site-api.ts";

export type { Role } from "../../domain/auth/user.ts";

/** A session at the portal: of a client's user, or of a staff member with a read-only view of a client's portal. */
export type Session = PersonSession & { readonly accountId: string; readonly role: Role };

/** Finds portal sessions in the database. */
export function portalSessions(auth: AuthContext): FindSession<Session> {
  return async (token, look) => {
    const session = await findSession(auth, token, look);
    if (session === null || session.accountId === null) return null;
    // The database allows only portal roles for users with an account.
    return { ...session, accountId: session.accountId, role: session.viewing ? "read_only" : (session.role as Role) };
  };
}
