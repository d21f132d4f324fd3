import type { Team } from "../../people/members/data.ts";
import { ROLE_MEANS, ROLE_NAMES, ROLE_OPTIONS } from "../roles.ts";

/** The account's own people. */
export const TEAM: Team = {
  path: "/team",
  read: (answer) => answer as ReturnType<Team["read"]>,
  linkOf: (answer) => (answer as { readonly link: string }).link,
  roleNames: ROLE_NAMES,
  roleMeans: ROLE_MEANS,
  roleOptions: ROLE_OPTIONS,
  firstRole: "developer",
  keeper: "an owner",
  nobody: "There is no such member of this account.",
};
