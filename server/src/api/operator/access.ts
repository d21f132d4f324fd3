import { type StaffRole, VIEWERS } from "../../domain/auth/user.ts";

/** Which staff roles, and operator keys with such a role, may call a route. A key without a role may call every route. */
export type Access = {
  readonly roles: readonly StaffRole[];
  /** For money, secrets, addresses and users: requires a proof of identity within the last five minutes. */
  readonly fresh: boolean;
};

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface FastifyContextConfig {
    access?: Access;
  }
}

export const EVERYBODY: readonly StaffRole[] = ["admin", "finance", "operations", "support", "auditor"];
/** Every role that is not read-only. */
export const WORKERS: readonly StaffRole[] = ["admin", "finance", "operations", "support"];
export const ADMINS: readonly StaffRole[] = ["admin"];
/** Wallets, fees and commissions, statements. */
export const MONEY: readonly StaffRole[] = ["admin", "finance"];
/** Accounts, switches, providers, callbacks. */
export const OPERATIONS: readonly StaffRole[] = ["admin", "operations"];
/** Roles that settle orders, decide complaints and resolve reconciliation differences. */
export const SETTLERS: readonly StaffRole[] = ["admin", "finance", "operations"];
/** Roles that support clients: resend callbacks, view a client's portal. */
export const SUPPORT: readonly StaffRole[] = VIEWERS;

/** The route option that sets the allowed roles: `{ config: may(MONEY, "fresh"), schema: … }`. */
export function may(roles: readonly StaffRole[], proof?: "fresh"): { readonly access: Access } {
  return { access: { roles, fresh: proof === "fresh" } };
}
