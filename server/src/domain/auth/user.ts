export const ROLES = ["owner", "developer", "operations", "read_only"] as const;
/** Of a client's people at the portal. */
export type Role = (typeof ROLES)[number];

export const STAFF_ROLES = ["admin", "finance", "operations", "support", "auditor"] as const;
/** Of the operator's people at the console. */
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Who decides about the others. */
export const MANAGERS = { portal: "owner", console: "admin" } as const;

const EMAIL = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/u;
const MAX_EMAIL = 254;
const MAX_NAME = 120;

/** The address as it is kept and compared; null when it cannot be one. */
export function readEmail(text: string): string | null {
  const email = text.trim().normalize("NFC").toLowerCase();
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : null;
}

/** A person's name without what could pass for another line or another name; null when nothing is left. */
export function readName(text: string): string | null {
  const name = text.trim().normalize("NFC");
  return name.length >= 1 && name.length <= MAX_NAME && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? name : null;
}

/** Who of the staff may look at a client's portal. */
export const VIEWERS: readonly StaffRole[] = ["admin", "operations", "support"];
