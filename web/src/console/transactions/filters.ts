import { useQuery } from "@tanstack/react-query";
import { STATUS_OPTIONS } from "../../transactions/statuses.ts";
import type { Option } from "../../ui/forms/field.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { operatorOptionsQuery, providerOptionsQuery, serviceOptionsQuery } from "../names.ts";
import { useAssigneeFilter } from "../work/work.ts";

const WAITING_OPTIONS: readonly Option[] = [
  { value: "old", label: "Over 10 minutes" },
  { value: "doubt", label: "In doubt" },
  { value: "person", label: "To settle manually" },
];

export function useOrderFilters(): readonly Filter[] {
  return [
    { kind: "search", name: "search", label: "Search", placeholder: "Order, urid, number, operator ref" },
    { kind: "choice", name: "status", label: "Status", options: STATUS_OPTIONS },
    { kind: "choice", name: "waiting", label: "Waiting", options: WAITING_OPTIONS },
    { kind: "choice", name: "service", label: "Service", options: useQuery(serviceOptionsQuery).data ?? [] },
    { kind: "choice", name: "operator", label: "Operator", options: useQuery(operatorOptionsQuery).data ?? [] },
    { kind: "choice", name: "provider", label: "Provider", options: useQuery(providerOptionsQuery).data ?? [] },
    ACCOUNT_FILTER,
    useAssigneeFilter(),
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ];
}
