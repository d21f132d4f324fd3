import type { QueryInput, QueryName, QueryValue } from "@corprail/connector";
import type { ProviderQueries } from "./provider-queries.ts";

/** Lists of a provider that change rarely and need no input. */
export type ListName = Extract<QueryName, "bills.billers" | "transfers.banks" | "bus.cities" | "aeps.banks">;

/** Reads a provider's list. */
export type ProviderLists = <Name extends ListName>(queries: ProviderQueries, name: Name) => Promise<QueryValue<Name>>;

/** Asks the provider each time. */
export const askedLists: ProviderLists = <Name extends ListName>(queries: ProviderQueries, name: Name) =>
  queries.read(name, {} satisfies QueryInput<ListName> as QueryInput<Name>);
