import { queryOptions, useQuery } from "@tanstack/react-query";
import { get, keepCsrfToken } from "./api.ts";

export type Role = "owner" | "developer" | "operations" | "read_only";
export type SecondFactor = "totp" | "passkey" | "recovery";

export type SignedIn = {
  readonly signed_in: true;
  /** `half`: the password was right, the second factor is still owed. */
  readonly stage: "half" | "full";
  readonly csrf_token: string;
  readonly proved_at: number;
  readonly methods: readonly SecondFactor[];
  readonly user: { readonly user_id: string; readonly email: string; readonly name: string; readonly role: Role };
  readonly account: { readonly account_id: string; readonly name: string; readonly sandbox: boolean; readonly standing: string };
  readonly needs: { readonly second_factor: boolean };
};

export type SessionState = SignedIn | { readonly signed_in: false };

export const sessionQuery = queryOptions({
  queryKey: ["/session"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const session = await get<SessionState>("/session", {}, signal);
    keepCsrfToken(session.signed_in ? session.csrf_token : null);
    return session;
  },
});

/** Who may: the same groups as the service's route table. */
const GROUPS = {
  everybody: ["owner", "developer", "operations", "read_only"],
  builders: ["owner", "developer"],
  workers: ["owner", "developer", "operations"],
  owners: ["owner"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Group = keyof typeof GROUPS;

export function belongs(role: Role, group: Group): boolean {
  return (GROUPS[group] as readonly Role[]).includes(role);
}

/** The session of a page inside the shell; null for a moment only while it is read again. */
export function useSession(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.signed_in ? data : null;
}

/** Whether to offer something; the service checks it again. */
export function useMay(group: Group): boolean {
  const session = useSession();
  return session !== null && belongs(session.user.role, group);
}
