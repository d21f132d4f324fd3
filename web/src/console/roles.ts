import { STAFF_ROLES } from "../roles.ts";
import type { StaffRole } from "./session.ts";

export const ROLE_NAMES: Readonly<Record<StaffRole, string>> = {
  admin: "Admin",
  finance: "Finance",
  operations: "Operations",
  support: "Support",
  auditor: "Auditor",
};

/** What each role may do. */
export const ROLE_DESCRIPTIONS: Readonly<Record<StaffRole, string>> = {
  admin: "Full access, including managing users and roles.",
  finance: "Tops up wallets, sets fees and commissions, settles orders and decides complaints.",
  operations: "Manages accounts, switches, providers and callbacks, settles orders and decides complaints.",
  support: "Supports clients: resends callbacks and views their portal read-only.",
  auditor: "Can view everything except secrets and cannot change anything.",
};

export const ROLES: readonly StaffRole[] = STAFF_ROLES.EVERYBODY;
