/** What the address of the list can hold; apart, so that the router fetches no page for it. */
export const ORDER_FILTERS = ["search", "status", "waiting", "service", "operator", "provider", "account_id", "from", "to"] as const;

export type OrderSearch = { readonly [Name in (typeof ORDER_FILTERS)[number]]?: string };
