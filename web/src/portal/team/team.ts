import type { Team } from "../../auth/members/data.ts";
import { membersText } from "../../messages/en/members.ts";
import { get, post } from "../api.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLES } from "../roles.ts";
import type { Role } from "../session.ts";

/** The users of the account. */
export const TEAM: Team<Role> = {
  key: "/team",
  read: (signal) => get("/team", {}, signal),
  invite: async (user) => (await post("/team/invitations", user)).link,
  revoke: (id) => post("/team/invitations/:invitation_id/revoke", { invitation_id: id }),
  setRole: (id, role) => post("/team/:user_id/role", { user_id: id, role }),
  setEnabled: (id, enabled) => post(enabled ? "/team/:user_id/enable" : "/team/:user_id/disable", { user_id: id }),
  setBreakGlass: (id, isBreakGlass) => post("/team/:user_id/break-glass", { user_id: id, break_glass: isBreakGlass }),
  unlinkIdentity: (id) => post("/team/:user_id/unlink-identity", { user_id: id }),
  passwordLink: async (id) => (await post("/team/:user_id/password-link", { user_id: id })).link,
  withoutPasswordLink: ["owner"],
  roleNames: ROLE_NAMES,
  roleDescriptions: ROLE_DESCRIPTIONS,
  roles: ROLES,
  firstRole: "developer",
  manager: membersText.anOwner,
  notFound: membersText.thisAccountHasNoSuch,
};
