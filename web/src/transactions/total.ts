import { useQuery } from "@tanstack/react-query";
import type { Analytics } from "../analytics/figures.ts";
import { get, type Query } from "../ui/requests/api.ts";

type Search = { readonly [name: string]: string | undefined };
type Figures = Pick<Analytics["current"], "orders" | "success" | "failed" | "reversed" | "pending">;

const REFRESH_MILLISECONDS = 60_000;

// What analytics can filter by. Status is one of its figures.
const COUNTED = new Set(["status", "service", "operator", "provider", "circle", "reason", "account_id", "from", "to"]);

/** The query of analytics for a list with these filters; null where analytics cannot count it. */
export function countQuery(search: Search): Query | null {
  const filters = Object.entries(search).filter(([, value]) => value !== undefined);
  if (search["from"] === undefined || !filters.every(([name]) => COUNTED.has(name))) return null;
  return Object.fromEntries(filters.filter(([name]) => name !== "status"));
}

/** How many of the counted transactions have a status, by its name in the list's filter. */
export function countOf({ orders, success, failed, reversed, pending }: Figures, status: string | undefined): number {
  // The list of failed transactions includes reversed ones.
  const counts: Readonly<Record<string, number>> = { SUCCESS: success, FAILED: failed + reversed, Reversed: reversed, pending };
  return status === undefined ? orders : (counts[status] ?? 0);
}

/** How many transactions a list with these filters has, as of the latest count of analytics; undefined where that is unknown. */
export function useTotal(search: Search): number | undefined {
  const query = countQuery(search);
  const { data } = useQuery({
    queryKey: ["/analytics", "total", query],
    queryFn: ({ signal }) => get<Analytics>("/analytics", query ?? {}, signal),
    enabled: query !== null,
    refetchInterval: REFRESH_MILLISECONDS,
    // A period that is too long for analytics has no total.
    retry: false,
  });
  return query === null || data === undefined ? undefined : countOf(data.current, search["status"]);
}
