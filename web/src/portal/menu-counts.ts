import { useQuery } from "@tanstack/react-query";
import { get } from "./api.ts";

const REFRESH_MILLISECONDS = 30_000;

/** What the account's members should look at: old pending transactions and failing callbacks, by the page that lists them. */
export function useMenuCounts(): Readonly<Record<string, number>> {
  const { data } = useQuery({
    queryKey: ["/menu-counts"],
    queryFn: ({ signal }) => get("/menu-counts", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  return data === undefined ? {} : { "/transactions": data.transactions, "/callbacks": data.callbacks };
}
