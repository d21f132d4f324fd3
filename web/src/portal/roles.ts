import type { Role } from "../ui/session.ts";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: "Owner",
  developer: "Developer",
  operations: "Operations",
  read_only: "Read-only",
};
