import { isTransaction, type TransactionName } from "@corprail/connector";
import { systemClock } from "../../../../platform/core/clock.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { createDescriptionConnector } from "../../description/connector.ts";
import type { Description } from "../../description/definition.ts";
import type { Secrets } from "../../description/request/scope.ts";
import { formatReference } from "../../references.ts";
import { type ConnectorUnderTest, connectorContract, type Harness } from "../../testing/contract-suite.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { providerRequest } from "../../testing/requests.ts";
import { BEHAVIOURS, type Behaviour, startUnrulyServer } from "../../testing/unruly-server.ts";
import { localDescription } from "../../twin/local-description.ts";
import { ruleFor } from "./altered-answer.ts";
import { describedCallbacks } from "./described-callbacks.ts";
import { expiredAnswer } from "./expired-answer.ts";
import { type SampleProvider, sampleProvider, TOKEN } from "./sample-provider.ts";

type Results = Partial<Record<Behaviour, readonly string[]>>;

export type DescribedSubject = {
  readonly settings: JsonObject;
  /** Values that occur nowhere else, so that they are found in evidence. For RSA a private key. */
  readonly secrets: Secrets;
  readonly transaction: TransactionName;
  /** A request with the details that the service sends. */
  readonly request: Parameters<typeof providerRequest>[0];
  /** Outcomes and findings that differ from the usual ones because the description declares the answer. */
  readonly outcomes?: Results;
  readonly findings?: Results;
};

/** The contract kit on a description, with a test provider that answers with the description's own samples. */
export function descriptionContract(subject: DescribedSubject): void {
  const { settings, secrets, transaction } = subject;
  const definition = defined(settings);
  const provider = providerOf(subject, definition);
  const asked = provider.answerTo("status", "failure");
  const open = (behaviour: Behaviour, milliseconds: number, expiresToken = false) =>
    connect(subject, behaviour, milliseconds, expiresToken);
  const { reference: form } = definition;
  const named: ConnectorUnderTest = {
    name: `${definition.name}, ${transaction}`,
    behaviours: BEHAVIOURS,
    failureWhenAsked: asked !== null && ruleFor(asked)?.means === "reversed" ? "reversed" : "declined",
    outcomes: { ...resultsOf(provider, "send"), ...subject.outcomes },
    findings: { ...resultsOf(provider, "status"), ...subject.findings },
    logsIn: provider.prepares,
    open,
    ...(definition.login === undefined ? {} : { openWithExpiredToken: (milliseconds) => open("success", milliseconds, true) }),
    ...(form === undefined ? {} : { manyReferences: (position) => formatReference(form, BigInt(position), Date.now()) }),
    secrets: [...Object.values(secrets), TOKEN],
    callbacks: describedCallbacks(definition, secrets, provider),
  };
  connectorContract(named);
}

function providerOf(
  { request, transaction, secrets }: DescribedSubject,
  definition: Description,
): SampleProvider & { readonly sent: Harness["request"] } {
  const { reference: form } = definition;
  const formed = form === undefined ? {} : { reference: formatReference(form, 4711n, Date.now()) };
  const sent = providerRequest({ ...formed, providerRef: "SAMPLE7001", ...request });
  return { ...sampleProvider({ definition, transaction, request: sent, secrets }), sent };
}

/** What the samples say or leave open. */
function resultsOf(provider: SampleProvider, part: "send" | "status"): Results {
  const missing = (["failure", "pending", "not found"] as const).filter((word) => provider.answerTo(part, word) === null);
  const unknown = missing.filter((word) => part === "status" || word !== "not found");
  const [own, other] = [provider.answerTo(part, "success"), provider.answerTo(part, "another reference")];
  if (own === null || other === null) throw new Error(`The ${part} of the transaction has no sample success.`);
  const repeatsReference = !own.answer.body.equals(other.answer.body);
  const accepted = ruleFor({ ...own, answer: { ...own.answer, status: 202 } });
  return {
    ...Object.fromEntries(unknown.map((word) => [word, ["unknown"]])),
    // An answer without our reference says nothing about which order it is for.
    ...(repeatsReference ? {} : { "another reference": ["succeeded"] }),
    ...(accepted?.means === "success" ? { "success with 202": ["succeeded"] } : {}),
  };
}

async function connect(subject: DescribedSubject, behaviour: Behaviour, milliseconds: number, expiresToken: boolean): Promise<Harness> {
  const { settings, secrets } = subject;
  const provider = providerOf(subject, defined(settings));
  const server = await startUnrulyServer(behaviour, provider.words, {
    isLogin: provider.isPreparation,
    expiresToken,
    expiredAnswer: expiredAnswer(defined(settings)),
  });
  const definition = impatient(localDescription(settings, server.origin), milliseconds);
  const connector = createDescriptionConnector({ definition, secrets, clock: systemClock(), egress: testEgress() });
  return {
    connector,
    request: provider.sent,
    references: () => provider.referencesIn(server.received),
    close: async () => {
      await connector.close();
      await server.close();
    },
  };
}

/** The description with the test's own time limit for every operation, and without the provider's limits. */
function impatient(settings: JsonObject, milliseconds: number): Description {
  const seconds = milliseconds / 1000;
  const operations = Object.entries(settings["operations"] as JsonObject).map(([name, operation]) => {
    const { timeout_seconds: _, ...rest } = operation as JsonObject;
    const { timeout_seconds: __, ...status } = (rest["status"] ?? {}) as JsonObject;
    return [name, isTransaction(name) ? { ...rest, status } : rest];
  });
  const timeouts = { connect_seconds: 5, whole_seconds: seconds };
  return defined({ ...settings, timeouts, limits: {}, operations: Object.fromEntries(operations) });
}
