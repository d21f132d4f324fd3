import { expect, test } from "vitest";
import { ROLE_NAMES, ROLES } from "../../portal/roles.ts";
import { readRole, roleName } from "./data.ts";

test("a role that the team does not have is none, and its name is the role itself", () => {
  const team = { roles: ROLES, roleNames: ROLE_NAMES };
  expect([readRole(team, "read_only"), readRole(team, "admin")]).toEqual(["read_only", undefined]);
  expect([roleName(team, "read_only"), roleName(team, "admin")]).toEqual(["Read-only", "admin"]);
});
