import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import { sessionQuery } from "../../ui/session.ts";
import { toast } from "../../ui/toast.tsx";

export type Passkey = {
  readonly passkey_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
};
export type OpenSession = {
  readonly session_id: string;
  readonly current: boolean;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string;
  readonly user_agent: string;
};

type Security = {
  readonly totp: { readonly enabled: boolean };
  readonly passkeys: readonly Passkey[];
  readonly recovery_codes_left: number;
  readonly sessions: readonly OpenSession[];
};

export const securityQuery = queryOptions({
  queryKey: ["/security"],
  queryFn: ({ signal }) => get<Security>("/security", {}, signal),
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
