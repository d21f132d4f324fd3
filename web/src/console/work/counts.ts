import { useQuery } from "@tanstack/react-query";
import { get } from "../api.ts";

const REFRESH_MILLISECONDS = 15_000;

/** The number of open items for entries of the menu, by their path. */
export function useMenuCounts(): Readonly<Record<string, number>> {
  const { data } = useQuery({
    queryKey: ["/work/counts"],
    queryFn: ({ signal }) => get("/work/counts", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  if (data === undefined) return {};
  return { "/alerts": data.alerts, "/transactions": data.orders, "/complaints": data.complaints, "/approvals": data.approvals };
}
