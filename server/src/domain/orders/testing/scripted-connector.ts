import type { Connector, Finding, OperationPolicy, Outcome, ProviderRequest, Recorder } from "../../providers/connector.ts";
import { SIMULATED_OPERATIONS } from "../../providers/simulator/simulator.ts";

type Said<Word> = Word | ((request: ProviderRequest, signal: AbortSignal, record?: Recorder) => Promise<Word>);

export type Script = {
  readonly send?: Said<Outcome>;
  readonly ask?: Said<Finding>;
  readonly quietMilliseconds?: number;
  readonly policy?: OperationPolicy;
};

/** A provider that gives scripted answers and records its requests. */
export type ScriptedConnector = Connector & {
  readonly sent: ProviderRequest[];
  readonly asked: ProviderRequest[];
  /** Says something else from now on. */
  readonly change: (script: Script) => void;
};

export const SUCCEEDED: Outcome = { kind: "succeeded", operatorRef: "OP1" };
export const DECLINED: Outcome = { kind: "declined", reason: "The number is not known." };
export const UNKNOWN: Outcome = { kind: "unknown", why: "no answer" };
export const PENDING: Outcome = { kind: "pending", why: "it said so" };
export const NOT_SENT: Outcome = { kind: "not_sent", why: "connection refused" };

export function scripted(first: Script): ScriptedConnector {
  let script = first;
  const sent: ProviderRequest[] = [];
  const asked: ProviderRequest[] = [];
  return {
    sent,
    asked,
    change: (next) => {
      script = { ...script, ...next };
    },
    operations: SIMULATED_OPERATIONS,
    query: async () => ({ kind: "unavailable", why: "no query is scripted" }),
    send: (request, signal, record) => {
      sent.push(request);
      return say(script.send ?? SUCCEEDED, request, signal, record);
    },
    ask: (request, signal, record) => {
      asked.push(request);
      return say(script.ask ?? UNKNOWN, request, signal, record);
    },
    get quietMilliseconds() {
      return script.quietMilliseconds ?? 0;
    },
    policyOf: () => script.policy ?? {},
    timeoutMilliseconds: 0,
    close: async () => {},
  };
}

function say<Word>(said: Said<Word>, request: ProviderRequest, signal: AbortSignal, record?: Recorder): Promise<Word> {
  return typeof said === "function"
    ? (said as (request: ProviderRequest, signal: AbortSignal, record?: Recorder) => Promise<Word>)(request, signal, record)
    : Promise.resolve(said);
}

/** A promise with its handles outside. */
export function deferred<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolveIt) => {
    resolve = resolveIt;
  });
  return { promise, resolve };
}
