import { QUERIES, type QueryInput, type QueryName, type QueryValue } from "../operations.ts";
import type { Outcome, QueryResult, StatusFinding } from "../outcome.ts";
import type { CallbackMessage, CallbackReading, Clock, StateStore, TransactionRequest } from "../plugin.ts";
import { createBoundedLog, type LogSink } from "./bounded-log.ts";
import { createBoundedStore } from "./bounded-store.ts";
import { createBoundedWire, type RawWire } from "./bounded-wire.ts";
import type { CheckedPlugin } from "./check-plugin.ts";
import { createBounds, DEFAULT_LIMITS, type Ended, type HostLimits } from "./limits.ts";
import { createMask, type Mask } from "./mask.ts";
import { type Opened, openOnDemand } from "./open-plugin.ts";
import { type Read, readCallbackReading, readFinding, readOutcome, readQueryResult } from "./read-result.ts";
import { type Running, runAs } from "./running.ts";

/** `fault` names a fault on our side or in the plug-in, which says nothing about the provider. */
type WithFault<Value> = Value & { readonly fault?: string };
export type HostedOutcome = WithFault<Outcome>;
export type HostedFinding = WithFault<StatusFinding>;
export type HostedRequest = Omit<TransactionRequest, "signal">;

/** A plug-in in operation for one provider. Nothing here throws, and everything ends in time. */
export type HostedConnector<Trace = never> = {
  readonly send: (request: HostedRequest, signal: AbortSignal, trace?: Trace) => Promise<HostedOutcome>;
  readonly status: (request: HostedRequest, signal: AbortSignal, trace?: Trace) => Promise<HostedFinding>;
  readonly query: <Name extends QueryName>(
    name: Name,
    input: QueryInput<Name>,
    signal: AbortSignal,
    trace?: Trace,
  ) => Promise<QueryResult<QueryValue<Name>>>;
  readonly readCallback: (message: CallbackMessage) => CallbackReading;
  readonly timeoutMs: number;
  readonly close: () => Promise<void>;
};

export type HostOptions<Trace> = {
  readonly plugin: CheckedPlugin;
  /** The provider's name. */
  readonly provider: string;
  /** What the plug-in's schema made of the settings. */
  readonly settings: unknown;
  readonly secrets: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly wire: RawWire<Trace>;
  readonly store: StateStore;
  readonly log: LogSink;
  readonly origins: readonly string[] | null;
  readonly limits?: Partial<HostLimits>;
};

type Host<Trace> = {
  readonly options: HostOptions<Trace>;
  readonly mask: Mask;
  /** Runs one operation. `ended` tells how its requests ended. */
  readonly run: (
    work: Work,
    signal: AbortSignal,
    trace: Trace | undefined,
  ) => Promise<{ readonly end: Ended<unknown>; readonly running: Running<Trace> }>;
};
type Work = { readonly operation: string; readonly call: (opened: Opened, signal: AbortSignal) => unknown };

export function hostConnector<Trace = never>(options: HostOptions<Trace>): HostedConnector<Trace> {
  const { plugin, provider, secrets, settings, clock } = options;
  const limits = { ...DEFAULT_LIMITS, timeoutMs: plugin.timeoutMs, ...options.limits };
  const mask = createMask(Object.values(secrets));
  const bounds = createBounds(limits);
  const closing = new AbortController();
  const { requestsAtOnce, logLinesPerMinute } = limits;
  const log = createBoundedLog({ sink: options.log, hide: mask.hide, clock, linesPerMinute: logLinesPerMinute });
  const wire = createBoundedWire({
    ...{ provider, mask, requestsAtOnce },
    raw: options.wire,
    origins: options.origins,
    closing: closing.signal,
  });
  const parts = Object.freeze({ wire, clock, settings, secrets: { ...secrets }, store: createBoundedStore(options.store, mask), log });
  const opening = openOnDemand(plugin, parts, provider, clock);
  const host: Host<Trace> = {
    options,
    mask,
    run: async ({ operation, call }, signal, trace) => {
      const ended: Running<Trace>["ended"] = [];
      let running: Running<Trace> = { provider, operation, signal, trace, ended };
      const end = await bounds.run(signal, async (own) => {
        running = { provider, operation, signal: own, trace, ended };
        return await runAs(running, async () => call(await opening.opened(), own));
      });
      return { end, running };
    },
  };
  return {
    send: (request, signal, trace) => send(host, request, signal, trace),
    status: (request, signal, trace) => status(host, request, signal, trace),
    query: (name, input, signal, trace) => query(host, { name, input }, signal, trace),
    readCallback: (message) => readMessage(host, message),
    timeoutMs: limits.timeoutMs,
    close: async () => {
      bounds.callOff();
      closing.abort();
      await opening.close(limits.graceMs);
    },
  };
}

