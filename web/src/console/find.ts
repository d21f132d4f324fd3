import { useQuery } from "@tanstack/react-query";
import { moneyText } from "../ui/formats/format.ts";
import { usePaused } from "../ui/lists/paused.ts";
import type { Found } from "../ui/overlays/palette.tsx";
import { get } from "./api.ts";

const PAUSE_MILLISECONDS = 200;
const MIN_LENGTH = 3;
const SHOWN = "5";

/** Clients by name or id, and transactions by parts of their numbers and references. */
export function useFound(text: string): readonly Found[] {
  const search = usePaused(text, PAUSE_MILLISECONDS);
  const enabled = search.length >= MIN_LENGTH;
  const accounts = useQuery({
    queryKey: ["/accounts", "found", search],
    queryFn: ({ signal }) => get("/accounts", { search, limit: SHOWN }, signal),
    enabled,
  });
  const orders = useQuery({
    queryKey: ["/orders", "found", search],
    queryFn: ({ signal }) => get("/orders", { search, limit: SHOWN }, signal),
    enabled,
  });
  if (!enabled || search !== text) return [];
  return [
    ...(accounts.data?.items ?? []).map(({ account_id: accountId, name }) => ({
      name: `Open ${name}, ${accountId}`,
      link: { to: "/accounts/$accountId", params: { accountId } } as Found["link"],
    })),
    ...(orders.data?.items ?? []).map(({ order_id: orderId, account, amount, account_name: client }) => ({
      name: `Open transaction ${orderId}: ${account}, ${moneyText(amount)}, ${client}`,
      link: { to: "/transactions/$orderId", params: { orderId } } as Found["link"],
    })),
  ];
}
