import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { get, post } from "../../ui/api.ts";

export type Allowlist = {
  readonly entries: readonly { readonly entry: string; readonly last_hit_at: string | null }[];
  readonly refused: readonly { readonly address: string; readonly last_at: string; readonly count: number }[];
};

export const allowlistQuery = queryOptions({
  queryKey: ["/allowlist"],
  queryFn: ({ signal }) => get<Allowlist>("/allowlist", {}, signal),
  refetchInterval: 5_000,
});

/** Adds or removes an entry and shows the list that the service returns. */
export function useChangeAllowlist(): (change: "add" | "remove", entry: string) => Promise<void> {
  const queries = useQueryClient();
  return async (change, entry) => {
    const changed = await post<Allowlist>(`/allowlist/${change}`, { entry });
    await queries.cancelQueries(allowlistQuery);
    queries.setQueryData(allowlistQuery.queryKey, changed);
  };
}
