import { type OperationName, QUERIES, type QueryInput, type QueryName, type QueryResult, type QueryValue } from "@corprail/connector";
import type { z } from "zod";
import type { Connector, Outcome, ProviderRequest } from "../../providers/connector.ts";

/** What a query is answered with: data as the operation's schema takes it, a refusal, or nothing usable. */
type Said<Name extends QueryName> =
  | z.input<(typeof QUERIES)[Name]["value"]>
  | { readonly refused: Extract<QueryResult, { readonly kind: "refused" }>["code"] }
  | "unavailable";

export type QueryTable = { [Name in QueryName]?: (input: QueryInput<Name>) => Said<Name> };

export type Asked = { readonly name: QueryName; readonly input: Readonly<Record<string, unknown>> };

/** A provider in memory: a table of its queries, which a test may change, and a record of what it was asked. */
export type QueryConnector = Connector & {
  readonly table: QueryTable;
  readonly asked: Asked[];
  readonly sent: ProviderRequest[];
  /** The inputs of one query, in order. */
  readonly inputsOf: (name: QueryName) => readonly Asked["input"][];
  outcome: Outcome;
};

const SUCCEEDED: Outcome = { kind: "succeeded", operatorRef: "UTR000000001" };

export function queryConnector(transactions: readonly OperationName[], table: QueryTable): QueryConnector {
  const asked: Asked[] = [];
  const sent: ProviderRequest[] = [];
  const connector: QueryConnector = {
    table,
    asked,
    sent,
    inputsOf: (name) => asked.filter((one) => one.name === name).map((one) => one.input),
    outcome: SUCCEEDED,
    get operations() {
      return new Set<OperationName>([...transactions, ...(Object.keys(table) as QueryName[])]);
    },
    query: async <Name extends QueryName>(name: Name, input: QueryInput<Name>): Promise<QueryResult<QueryValue<Name>>> => {
      const given = QUERIES[name].input.parse(input) as QueryInput<Name>;
      asked.push({ name, input: given });
      const said = (table[name] as ((input: QueryInput<Name>) => Said<Name>) | undefined)?.(given) ?? "unavailable";
      if (said === "unavailable") return { kind: "unavailable", why: "scripted" };
      if ("refused" in said) return { kind: "refused", reason: "scripted", ...(said.refused ? { code: said.refused } : {}) };
      return { kind: "answered", value: QUERIES[name].value.parse(said) as QueryValue<Name> };
    },
    send: async (request) => {
      sent.push(request);
      return connector.outcome;
    },
    ask: async () => ({ kind: "unknown", why: "not scripted" }),
    quietMilliseconds: 0,
    timeoutMilliseconds: 1000,
    close: async () => {},
  };
  return connector;
}
