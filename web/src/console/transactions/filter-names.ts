/** Search parameters of the list. In a separate file, so that the router does not load the page for them. */
export const ORDER_FILTERS = ["search", "status", "waiting", "service", "operator", "provider", "account_id", "from", "to"] as const;

export type OrderSearch = { readonly [Name in (typeof ORDER_FILTERS)[number]]?: string };
