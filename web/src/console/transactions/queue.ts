import { useSearch } from "@tanstack/react-router";
import { useList } from "../api.ts";
import { orderQueryOf } from "./order-search.ts";

const REFRESH_MILLISECONDS = 15_000;

/** The orders of the page's filters. The drawer reads the same list to find the next one. */
export function useOrderQueue() {
  return useList("/orders", orderQueryOf(useSearch({ from: "/console/transactions" })), REFRESH_MILLISECONDS);
}
