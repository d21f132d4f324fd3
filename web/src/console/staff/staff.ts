import type { Invitation, Member, Team } from "../../auth/members/data.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLE_OPTIONS } from "../roles.ts";

type Staff = { readonly items: readonly Member[]; readonly invitations: readonly Invitation[] };

/** The platform's staff. */
export const STAFF: Team = {
  path: "/staff",
  read: (answer) => {
    const { items, invitations } = answer as Staff;
    return { members: items, invitations };
  },
  linkOf: (answer) => (answer as { readonly invitation_url: string }).invitation_url,
  roleNames: ROLE_NAMES,
  roleDescriptions: ROLE_DESCRIPTIONS,
  roleOptions: ROLE_OPTIONS,
  firstRole: "operations",
  manager: "an admin",
  notFound: "This staff member was not found.",
};
