import assert from "node:assert/strict";
import type { CallbackMessage } from "../plugin.ts";
import { callbackContract } from "./callback-contract.ts";
import { BEHAVIOURS, type Behaviour } from "./unruly-server.ts";

/** One call of the connector under test. */
export type ContractCall = {
  readonly signal: AbortSignal;
  /** Instead of the harness's own reference. */
  readonly reference?: string;
  /** Collects what would be kept as evidence. */
  readonly record?: (evidence: unknown) => void;
};
type Result = { readonly kind: string };

/** A connector that is connected to a test provider with one behaviour. */
export type ContractHarness = {
  readonly reference: string;
  readonly send: (call: ContractCall) => Promise<Result>;
  readonly status: (call: ContractCall) => Promise<Result>;
  /** The references that reached the provider, in order; null where they cannot be observed. */
  readonly references: (() => readonly string[]) | null;
  readonly timeoutMs: number;
  /** Closes the connector, but not the provider. */
  readonly closeConnector: () => Promise<void>;
  /** Closes both. */
  readonly close: () => Promise<void>;
};

/** How the messages of a provider prove themselves. `none`: they only make us ask. */
export type CallbackProof = "signature" | "key" | "none";

export type ContractCallbacks = {
  readonly proof: CallbackProof;
  /** A message that the connector must accept. */
  readonly genuine: () => CallbackMessage;
  readonly read: (message: CallbackMessage) => unknown;
  /** Forged messages instead of the usual ones, by what is wrong with them. Needed if the proof is in the body. */
  readonly forgeries?: Readonly<Record<string, (genuine: CallbackMessage) => CallbackMessage>>;
};

export type ContractSubject = {
  readonly name: string;
  /** What the test provider can do; everything unless given. */
  readonly behaviours?: readonly Behaviour[];
  readonly open: (behaviour: Behaviour, timeoutMs: number) => Promise<ContractHarness>;
  /** The meaning of a failure in the answer to a status question; `declined` unless given. */
  readonly failureWhenAsked?: "declined" | "reversed";
  /** Outcomes of a request that differ from the usual ones. */
  readonly outcomes?: Partial<Record<Behaviour, readonly string[]>>;
  /** Findings of a status question that differ from the usual ones. */
  readonly findings?: Partial<Record<Behaviour, readonly string[]>>;
  /** References of many requests at once, for a provider that demands a form; `MANY1` and so on unless given. */
  readonly manyReferences?: (position: number) => string;
  /** Whether it logs in first, so that a broken connection may end before the transaction. */
  readonly logsIn?: boolean;
  /** A provider that answers the first request with 401 because its token expired, and then works. */
  readonly openWithExpiredToken?: (timeoutMs: number) => Promise<ContractHarness>;
  /** The values of the secrets that it was given. */
  readonly secrets?: readonly string[];
  readonly callbacks?: ContractCallbacks | readonly ContractCallbacks[];
};

/** The function that registers a test: vitest's or node:test's `test`. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

// Only a definite answer gives a definite outcome; only a refused connection proves that nothing was sent.
const DEFINITE: Partial<Record<Behaviour, readonly string[]>> = {
  success: ["succeeded"],
  "slow success": ["succeeded"],
  failure: ["declined"],
  pending: ["pending"],
  "not found": ["unknown", "declined"],
  "refuses the connection": ["not_sent"],
};

function outcomesOf(behaviour: Behaviour): readonly string[] {
  return DEFINITE[behaviour] ?? ["unknown"];
}

// Short where silence is tested; long elsewhere, so that a slow machine does not look like silence.
const SHORT_MS = 500;
const LONG_MS = 20_000;
const SILENT: readonly Behaviour[] = ["never answers", "stops in the middle", "late success"];
const SOON_MS = 5000;
const AT_ONCE = 40;

type Open = (behaviour: Behaviour, patient?: boolean) => Promise<ContractHarness>;

/** Registers a test for every guarantee that a connector must give. */
export function connectorContract(subject: ContractSubject, test: TestFunction): void {
  const behaviours = subject.behaviours ?? BEHAVIOURS;
  const open: Open = (behaviour, patient = !SILENT.includes(behaviour)) => subject.open(behaviour, patient ? LONG_MS : SHORT_MS);
  for (const behaviour of behaviours) {
    test(`${subject.name}: a request to a provider with “${behaviour}” has the right outcome`, () =>
      using(open(behaviour), (harness) => checkSend(subject, behaviour, harness)));
    test(`${subject.name}: asking a provider with “${behaviour}” finds no more than it says`, () =>
      using(open(behaviour), (harness) => checkStatus(subject, behaviour, harness)));
  }
  referenceContract(subject, open, test);
  endContract(subject, open, test);
  if (subject.openWithExpiredToken) tokenContract(subject, subject.openWithExpiredToken, test);
  if (subject.secrets && behaviours.includes("echoes the request")) secretContract(subject.name, subject.secrets, open, test);
  for (const callbacks of [subject.callbacks ?? []].flat()) callbackContract(subject.name, callbacks, test);
}

async function checkSend(subject: ContractSubject, behaviour: Behaviour, harness: ContractHarness): Promise<void> {
  const { kind } = await harness.send({ signal: never() });
  const references = harness.references?.();
  const loginEnded = subject.logsIn === true && behaviour === "hangs up before reading";
  // On a slow machine the short time limit ends before the provider got anything, which proves that nothing was sent.
  const neverArrived = SILENT.includes(behaviour) && references?.length === 0;
  const usual = subject.outcomes?.[behaviour] ?? outcomesOf(behaviour);
  oneOf(kind, loginEnded || neverArrived ? ["unknown", "not_sent"] : usual);
  if (references && kind === "not_sent") assert.deepEqual(references, []);
  // Never sent twice, whatever happened to the connection.
  if (references) assert.ok(references.length <= 1, `sent ${references.length} times`);
}

