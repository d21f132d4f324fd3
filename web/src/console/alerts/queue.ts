import { useSearch } from "@tanstack/react-router";
import { useList } from "../api.ts";

const REFRESH_MILLISECONDS = 10_000;

/** The alerts of the page's filters. The drawer reads the same list to find the next one. */
export function useAlertQueue() {
  return useList("/alerts", useSearch({ from: "/console/alerts" }), REFRESH_MILLISECONDS);
}
