import type { AuthContext } from "../../../domain/auth/context.ts";
import { findSession, type PersonSession } from "../../../domain/auth/sessions/find-session.ts";
import type { StaffRole } from "../../../domain/auth/user.ts";
import type { FindSession } from "../../sites/actions/site-api.ts";

/** The session of a staff member at the console. */
export type StaffSession = PersonSession & { readonly role: StaffRole };

/** Finds staff sessions in the database. */
export function staffSessions(staff: AuthContext): FindSession<StaffSession> {
  return async (token, look) => {
    const session = await findSession(staff, token, look);
    // The database allows only staff roles in this realm.
    return session && { ...session, role: session.role as StaffRole };
  };
}
