import { queryOptions, useQuery } from "@tanstack/react-query";
import { get, keepCsrfToken } from "./api.ts";

export type SecondFactor = "totp" | "passkey" | "recovery";

/** Session fields that both sites share. Each site's session.ts adds its own. */
export type SignedIn = {
  readonly signed_in: true;
  /** Whether real money moves on this installation. */
  readonly mode: "trial" | "live";
  /** `half`: the second factor is still to be entered. `enrol`: it is still to be set up. `full`: signed in. */
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

/** The session of a page inside the shell; null only while it is being read again. */
export function useSession(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.signed_in ? data : null;
}
