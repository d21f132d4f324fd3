import { STAFF_ROLES } from "../roles.ts";
import { type SignedIn, useSession as useAnySession } from "../ui/requests/session.ts";

export type StaffRole = (typeof STAFF_ROLES.EVERYBODY)[number];

type StaffSession = SignedIn & { readonly user: { readonly role: StaffRole } };

export const { ADMINS, EVERYBODY, MONEY, OPERATIONS, SETTLERS, SUPPORT, WORKERS } = STAFF_ROLES;

/** The session of a page inside the shell; null only while it is being read again. */
export function useSession(): StaffSession | null {
  return useAnySession() as StaffSession | null;
}

/** Whether the user's role is in the group: `useMay(MONEY)`. The service checks it again. */
export function useMay(roles: readonly StaffRole[]): boolean {
  const session = useSession();
  return session !== null && roles.includes(session.user.role);
}
