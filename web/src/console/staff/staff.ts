import type { Team } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import { get, post } from "../api.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLES } from "../roles.ts";
import type { StaffRole } from "../session.ts";

/** The users of a list of the operator API. */
export function membersOf({ items, invitations }: Schemas["Team"]) {
  return { members: items, invitations };
}

/** The platform's staff. */
export const STAFF: Team<StaffRole> = {
  key: "/staff",
  read: async (signal) => membersOf(await get("/staff", {}, signal)),
  invite: async (user) => (await post("/staff/invitations", user)).invitation_url,
  revoke: (id) => post("/staff/invitations/:invitation_id/revoke", { invitation_id: id }),
  setRole: (id, role) => post("/staff/:user_id/role", { user_id: id, role }),
  setEnabled: (id, enabled) => post(`/staff/:user_id/${enabled ? "enable" : "disable"}`, { user_id: id }),
  setBreakGlass: (id, isBreakGlass) => post("/staff/:user_id/break-glass", { user_id: id, break_glass: isBreakGlass }),
  unlinkIdentity: (id) => post("/staff/:user_id/unlink-identity", { user_id: id }),
  roleNames: ROLE_NAMES,
  roleDescriptions: ROLE_DESCRIPTIONS,
  roles: ROLES,
  firstRole: "operations",
  manager: "an admin",
  notFound: "This staff member was not found.",
};
