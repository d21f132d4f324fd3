import type { QueryInput, QueryName, QueryResult, QueryValue } from "@corprail/connector";
import type { Connector } from "../../providers/connector.ts";

/** A provider gave no usable answer. The reason is for staff and never reaches a client. */
export class ProviderUnavailable extends Error {}

/** An answer that a service can act on: data, or the provider's refusal. */
export type Usable<Value> = Exclude<QueryResult<Value>, { readonly kind: "unavailable" }>;

/** One provider's queries, as its connector answers them. A query without a usable answer throws ProviderUnavailable. */
export type ProviderQueries = {
  readonly provider: string;
  readonly has: (name: QueryName) => boolean;
  readonly ask: <Name extends QueryName>(name: Name, input: QueryInput<Name>) => Promise<Usable<QueryValue<Name>>>;
  /** The same for queries whose refusal is no decision that a service tells apart. */
  readonly read: <Name extends QueryName>(name: Name, input: QueryInput<Name>) => Promise<QueryValue<Name>>;
};

export function providerQueries(provider: string, connector: Connector, stopping: AbortSignal): ProviderQueries {
  async function ask<Name extends QueryName>(name: Name, input: QueryInput<Name>): Promise<Usable<QueryValue<Name>>> {
    const result = await connector.query(name, input, stopping);
    if (result.kind === "unavailable") throw new ProviderUnavailable(`${name} at ${provider}: ${result.why}`);
    return result;
  }
  return {
    provider,
    has: (name) => connector.operations.has(name),
    ask,
    read: async (name, input) => {
      const result = await ask(name, input);
      if (result.kind === "refused") throw new ProviderUnavailable(`${name} at ${provider} was refused: ${result.reason}`);
      return result.value;
    },
  };
}
