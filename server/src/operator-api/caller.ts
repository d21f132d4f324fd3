import type { FastifyRequest } from "fastify";
import type { StaffRole } from "../people/user.ts";

/** Who makes a call: a program with an operator key, or somebody of the staff at the console. */
export type Caller = {
  readonly kind: "key" | "staff";
  /** As the audit trail names them. */
  readonly actor: string;
  /** Who stands behind it: a key belongs to whoever made it, so nobody is two persons by having one. */
  readonly person: string;
  /** Of somebody of the staff, for calls whose right depends on what they are about. A key may do everything. */
  readonly role?: StaffRole;
};

export function caller(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>("caller");
}

/** Whether a caller is one of these; beyond what the route itself asks for. */
export function isOneOf({ kind, role }: Caller, roles: readonly StaffRole[]): boolean {
  return kind === "key" || (role !== undefined && roles.includes(role));
}

/** Who makes the change, as the audit trail names them. */
export function actor(request: FastifyRequest): string {
  return caller(request).actor;
}
