import type { AuthContext } from "../../../domain/auth/context.ts";
import { findSession, type PersonSession } from "../../../domain/auth/find-session.ts";
import type { StaffRole } from "../../../domain/auth/user.ts";
import type { FindSession } from "../../sites/site-api.ts";

/** Somebody of the staff at the console. */
export type StaffSession = PersonSession & { readonly role: StaffRole };

/** Sessions as the database has them. */
export function staffSessions(staff: AuthContext): FindSession<StaffSession> {
  return async (token, look) => {
    const session = await findSession(staff, token, look);
    // Of this realm, the database knows no other roles.
    return session && { ...session, role: session.role as StaffRole };
  };
}
