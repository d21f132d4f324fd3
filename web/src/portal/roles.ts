import { MEMBER_ROLES } from "../roles.ts";
import type { Role } from "./session.ts";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: "Owner",
  developer: "Developer",
  operations: "Operations",
  read_only: "Read-only",
};

/** What each role may do. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: "Full access, including managing users and roles.",
  developer: "Manages the integration (credentials, addresses, callbacks, logs and the sandbox) and does daily work.",
  operations: "Does daily work: transactions, complaints, callback resends, exports and low-balance alerts.",
  read_only: "Can view everything except secrets and cannot change anything.",
};

export const ROLES: readonly Role[] = MEMBER_ROLES.EVERYBODY;
