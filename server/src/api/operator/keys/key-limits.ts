import { parseAllowlist } from "../../../domain/accounts/allowlist.ts";
import { text } from "../../../domain/approvals/executors/input.ts";
import { STAFF_ROLES, type StaffRole } from "../../../domain/auth/user.ts";
import { indiaDateTime, indiaMoment } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { parseAddress } from "../../../platform/network/address.ts";

/** What limits an operator key. */
export type KeyLimits = {
  /** The key may make the calls of this staff role. Null: every call. */
  readonly role: StaffRole | null;
  /** From this time on the key is refused. Null: never. */
  readonly expires_at: Date | null;
  /** Addresses and CIDR ranges from which it works. Empty: from everywhere. */
  readonly source_addresses: readonly string[];
};

export const NO_LIMITS: KeyLimits = { role: null, expires_at: null, source_addresses: [] };

export function hasLimits({ role, expires_at, source_addresses }: KeyLimits): boolean {
  return role !== null || expires_at !== null || source_addresses.length > 0;
}

/** The staff member who created a key, as they are now. Both fields say no if nobody of the staff did. */
export type KeyCreator = { readonly creator_role: StaffRole | null; readonly creator_disabled: boolean };

/** The roles that must all allow a call of the key. Empty: every call. An admin's key is limited by its own role only. */
export function effectiveRoles({
  role,
  creator_role: creatorRole,
}: Pick<KeyLimits, "role"> & Pick<KeyCreator, "creator_role">): readonly StaffRole[] {
  if (creatorRole === null || creatorRole === "admin") return role === null ? [] : [role];
  return role === null || role === "admin" || role === creatorRole ? [creatorRole] : [role, creatorRole];
}

export function isExpired({ expires_at }: Pick<KeyLimits, "expires_at">, now: number): boolean {
  return expires_at !== null && expires_at.getTime() <= now;
}

export type KeyRefusal = { readonly error: "unauthorized" | "forbidden"; readonly message: string };

/** Why a key is refused at this time from this address, which is null if it cannot be read; null if it is accepted. */
export function limitRefusal(limits: KeyLimits, now: number, address: string | null): KeyRefusal | null {
  if (isExpired(limits, now)) return { error: "unauthorized", message: "This operator key has expired. Ask an admin for a new one." };
  if (limits.source_addresses.length === 0 || isAllowed(limits.source_addresses, address)) return null;
  const from = address === null ? "an address that cannot be read" : address;
  return { error: "forbidden", message: `This operator key may not be used from ${from}.` };
}

function isAllowed(addresses: readonly string[], address: string | null): boolean {
  const source = address === null ? null : parseAddress(address);
  const parsed = parseAllowlist(addresses);
  return source !== null && parsed.ok && parsed.list.admits(source);
}

/** The limits as the audit log and approvals have them. A limit that is not set is left out. */
export function limitDetails({ role, expires_at, source_addresses }: KeyLimits): JsonObject {
  return {
    ...(role === null ? {} : { role }),
    ...(expires_at === null ? {} : { expires_at: indiaDateTime(expires_at.getTime()) }),
    ...(source_addresses.length === 0 ? {} : { source_addresses: source_addresses.join(", ") }),
  };
}

/** Reads the limits of an approved request, as `limitDetails` wrote them. */
export function readLimits(input: JsonObject): KeyLimits {
  const [role, expiresAt, addresses] = [text(input, "role"), text(input, "expires_at"), text(input, "source_addresses")];
  const known = STAFF_ROLES.find((one) => one === role);
  if (role !== "" && known === undefined) throw new Error(`The approved operator key has an unknown role: ${role}.`);
  return {
    role: known ?? null,
    expires_at: expiresAt === "" ? null : readTime(expiresAt),
    source_addresses: addresses === "" ? [] : addresses.split(", "),
  };
}

function readTime(time: string): Date {
  const milliseconds = indiaMoment(time);
  if (milliseconds === null) throw new Error(`The approved operator key has an unreadable expiry: ${time}.`);
  return new Date(milliseconds);
}
