import type { OperationName, QueryName, QueryResult } from "@corprail/connector";
import type { Connector, Outcome, ProviderRequest } from "../connector.ts";

export type Script = {
  /** Answers by operation; a function answers each time anew. */
  readonly answers: Partial<Record<QueryName, object | ((input: object) => QueryResult<object>)>>;
  /** The outcome of every order; success by default. */
  readonly outcome?: (request: ProviderRequest) => Outcome;
};

export type ScriptedConnector = Connector & {
  /** The names of the queries so far. */
  readonly asked: QueryName[];
  readonly sent: ProviderRequest[];
  readonly answers: Script["answers"];
};

/** A connector whose answers the test says. It offers the given transactions and every query that has an answer. */
export function scriptedConnector(transactions: readonly OperationName[], { answers, outcome }: Script): ScriptedConnector {
  const [asked, sent]: [QueryName[], ProviderRequest[]] = [[], []];
  return {
    ...{ asked, sent, answers },
    operations: new Set<OperationName>([...transactions, ...(Object.keys(answers) as QueryName[])]),
    send: async (request) => {
      sent.push(request);
      return outcome?.(request) ?? { kind: "succeeded", operatorRef: "OP1" };
    },
    ask: async () => ({ kind: "unknown", why: "not scripted" }),
    query: async (name, input) => {
      asked.push(name);
      const answer = answers[name];
      // The test says values of the operation's schema, which the type of a table of all operations cannot.
      const given = typeof answer === "function" ? answer(input) : { kind: "answered" as const, value: answer };
      return given as Awaited<ReturnType<Connector["query"]>> as never;
    },
    quietMilliseconds: 1_000,
    timeoutMilliseconds: 1_000,
    close: async () => {},
  };
}
