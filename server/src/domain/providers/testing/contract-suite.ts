import { type ContractCallbacks, type ContractHarness, connectorContract as registerContract } from "@corprail/connector/testing";
import { describe, test } from "vitest";
import type { Connector, ProviderMessage, ProviderRequest } from "../connector.ts";
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
  /** Findings that differ from the usual ones. */
  readonly findings?: Partial<Record<Behaviour, readonly string[]>>;
  readonly logsIn?: boolean;
  readonly openWithExpiredToken?: (timeoutMilliseconds: number) => Promise<Harness>;
  readonly secrets?: readonly string[];
  readonly callbacks?: Omit<ContractCallbacks, "genuine" | "read"> & {
    readonly genuine: () => ProviderMessage;
    readonly read: (message: ProviderMessage) => unknown;
  };
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
      test,
    );
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
