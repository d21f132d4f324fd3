import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { sessionQuery } from "../../ui/requests/session.ts";

export type Passkey = Schemas["Passkey"];
export type OpenSession = Schemas["OpenSession"];

export const securityQuery = queryOptions({
  queryKey: ["/security"],
  queryFn: ({ signal }) => authApi.get("/security", {}, signal),
});

/** A change to the user's sign-in methods; the page and the session are read again afterwards. */
export function useSecurityChange<Answer, Given = void>(
  work: (given: Given) => Promise<Answer>,
  done: string | ((answer: Answer) => void),
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer) => {
      await Promise.all([queries.invalidateQueries(securityQuery), queries.invalidateQueries(sessionQuery)]);
      if (typeof done === "string") toast(done);
      else done(answer);
    },
  });
}
