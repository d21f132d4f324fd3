import type { Option } from "../ui/field.tsx";
import type { Role } from "./session.ts";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: "Owner",
  developer: "Developer",
  operations: "Operations",
  read_only: "Read-only",
};

/** What each role may do, in one sentence. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: "May do everything, and decides who else may.",
  developer: "Builds the integration: credentials, addresses, callbacks, logs and the sandbox; and the daily work.",
  operations: "Does the daily work: transactions, complaints, resends, exports and the wallet's warnings.",
  read_only: "Sees everything that is not a secret and changes nothing.",
};

export const ROLE_OPTIONS: readonly Option[] = (Object.keys(ROLE_NAMES) as Role[]).map((role) => ({
  value: role,
  label: ROLE_NAMES[role],
}));
