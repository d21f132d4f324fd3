import type { Query } from "../../ui/requests/api.ts";

/** Search parameters of the list. In a separate file, so that the router does not load the page for them. */
export const ORDER_FILTERS = [
  "search",
  "status",
  "waiting",
  "service",
  "operator",
  "provider",
  "circle",
  "reason",
  "account_id",
  "assigned_to",
  "from",
  "to",
] as const;

export type OrderSearch = { readonly [Name in (typeof ORDER_FILTERS)[number]]?: string };

// Filters for pending orders that need attention.
const WAITING: Readonly<Record<string, Query>> = {
  old: { status: "pending", min_age: "10" },
  doubt: { in_doubt: "true" },
  person: { needs_human: "true" },
};

/** Turns the URL's filters into the API's query. */
export function orderQueryOf({ waiting, reason: failure, ...search }: OrderSearch): Query {
  return { ...search, failure, ...(waiting === undefined ? {} : WAITING[waiting]) };
}

/** The active filters in one sentence; null when there are none. */
export function filterText(filters: OrderSearch): string | null {
  const present = Object.entries(filters).filter(([, value]) => value !== undefined);
  return present.length === 0
    ? null
    : `Only where ${present.map(([name, value]) => `${name.replaceAll("_", " ")} is ${value}`).join(", ")}.`;
}
