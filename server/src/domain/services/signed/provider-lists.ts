import type { QueryInput, QueryValue } from "@corprail/connector";
import { inChunks } from "../../providers/lists/in-chunks.ts";
import type { ListName } from "../../providers/lists/list.ts";
import type { ProviderQueries } from "./provider-queries.ts";

/** Reads a provider's list. */
export type ProviderLists = <Name extends ListName>(
  queries: ProviderQueries,
  name: Name,
  input: QueryInput<Name>,
) => Promise<QueryValue<Name>>;

/** Asks the provider each time. */
export const askedLists: ProviderLists = (queries, name, input) => queries.read(name, input);

/** Converts each list once, in small parts. The result has the same identity as long as the list has. */
export function convertedOnce<Listed extends object, Item>(
  convert: (listed: Listed) => Item,
): (list: readonly Listed[]) => Promise<readonly Item[]> {
  const converted = new WeakMap<readonly Listed[], Promise<readonly Item[]>>();
  return (list) => {
    const known = converted.get(list) ?? inChunks(list, (chunk) => chunk.map(convert)).then((parts) => parts.flat());
    converted.set(list, known);
    return known;
  };
}
