import { type ContractCallbacks, type ContractHarness, connectorContract as registerContract } from "@corprail/connector/testing";
import { describe, expect, test } from "vitest";
import type { Connector, ProviderExchange, ProviderRequest } from "../connector.ts";
import { NEVER } from "./requests.ts";
import type { Behaviour } from "./unruly-server.ts";

/** A connector to a test provider with one behaviour for all requests. */
export type Harness = {
  readonly connector: Connector;
  readonly request: ProviderRequest;
  /** The references that reached the provider; null where they cannot be observed. */
  readonly references: (() => readonly string[]) | null;
  readonly close: () => Promise<void>;
};

export type ConnectorUnderTest = {
  readonly name: string;
  /** The behaviours that this test provider supports. */
  readonly behaviours: readonly Behaviour[];
  /** Creates a connector with this timeout. */
  readonly open: (behaviour: Behaviour, timeoutMilliseconds: number) => Promise<Harness>;
  /** The meaning of a failure in the answer to a status query. */
  readonly failureWhenAsked: "declined" | "reversed";
  /** Outcomes and findings that differ from the usual ones. */
  readonly outcomes?: Partial<Record<Behaviour, readonly string[]>>;
  readonly findings?: Partial<Record<Behaviour, readonly string[]>>;
  readonly logsIn?: boolean;
  readonly openWithExpiredToken?: (timeoutMilliseconds: number) => Promise<Harness>;
  readonly secrets?: readonly string[];
  readonly manyReferences?: (position: number) => string;
  readonly callbacks?: ContractCallbacks | readonly ContractCallbacks[];
};

/** The contract kit that plug-in authors use (`@corprail/connector/testing`), run on one of our own connectors. */
export function connectorContract(subject: ConnectorUnderTest): void {
  const { open, openWithExpiredToken: openExpired, ...rest } = subject;
  describe(`the connector ${subject.name}`, () => {
    registerContract(
      {
        ...rest,
        open: async (behaviour, timeoutMs) => asContractHarness(await open(behaviour, timeoutMs)),
        ...(openExpired ? { openWithExpiredToken: async (timeoutMs) => asContractHarness(await openExpired(timeoutMs)) } : {}),
      },
      (name, run) => test.concurrent(name, run),
    );
    if (subject.secrets) evidenceTests(subject);
  });
}

/** What was said to the provider and what it answered can be shown later, for a request and for each status query. */
function evidenceTests({ open }: ConnectorUnderTest): void {
  test.each([
    ["success", "answered"],
    ["hangs up after reading", "not answered"],
  ] as const)("a provider with “%s” leaves evidence that it was %s", async (behaviour, answered) => {
    const { connector, request, close } = await open(behaviour, 20_000);
    try {
      const evidence: ProviderExchange[] = [];
      await connector.send(request, NEVER, (one) => evidence.push(one));
      const sent = evidence.length;
      await connector.ask(request, NEVER, (one) => evidence.push(one));
      expect(sent).toBeGreaterThan(0);
      expect(evidence.length).toBeGreaterThan(sent);
      for (const { reply, problem } of [evidence[sent - 1], evidence.at(-1)].filter((one) => one !== undefined)) {
        expect({ hasReply: reply !== null, hasProblem: problem !== null }).toEqual({
          hasReply: answered === "answered",
          hasProblem: answered === "not answered",
        });
      }
    } finally {
      await close();
    }
  });
}

function asContractHarness({ connector, request, references, close }: Harness): ContractHarness {
  const withReference = (reference = request.reference) => ({ ...request, reference });
  return {
    reference: request.reference,
    send: ({ signal, reference, record }) => connector.send(withReference(reference), signal, record),
    status: ({ signal, reference, record }) => connector.ask(withReference(reference), signal, record),
    references,
    timeoutMs: connector.timeoutMilliseconds,
    closeConnector: connector.close,
    close,
  };
}
