import { MEMBER_ROLES } from "../roles.ts";
import { type SignedIn, useSession as useAnySession } from "../ui/requests/session.ts";

export type Role = (typeof MEMBER_ROLES.EVERYBODY)[number];

export type PortalSession = SignedIn & {
  readonly user: { readonly role: Role };
  readonly account: NonNullable<SignedIn["account"]>;
};

const { EVERYBODY, BUILDERS, WORKERS, OWNERS } = MEMBER_ROLES;
export const GROUPS = { everybody: EVERYBODY, builders: BUILDERS, workers: WORKERS, owners: OWNERS } as const;

export type Group = keyof typeof GROUPS;

/** The session of a page inside the shell; null only while it is being read again. */
export function useSession(): PortalSession | null {
  return useAnySession() as PortalSession | null;
}

/** Whether the user's role is in the group. The service checks it again. */
export function useMay(group: Group): boolean {
  const session = useSession();
  return session !== null && (GROUPS[group] as readonly Role[]).includes(session.user.role);
}
