import { type SignedIn, useSession as useAnySession } from "../ui/session.ts";

export type StaffRole = "admin" | "finance" | "operations" | "support" | "auditor";

type StaffSession = SignedIn & { readonly user: { readonly role: StaffRole } };

// Who may: the same groups, by the same names, as server/src/api/operator/access.ts.
export const EVERYBODY: readonly StaffRole[] = ["admin", "finance", "operations", "support", "auditor"];
/** Everybody who does anything. */
export const WORKERS: readonly StaffRole[] = ["admin", "finance", "operations", "support"];
export const ADMINS: readonly StaffRole[] = ["admin"];
/** Wallets, fees and commissions, statements. */
export const MONEY: readonly StaffRole[] = ["admin", "finance"];
/** Accounts, switches, providers, callbacks. */
export const OPERATIONS: readonly StaffRole[] = ["admin", "operations"];
/** Ends orders, decides complaints, resolves differences. */
export const SETTLERS: readonly StaffRole[] = ["admin", "finance", "operations"];
/** Talks with clients: resends, looks at their portal. */
export const SUPPORT: readonly StaffRole[] = ["admin", "operations", "support"];

/** The session of a page inside the shell; null for a moment only while it is read again. */
export function useSession(): StaffSession | null {
  return useAnySession() as StaffSession | null;
}

/** Whether to offer something: `useMay(MONEY)`. The service checks it again. */
export function useMay(roles: readonly StaffRole[]): boolean {
  const session = useSession();
  return session !== null && roles.includes(session.user.role);
}
