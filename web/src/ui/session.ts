import { queryOptions, useQuery } from "@tanstack/react-query";
import { get, keepCsrfToken } from "./api.ts";

export type SecondFactor = "totp" | "passkey" | "recovery";

/** What both sites tell of whoever is signed in; each one's own session.ts knows the rest. */
export type SignedIn = {
  readonly signed_in: true;
  /** Whether real money moves on this installation. */
  readonly mode: "trial" | "live";
  /** The password was right, and a second factor is still owed: one there is (`half`), or one to be set up (`enrol`). */
  readonly stage: "half" | "enrol" | "full";
  readonly csrf_token: string;
  readonly proved_at: number;
  readonly methods: readonly SecondFactor[];
  readonly user: { readonly user_id: string; readonly email: string; readonly name: string; readonly role: string };
  readonly needs: { readonly second_factor: boolean };
};

type SessionState = SignedIn | { readonly signed_in: false; readonly mode: "trial" | "live" };

export const sessionQuery = queryOptions({
  queryKey: ["/session"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const session = await get<SessionState>("/session", {}, signal);
    keepCsrfToken(session.signed_in ? session.csrf_token : null);
    return session;
  },
});

/** The session of a page inside the shell; null for a moment only while it is read again. */
export function useSession(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.signed_in ? data : null;
}
