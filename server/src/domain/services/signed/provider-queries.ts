import type { QueryInput, QueryName, QueryResult, QueryValue } from "@corprail/connector";
import type { Connector } from "../../providers/connector.ts";
import type { ProviderReferences } from "../../providers/references.ts";

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
  /** How long a query can take before it ends without an answer. */
  readonly limitMilliseconds: (name: QueryName) => number;
};

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(["reference", "cancel_reference"]);

export type QueryingOptions = {
  readonly provider: string;
  readonly connector: Connector;
  readonly references: Pick<ProviderReferences, "allocate">;
  readonly stopping: AbortSignal;
};

export function providerQueries({ provider, connector, references, stopping }: QueryingOptions): ProviderQueries {
  /** Queries name an order by the reference that it was sent with, in the form that the provider demands. */
  async function withReferences<Input extends object>(input: Input): Promise<Input> {
    const { referenceForm } = connector;
    if (!referenceForm) return input;
    const named = Object.entries(input).filter(([name]) => REFERENCE_FIELDS.has(name));
    const allocated = await Promise.all(
      named.map(async ([name, subject]) => [name, await references.allocate(provider, referenceForm, String(subject))] as const),
    );
    return { ...input, ...Object.fromEntries(allocated) };
  }
  async function ask<Name extends QueryName>(name: Name, input: QueryInput<Name>): Promise<Usable<QueryValue<Name>>> {
    const result = await connector.query(name, await withReferences(input), stopping);
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
    limitMilliseconds: (name) => connector.queryMilliseconds?.(name) ?? connector.timeoutMilliseconds,
  };
}
