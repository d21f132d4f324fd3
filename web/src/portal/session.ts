import { type SignedIn, useSession as useAnySession } from "../ui/session.ts";

export type Role = "owner" | "developer" | "operations" | "read_only";

export type PortalSession = SignedIn & {
  readonly user: { readonly role: Role };
  readonly account: { readonly account_id: string; readonly name: string; readonly sandbox: boolean; readonly standing: string };
  /** Somebody of the staff, who looks at the portal and changes nothing. */
  readonly viewing?: boolean;
};

/** Who may: the same groups as the service's route table. */
export const GROUPS = {
  everybody: ["owner", "developer", "operations", "read_only"],
  builders: ["owner", "developer"],
  workers: ["owner", "developer", "operations"],
  owners: ["owner"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Group = keyof typeof GROUPS;

/** The session of a page inside the shell; null for a moment only while it is read again. */
export function useSession(): PortalSession | null {
  return useAnySession() as PortalSession | null;
}

/** Whether to offer something; the service checks it again. */
export function useMay(group: Group): boolean {
  const session = useSession();
  return session !== null && (GROUPS[group] as readonly Role[]).includes(session.user.role);
}