async function checkStatus(subject: ContractSubject, behaviour: Behaviour, harness: ContractHarness): Promise<void> {
  const { kind } = await harness.status({ signal: never() });
  oneOf(kind, findingsOf(subject, behaviour));
  for (const reference of harness.references?.() ?? []) assert.equal(reference, harness.reference);
}

function findingsOf(subject: ContractSubject, behaviour: Behaviour): readonly string[] {
  const own = subject.findings?.[behaviour];
  if (own) return own;
  if (behaviour === "failure") return [subject.failureWhenAsked ?? "declined"];
  if (behaviour === "not found") return ["not_found"];
  // A status question that was not sent says nothing about the order.
  return behaviour === "refuses the connection" ? ["unknown"] : outcomesOf(behaviour);
}

function referenceContract(
  { name, manyReferences = (position) => `MANY${position}` }: ContractSubject,
  open: Open,
  test: TestFunction,
): void {
  test(`${name}: the question carries the reference that the request was sent with`, () =>
    using(open("success"), async (harness) => {
      await harness.send({ signal: never() });
      await harness.status({ signal: never() });
      if (harness.references) assert.deepEqual(harness.references(), [harness.reference, harness.reference]);
    }));
  test(`${name}: many at once get each their own answer`, () =>
    using(open("success"), async (harness) => {
      const sending = Array.from({ length: AT_ONCE }, (_, place) => harness.send({ signal: never(), reference: manyReferences(place) }));
      for (const { kind } of await Promise.all(sending)) assert.equal(kind, "succeeded");
    }));
}

function endContract({ name }: ContractSubject, open: Open, test: TestFunction): void {
  for (const verb of ["send", "status"] as const)
    test(`${name}: ${verb} ends soon after it is called off, and nobody knows what became of it`, () =>
      using(open("never answers", true), async (harness) => {
        const calledOff = new AbortController();
        const startedAt = performance.now();
        const running = harness[verb]({ signal: calledOff.signal });
        // If it were aborted earlier, it might not have been sent at all.
        await until(() => (harness.references?.().length ?? 1) === 1);
        calledOff.abort();
        assert.equal((await running).kind, "unknown");
        assert.ok(performance.now() - startedAt < SOON_MS, "did not end soon");
      }));
  test(`${name}: a request that is called off before it begins is provably not sent`, () =>
    using(open("success"), async (harness) => {
      assert.equal((await harness.send({ signal: AbortSignal.abort() })).kind, "not_sent");
      if (harness.references) assert.deepEqual(harness.references(), []);
    }));
  test(`${name}: silence ends at the connector's own time-out`, () =>
    using(open("never answers"), async (harness) => {
      const startedAt = performance.now();
      const { kind } = await harness.send({ signal: never() });
      // On a slow machine the time-out may pass before the request is sent, in the steps before it.
      const provablyNotSent = kind === "not_sent" && harness.references?.().length === 0;
      assert.ok(kind === "unknown" || provablyNotSent, `the outcome was ${kind}`);
      assert.ok(performance.now() - startedAt < harness.timeoutMs + SOON_MS, "did not end at its time-out");
    }));
  test(`${name}: after it is closed a request is not sent, and asking does not throw`, () =>
    using(open("pending"), async (harness) => {
      await harness.closeConnector();
      const { kind } = await harness.send({ signal: never() });
      await harness.status({ signal: never() });
      if (!harness.references) return;
      assert.equal(kind, "not_sent");
      assert.deepEqual(harness.references(), []);
    }));
}

function tokenContract({ name }: ContractSubject, open: (timeoutMs: number) => Promise<ContractHarness>, test: TestFunction): void {
  test(`${name}: a token that expires in flight is renewed once, and the order is carried out once`, () =>
    using(open(LONG_MS), async (harness) => {
      assert.equal((await harness.send({ signal: never() })).kind, "succeeded");
      // The first was refused with 401, so that the provider carried out only the second.
      if (harness.references) assert.deepEqual(harness.references(), [harness.reference, harness.reference]);
    }));
}

function secretContract(name: string, secrets: readonly string[], open: Open, test: TestFunction): void {
  for (const verb of ["send", "status"] as const)
    test(`${name}: ${verb} shows no secret in its outcome or evidence, not even one that the provider repeats`, () =>
      using(open("echoes the request"), async (harness) => {
        const seen: unknown[] = [];
        seen.push(await harness[verb]({ signal: never(), record: (evidence) => seen.push(evidence) }));
        const text = JSON.stringify(seen);
        for (const secret of secrets)
          for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
            assert.ok(!text.includes(form), "a secret is shown");
      }));
}

function oneOf(kind: string, allowed: readonly string[]): void {
  assert.ok(allowed.includes(kind), `the result is ${kind}, where only ${allowed.join(" or ")} is right`);
}

async function using(opening: Promise<ContractHarness>, check: (harness: ContractHarness) => Promise<void>): Promise<void> {
  const harness = await opening;
  try {
    await check(harness);
  } finally {
    await harness.close();
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isTrue()) {
    assert.ok(performance.now() - startedAt < SOON_MS, "the provider got no request");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function never(): AbortSignal {
  return new AbortController().signal;
}
