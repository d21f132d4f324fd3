export const ROLES = ["owner", "developer", "operations", "read_only"] as const;
/** The role of a client's user at the portal. */
export type Role = (typeof ROLES)[number];

export const STAFF_ROLES = ["admin", "finance", "operations", "support", "auditor"] as const;
/** The role of staff at the console. */
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The roles that manage the other members. */
export const MANAGERS = { portal: "owner", console: "admin" } as const;

const EMAIL = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/u;
const MAX_EMAIL = 254;
const MAX_NAME = 120;

/** The normalised address; null when it is not valid. */
export function readEmail(text: string): string | null {
  const email = text.trim().normalize("NFC").toLowerCase();
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : null;
}

/** A person's name without characters that could imitate another line or name; null when nothing is left. */
export function readName(text: string): string | null {
  const name = text.trim().normalize("NFC");
  return name.length >= 1 && name.length <= MAX_NAME && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? name : null;
}

/** The staff roles that may view a client's portal. */
export const VIEWERS: readonly StaffRole[] = ["admin", "operations", "support"];
