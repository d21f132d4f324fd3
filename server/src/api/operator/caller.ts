import type { FastifyRequest } from "fastify";
import type { StaffRole } from "../../domain/auth/user.ts";

/** Who makes a call: a program with an operator key, or somebody of the staff at the console. */
export type Caller = {
  readonly kind: "key" | "staff";
  /** Null for a key. */
  readonly staff: { readonly userId: string; readonly sessionId: string; readonly name: string; readonly role: StaffRole } | null;
  /** As the audit trail names them. */
  readonly actor: string;
  /** Who stands behind it: a key belongs to whoever made it, so nobody is two persons by having one. */
  readonly person: string;
  /** Whether they may still make this call, for one that goes on and on. */
  readonly isStillAuthorized: () => Promise<boolean>;
};

export function caller(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>("caller");
}

/** Who makes the change, as the audit trail names them. */
export function actor(request: FastifyRequest): string {
  return caller(request).actor;
}

/** Whether they may do what these roles may, where that depends on more than the path. A key may do everything. */
export function isOneOf({ staff }: Caller, roles: readonly StaffRole[]): boolean {
  return staff === null || roles.includes(staff.role);
}
