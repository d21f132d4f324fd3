import { useQuery } from "@tanstack/react-query";
import { portalText } from "../messages/en/portal.ts";
import { fill } from "../messages/fill.ts";
import { moneyText } from "../ui/formats/format.ts";
import { usePaused } from "../ui/lists/paused.ts";
import type { Found } from "../ui/overlays/palette.tsx";
import { get } from "./api.ts";

const PAUSE_MILLISECONDS = 200;
const MIN_LENGTH = 3;
const SHOWN = "5";

/** Transactions by parts of their numbers and references. */
export function useFound(text: string): readonly Found[] {
  const search = usePaused(text, PAUSE_MILLISECONDS);
  const enabled = search.length >= MIN_LENGTH;
  const { data } = useQuery({
    queryKey: ["/transactions", "found", search],
    queryFn: ({ signal }) => get("/transactions", { search, limit: SHOWN }, signal),
    enabled,
  });
  if (!enabled || search !== text) return [];
  return (data?.items ?? []).map(({ order_id: orderId, account, amount }) => ({
    name: fill(portalText.openTransaction, { orderId, account, amount: moneyText(amount) }),
    link: { to: "/transactions/$orderId", params: { orderId } } as Found["link"],
  }));
}
