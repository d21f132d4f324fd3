import type { Team } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import { get, post } from "../../ui/api.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLES } from "../roles.ts";
import type { StaffRole } from "../session.ts";

/** Reads a list of users of the operator API. */
export async function readMembers(path: string, signal: AbortSignal) {
  const { items, invitations } = await get<Schemas["Team"]>(path, {}, signal);
  return { members: items, invitations };
}

/** Invites a user at a path of the operator API and gives the link. */
export async function inviteAt(path: string, user: { readonly email: string; readonly role: string }): Promise<string> {
  return (await post<Schemas["NewInvitation"]>(path, user)).invitation_url;
}

/** The platform's staff. */
export const STAFF: Team<StaffRole> = {
  key: "/staff",
  read: (signal) => readMembers("/staff", signal),
  invite: (user) => inviteAt("/staff/invitations", user),
  revoke: (id) => post<Schemas["Team"]>(`/staff/invitations/${id}/revoke`),
  setRole: (id, role) => post<Schemas["Team"]>(`/staff/${id}/role`, { role }),
  setEnabled: (id, enabled) => post<Schemas["Team"]>(`/staff/${id}/${enabled ? "enable" : "disable"}`),
  roleNames: ROLE_NAMES,
  roleDescriptions: ROLE_DESCRIPTIONS,
  roles: ROLES,
  firstRole: "operations",
  manager: "an admin",
  notFound: "This staff member was not found.",
};
