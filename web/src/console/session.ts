import { type SignedIn, useSession as useAnySession } from "../ui/session.ts";

export type StaffRole = "admin" | "finance" | "operations" | "support" | "auditor";

type StaffSession = SignedIn & { readonly user: { readonly role: StaffRole } };

// Role groups, the same as in server/src/api/operator/access.ts.
export const EVERYBODY: readonly StaffRole[] = ["admin", "finance", "operations", "support", "auditor"];
/** All roles that may change something. */
export const WORKERS: readonly StaffRole[] = ["admin", "finance", "operations", "support"];
export const ADMINS: readonly StaffRole[] = ["admin"];
/** Manages wallets, fees, commissions and statements. */
export const MONEY: readonly StaffRole[] = ["admin", "finance"];
/** Manages accounts, switches, providers and callbacks. */
export const OPERATIONS: readonly StaffRole[] = ["admin", "operations"];
/** Settles orders, decides complaints and resolves reconciliation differences. */
export const SETTLERS: readonly StaffRole[] = ["admin", "finance", "operations"];
/** Supports clients: resends callbacks and views their portal. */
export const SUPPORT: readonly StaffRole[] = ["admin", "operations", "support"];

/** The session of a page inside the shell; null only while it is being read again. */
export function useSession(): StaffSession | null {
  return useAnySession() as StaffSession | null;
}

/** Whether the user's role is in the group: `useMay(MONEY)`. The service checks it again. */
export function useMay(roles: readonly StaffRole[]): boolean {
  const session = useSession();
  return session !== null && roles.includes(session.user.role);
}
