import { queryOptions, useQuery } from "@tanstack/react-query";
import { adoptLanguage } from "../../messages/languages.ts";
import type { Schemas } from "../../portal-api.ts";
import { keepCsrfToken } from "./api.ts";
import { authApi } from "./auth-api.ts";

/** The session of a signed-in user. Each site's session.ts narrows it. */
export type SignedIn = Schemas["SignedIn"];

export type SecondFactor = SignedIn["methods"][number];

export const sessionQuery = queryOptions({
  queryKey: ["/session"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const session = await authApi.get("/session", {}, signal);
    if (session.signed_in) adoptLanguage(session.user.language);
    keepCsrfToken(session.signed_in ? session.csrf_token : null);
    return session;
  },
});

/** The session of a page inside the shell; null only while it is being read again. */
export function useSession(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.signed_in ? data : null;
}
