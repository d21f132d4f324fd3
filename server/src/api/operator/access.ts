import { type StaffRole, VIEWERS } from "../../domain/auth/user.ts";

/** Who of the staff may make a call at the console. An operator key may make every one. */
export type Access = {
  readonly roles: readonly StaffRole[];
  /** Money, secrets, addresses, people: who they are must have been proved within five minutes. */
  readonly fresh: boolean;
};

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface FastifyContextConfig {
    access?: Access;
  }
}

export const EVERYBODY: readonly StaffRole[] = ["admin", "finance", "operations", "support", "auditor"];
/** Everybody but those who only look. */
export const WORKERS: readonly StaffRole[] = ["admin", "finance", "operations", "support"];
export const ADMINS: readonly StaffRole[] = ["admin"];
/** Wallets, fees and commissions, statements. */
export const MONEY: readonly StaffRole[] = ["admin", "finance"];
/** Accounts, switches, providers, callbacks. */
export const OPERATIONS: readonly StaffRole[] = ["admin", "operations"];
/** Ends orders, decides complaints, resolves differences. */
export const SETTLERS: readonly StaffRole[] = ["admin", "finance", "operations"];
/** Talks with clients: resends, looks at their portal. */
export const SUPPORT: readonly StaffRole[] = VIEWERS;

/** The option of a route that says who may: `{ config: may(MONEY, "fresh"), schema: … }`. */
export function may(roles: readonly StaffRole[], proof?: "fresh"): { readonly access: Access } {
  return { access: { roles, fresh: proof === "fresh" } };
}
