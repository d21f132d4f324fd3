import type { FastifyRequest } from "fastify";
import type { AccountMode } from "../../domain/accounts/account-mode.ts";
import type { StaffRole } from "../../domain/auth/user.ts";
import type { KeyLimits } from "./keys/key-limits.ts";

/** The caller of a request: a program with an operator key, or a staff member at the console. */
export type Caller = {
  readonly kind: "key" | "staff";
  /** The accounts that the call is about. Null, for a key that names no mode: all of them. */
  readonly mode: AccountMode | null;
  /** Null for a key. */
  readonly staff: { readonly userId: string; readonly sessionId: string; readonly name: string; readonly role: StaffRole } | null;
  /** The roles that must all allow a call. Empty for a key that may make every call. */
  readonly roles: readonly StaffRole[];
  /** What limits the key of the call. Null for staff, and for a key without limits. */
  readonly keyLimits: KeyLimits | null;
  /** The actor in the audit log. */
  readonly actor: string;
  /** The responsible person. A key counts as the person who created it, so that nobody can approve their own request. */
  readonly person: string;
  /** Whether lists may be some seconds old: at the console, unless this person has just changed something. */
  readonly mayReadReplica: boolean;
  /** Whether the caller is still authorised, for long-running requests. */
  readonly isStillAuthorized: () => Promise<boolean>;
};

export function caller(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>("caller");
}

/** The actor of a change for the audit log. */
export function actor(request: FastifyRequest): string {
  return caller(request).actor;
}

/** Whether the caller has one of these roles. A key that may make every call has them all. */
export function isOneOf(caller: Pick<Caller, "roles">, roles: readonly StaffRole[]): boolean {
  return caller.roles.every((role) => roles.includes(role));
}
