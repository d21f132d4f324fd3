import type { AuthContext } from "../../domain/auth/context.ts";
import { findSession, type PersonSession } from "../../domain/auth/find-session.ts";
import type { Role } from "../../domain/auth/user.ts";
import type { FindSession } from "../sites/site-api.ts";

export type { Role } from "../../domain/auth/user.ts";

/** Somebody at the portal: of a client's people, or of the staff who looks at a client's portal and changes nothing. */
export type Session = PersonSession & { readonly accountId: string; readonly role: Role };

/** Sessions as the database has them. */
export function portalSessions(auth: AuthContext): FindSession<Session> {
  return async (token, look) => {
    const session = await findSession(auth, token, look);
    if (session === null || session.accountId === null) return null;
    // Whoever has an account has a role of the portal's: the database holds them to it.
    return { ...session, accountId: session.accountId, role: session.viewing ? "read_only" : (session.role as Role) };
  };
}
