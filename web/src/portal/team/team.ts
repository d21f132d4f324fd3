import type { Team } from "../../auth/members/data.ts";
import type { Schemas } from "../../portal-api.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLE_OPTIONS } from "../roles.ts";

/** The users of the account. */
export const TEAM: Team = {
  path: "/team",
  read: (answer) => answer as Schemas["Team"],
  linkOf: (answer) => (answer as Schemas["NewInvitation"]).link,
  roleNames: ROLE_NAMES,
  roleDescriptions: ROLE_DESCRIPTIONS,
  roleOptions: ROLE_OPTIONS,
  firstRole: "developer",
  manager: "an owner",
  notFound: "This account has no such member.",
};
