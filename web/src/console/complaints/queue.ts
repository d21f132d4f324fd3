import { useSearch } from "@tanstack/react-router";
import { useList } from "../api.ts";

const REFRESH_MILLISECONDS = 15_000;

/** The complaints of the page's view and filters. The drawer reads the same list to find the next one. */
export function useComplaintQueue() {
  const { view, ...filters } = useSearch({ from: "/console/complaints" });
  return useList("/complaints", { ...filters, view, sort: view === "decided" ? "newest" : "due" }, REFRESH_MILLISECONDS);
}