async function send<Trace>(host: Host<Trace>, request: HostedRequest, signal: AbortSignal, trace?: Trace): Promise<HostedOutcome> {
  let isCalled = false;
  const { end, running } = await host.run(
    {
      operation: request.operation,
      call: (opened, own) => {
        const { send: handler } = opened.transaction(request.operation);
        isCalled = true;
        return handler(Object.freeze({ ...request, signal: own }));
      },
    },
    signal,
    trace,
  );
  if (end.kind === "full") return { kind: "not_sent", why: end.why, fault: "capacity" };
  // Proof: the function that sends was never called.
  if (!isCalled) return { kind: "not_sent", why: unable(host, end), fault: end.kind === "called_off" ? "shutdown" : "connector" };
  const read = settled(host, end, (value) => readOutcome(request.operation, value));
  if (!read.ok) return { kind: "unknown", why: read.fault, fault: read.ours };
  const outcome = cleaned(host, read.value);
  const silent = running.ended.some((one) => one.kind === "unknown" && one.operation === request.operation);
  if (outcome.kind === "not_sent" && silent)
    return { kind: "unknown", why: "the plug-in says not sent, but a request of it left without an answer", fault: "connector" };
  return withFault(outcome, running);
}

async function status<Trace>(host: Host<Trace>, request: HostedRequest, signal: AbortSignal, trace?: Trace): Promise<HostedFinding> {
  const { end, running } = await host.run(
    {
      operation: request.operation,
      call: (opened, own) => opened.transaction(request.operation).status(Object.freeze({ ...request, signal: own })),
    },
    signal,
    trace,
  );
  const read = settled(host, end, (value) => readFinding(request.operation, value));
  if (!read.ok) return { kind: "unknown", why: read.fault, fault: read.ours };
  const finding = withFault(cleaned(host, read.value), running);
  // A status query that could not be sent says nothing about the order.
  return finding.kind === "not_sent" ? { ...finding, kind: "unknown", why: `could not ask: ${finding.why}` } : finding;
}

async function query<Trace, Name extends QueryName>(
  host: Host<Trace>,
  { name, input }: { readonly name: Name; readonly input: QueryInput<Name> },
  signal: AbortSignal,
  trace?: Trace,
): Promise<QueryResult<QueryValue<Name>>> {
  const given = QUERIES[name].input.safeParse(input);
  if (!given.success) return { kind: "unavailable", why: `the question is not valid: ${given.error.issues[0]?.path.join(".")}` };
  const { end } = await host.run(
    { operation: name, call: (opened, own) => opened.query(name)(given.data, { signal: own }) },
    signal,
    trace,
  );
  const read = settled(host, end, (value) => readQueryResult(name, value));
  if (!read.ok) return { kind: "unavailable", why: read.fault };
  return read.value.kind === "answered" ? read.value : cleaned(host, read.value);
}

function readMessage<Trace>(host: Host<Trace>, message: CallbackMessage): CallbackReading {
  const { plugin, settings, secrets, clock, log, provider } = host.options;
  const unreadable: CallbackReading = { kind: "refused", reason: "unreadable" };
  if (!plugin.readCallback) return unreadable;
  try {
    const running: Running<Trace> = { provider, operation: "callback", signal: AbortSignal.abort(), trace: undefined, ended: [] };
    const value = runAs(running, () => plugin.readCallback?.(message, { settings, secrets: { ...secrets }, clock }));
    const read = readCallbackReading(value);
    if (read.ok) return read.value;
    log("warn", "the plug-in's reading of a callback is not valid", { fault: host.mask.hide(read.fault) });
    // A promise is not expected here, and must not end the process when it fails.
    if (value instanceof Promise) value.catch(() => {});
  } catch (error) {
    log("warn", "the plug-in could not read a callback", { error: host.mask.hide(errorText(error)) });
  }
  return unreadable;
}

type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: string; readonly ours: "connector" | "shutdown" | "capacity" };

function settled<Trace, Value>(host: Host<Trace>, end: Ended<unknown>, read: (value: unknown) => Read<Value>): Settled<Value> {
  if (end.kind === "full") return { ok: false, fault: end.why, ours: "capacity" };
  if (end.kind !== "value") return { ok: false, fault: unable(host, end), ours: end.kind === "called_off" ? "shutdown" : "connector" };
  const found = read(end.value);
  if (found.ok) return found;
  return { ok: false, fault: `the plug-in's answer is not valid: ${host.mask.hide(found.fault)}`, ours: "connector" };
}

function unable<Trace>(host: Host<Trace>, end: Ended<unknown>): string {
  switch (end.kind) {
    case "threw":
      return `the plug-in failed: ${host.mask.hide(errorText(end.error)).slice(0, 200)}`;
    case "timed_out":
      return "the plug-in did not end within its time limit";
    case "called_off":
      return "the request was aborted";
    case "full":
      return end.why;
    case "value":
      return "the plug-in was not ready";
  }
}

function errorText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "a value that has no text";
  }
}

/** Hides secrets in the texts that staff read. */
function cleaned<Trace, Value extends object>(host: Host<Trace>, value: Value): Value {
  const hidden = Object.entries(value).map(([name, one]) =>
    (name === "why" || name === "reason") && typeof one === "string" ? [name, host.mask.hide(one)] : [name, one],
  );
  return Object.fromEntries(hidden) as Value;
}

// The plug-in does not pass on why its request could not be sent, but the breaker must know when it was our fault.
function withFault<Value extends StatusFinding, Trace>(value: Value, running: Running<Trace>): WithFault<Value> {
  const fault = running.ended.at(-1)?.fault;
  return (value.kind === "not_sent" || value.kind === "unknown") && fault !== undefined ? { ...value, fault } : value;
}
