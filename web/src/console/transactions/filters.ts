import { useQuery } from "@tanstack/react-query";
import { STATUS_OPTIONS } from "../../transactions/statuses.ts";
import { get } from "../../ui/api.ts";
import type { Option } from "../../ui/field.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";

const WAITING_OPTIONS: readonly Option[] = [
  { value: "old", label: "Over 10 minutes" },
  { value: "doubt", label: "In doubt" },
  { value: "person", label: "To settle manually" },
];

const FRESH_MILLISECONDS = 60_000;
const MAX_NAMES = 200;

/** The options of a select, read from a list of the API. */
function useNames(path: string, code: string): readonly Option[] {
  const { data = [] } = useQuery({
    queryKey: [path, "names"],
    queryFn: async ({ signal }) => (await get<{ items: readonly Record<string, string>[] }>(path, { limit: MAX_NAMES }, signal)).items,
    staleTime: FRESH_MILLISECONDS,
  });
  return data.map((item) => ({ value: item[code] ?? "", label: item["name"] ?? item[code] ?? "" }));
}

export function useOrderFilters(): readonly Filter[] {
  return [
    { kind: "search", name: "search", label: "Search", placeholder: "Order, urid, number, operator ref" },
    { kind: "choice", name: "status", label: "Status", options: STATUS_OPTIONS },
    { kind: "choice", name: "waiting", label: "Waiting", options: WAITING_OPTIONS },
    { kind: "choice", name: "service", label: "Service", options: useNames("/services", "service") },
    { kind: "choice", name: "operator", label: "Operator", options: useNames("/operators", "operator") },
    { kind: "choice", name: "provider", label: "Provider", options: useNames("/providers", "provider") },
    { kind: "text", name: "account_id", label: "Account id", placeholder: "A…" },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ];
}
