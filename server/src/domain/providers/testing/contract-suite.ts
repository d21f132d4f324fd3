import { afterEach, describe, expect, test } from "vitest";
import type { Connector, Finding, Outcome, ProviderRequest } from "../connector.ts";
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
};

type Kinds<Kind> = Readonly<Record<Behaviour, readonly Kind[]>>;

// Only a definite answer gives a definite outcome; only a refused connection proves that nothing was sent.
const SENT: Kinds<Outcome["kind"]> = {
  success: ["succeeded"],
  failure: ["declined"],
  pending: ["pending"],
  "not found": ["unknown", "declined"],
  "another reference": ["unknown"],
  "undeclared status": ["unknown"],
  "no status": ["unknown"],
  "slow success": ["succeeded"],
  "server error": ["unknown"],
  "success with 500": ["unknown"],
  "success with 202": ["unknown"],
  garbage: ["unknown"],
  empty: ["unknown"],
  "success, then more": ["unknown"],
  "success twice over": ["unknown"],
  redirect: ["unknown"],
  huge: ["unknown"],
  truncated: ["unknown"],
  "broken chunk": ["unknown"],
  compressed: ["unknown"],
  "hangs up before reading": ["unknown"],
  "hangs up after reading": ["unknown"],
  "never answers": ["unknown"],
  "stops in the middle": ["unknown"],
  "refuses the connection": ["not_sent"],
};

// Short where silence is tested; long elsewhere, so that a slow machine does not look like silence.
const SHORT_TIMEOUT_MILLISECONDS = 500;
const LONG_TIMEOUT_MILLISECONDS = 20_000;
const SILENT: readonly Behaviour[] = ["never answers", "stops in the middle"];
const SOON_MILLISECONDS = 5000;

/** The guarantees that every connector must give. */
export function connectorContract(subject: ConnectorUnderTest): void {
  const opened: Harness[] = [];
  afterEach(async () => {
    for (const harness of opened.splice(0)) await harness.close();
  });
  const open = async (behaviour: Behaviour, patient = !SILENT.includes(behaviour)): Promise<Harness> => {
    const harness = await subject.open(behaviour, patient ? LONG_TIMEOUT_MILLISECONDS : SHORT_TIMEOUT_MILLISECONDS);
    opened.push(harness);
    return harness;
  };

  describe(`the connector ${subject.name}`, () => {
    test.each(subject.behaviours)("a request to an upstream with “%s” has the right outcome", async (behaviour) => {
      const { connector, request, references } = await open(behaviour);
      const outcome = await connector.send(request, NEVER);
      expect(SENT[behaviour]).toContain(outcome.kind);
      if (references && outcome.kind === "not_sent") expect(references()).toEqual([]);
      // Never sent twice, whatever happened to the connection.
      if (references) expect(references().length).toBeLessThanOrEqual(1);
    });

    test.each(subject.behaviours)("asking an upstream with “%s” finds no more than it says", async (behaviour) => {
      const { connector, request, references } = await open(behaviour);
      const finding = await connector.ask(request, NEVER);
      expect(allowedFindings(behaviour, subject)).toContain(finding.kind);
      for (const reference of references?.() ?? []) expect(reference).toBe(request.reference);
    });

    test("the question carries the reference that the request was sent with", async () => {
      const { connector, request, references } = await open("success");
      await connector.send(request, NEVER);
      await connector.ask(request, NEVER);
      if (references) expect(references()).toEqual([request.reference, request.reference]);
    });

    test.each(["send", "ask"] as const)("%s ends soon after it is called off, and nobody knows what became of it", async (verb) => {
      const harness = await open("never answers", true);
      const calledOff = new AbortController();
      const startedAt = performance.now();
      const running = harness.connector[verb](harness.request, calledOff.signal);
      // If it were aborted earlier, it might not have been sent at all.
      await expect.poll(() => harness.references?.().length ?? 1, { timeout: SOON_MILLISECONDS, interval: 5 }).toBe(1);
      calledOff.abort();
      expect((await running).kind).toBe("unknown");
      expect(performance.now() - startedAt).toBeLessThan(SOON_MILLISECONDS);
    });

    test("a request that is called off before it begins is provably not sent", async () => {
      const { connector, request, references } = await open("success");
      expect((await connector.send(request, AbortSignal.abort())).kind).toBe("not_sent");
      if (references) expect(references()).toEqual([]);
    });

    test("silence ends at the connector's own time-out", async () => {
      const { connector, request } = await open("never answers");
      const startedAt = performance.now();
      expect((await connector.send(request, NEVER)).kind).toBe("unknown");
      expect(performance.now() - startedAt).toBeLessThan(connector.timeoutMilliseconds + SOON_MILLISECONDS);
    });

    test("after it is closed a request is not sent, and asking does not throw", async () => {
      const { connector, request, references } = await open("pending");
      await connector.close();
      const outcome = await connector.send(request, NEVER);
      if (references) expect(outcome.kind).toBe("not_sent");
      await connector.ask(request, NEVER);
      if (references) expect(references()).toEqual([]);
    });

    test("many at once get each their own answer", async () => {
      const { connector, request } = await open("success");
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, place) => connector.send({ ...request, reference: `MANY${place}` }, NEVER)),
      );
      for (const outcome of outcomes) expect(outcome.kind).toBe("succeeded");
    });
  });
}

function allowedFindings(behaviour: Behaviour, subject: ConnectorUnderTest): readonly Finding["kind"][] {
  if (behaviour === "failure") return [subject.failureWhenAsked];
  if (behaviour === "not found") return ["not_found"];
  // A status query that was not sent says nothing about the order.
  if (behaviour === "refuses the connection") return subject.name === "simulator" ? ["not_found"] : ["unknown"];
  return SENT[behaviour];
}
