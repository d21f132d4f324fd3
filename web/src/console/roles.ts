import type { Option } from "../ui/field.tsx";
import type { StaffRole } from "./session.ts";

export const ROLE_NAMES: Readonly<Record<StaffRole, string>> = {
  admin: "Admin",
  finance: "Finance",
  operations: "Operations",
  support: "Support",
  auditor: "Auditor",
};

/** What each role may do, in one sentence. */
export const ROLE_DESCRIPTIONS: Readonly<Record<StaffRole, string>> = {
  admin: "Full access, including managing users and roles.",
  finance: "Tops up wallets, sets fees and commissions, ends orders and decides complaints.",
  operations: "Looks after accounts, switches, providers and callbacks, ends orders and decides complaints.",
  support: "Talks with clients: resends callbacks and looks at their portal as they see it.",
  auditor: "Can view everything except secrets and cannot change anything.",
};

export const ROLE_OPTIONS: readonly Option[] = (Object.keys(ROLE_NAMES) as StaffRole[]).map((role) => ({
  value: role,
  label: ROLE_NAMES[role],
}));
