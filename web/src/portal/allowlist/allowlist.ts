import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { get, post } from "../api.ts";

export type Allowlist = Schemas["Allowlist"];

export const allowlistQuery = queryOptions({
  queryKey: ["/allowlist"],
  queryFn: ({ signal }) => get("/allowlist", {}, signal),
  refetchInterval: 5_000,
});

/** Adds or removes an entry and shows the list that the service returns. */
export function useChangeAllowlist(): (change: "add" | "remove", entry: string) => Promise<void> {
  const queries = useQueryClient();
  return async (change, entry) => {
    const changed = await post(`/allowlist/${change}`, { entry });
    await queries.cancelQueries(allowlistQuery);
    queries.setQueryData(allowlistQuery.queryKey, changed);
  };
}
