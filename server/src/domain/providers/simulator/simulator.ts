import { type OperationName, REQUIRED_OPERATIONS, TRANSACTIONS } from "@corprail/connector";
import { type Clock, isEarly } from "../../../platform/core/clock.ts";
import type { Connector, Finding, Outcome, ProviderRequest, ReportTo } from "../connector.ts";
import { successFieldsOf } from "./success-fields.ts";
import { createTimers, type Timers } from "./timers.ts";

export type SimulatorOptions = {
  /** When later results are available, counted from the order's creation. */
  readonly delayMilliseconds: number;
  readonly timeoutMilliseconds: number;
};

export type SimulatorDependencies = SimulatorOptions & { readonly clock: Clock; readonly reportTo: ReportTo };

export const DEFAULT_SIMULATOR: SimulatorOptions = { delayMilliseconds: 3000, timeoutMilliseconds: 3000 };

const SLOW_MILLISECONDS = 2000;
const DECLINED_REASON = "The simulator declines this number.";
const REVERSED_REASON = "The simulator takes this success back.";
const ABORTED = "the request was aborted";

export const SIMULATED_OPERATIONS: ReadonlySet<OperationName> = new Set([
  ...(Object.keys(TRANSACTIONS) as (keyof typeof TRANSACTIONS)[]),
  ...Object.values(REQUIRED_OPERATIONS).flat(),
  "transfers.banks",
  "otp.send",
]);

/** The built-in provider. Results depend only on the target and the order's time, so they survive a restart. */
export function createSimulator(deps: SimulatorDependencies): Connector {
  const timers = createTimers();
  return {
    operations: SIMULATED_OPERATIONS,
    query: async () => ({ kind: "unavailable", why: "the services answer the simulator's queries themselves" }),
    send: (request, signal) => {
      if (signal.aborted) return Promise.resolve<Outcome>({ kind: "not_sent", why: ABORTED });
      return send(deps, timers, request, signal);
    },
    ask: (request) => Promise.resolve(find(deps, request)),
    quietMilliseconds: 0,
    timeoutMilliseconds: deps.timeoutMilliseconds,
    close: async () => timers.close(),
  };
}

function send(deps: SimulatorDependencies, timers: Timers, request: ProviderRequest, signal: AbortSignal): Promise<Outcome> {
  const ending = endingOf(request);
  switch (ending.send) {
    case "succeeded":
      if (ending.later) reportLater(deps, timers, request);
      return Promise.resolve(ending.later ? success(request, deps) : success(request));
    case "declined":
      return Promise.resolve({ kind: "declined", reason: DECLINED_REASON });
    case "pending":
      if (ending.later) reportLater(deps, timers, request);
      return Promise.resolve({ kind: "pending", why: pendingReason(deps, request) });
    case "refused":
      return Promise.resolve({ kind: "not_sent", why: "the simulator refuses the connection" });
    case "garbage":
      return Promise.resolve({ kind: "unknown", why: "the simulator answered HTTP 502 and garbage" });
    default:
      return answerLate(deps, timers, request, ending, signal);
  }
}

async function answerLate(
  deps: SimulatorDependencies,
  timers: Timers,
  request: ProviderRequest,
  ending: Ending,
  signal: AbortSignal,
): Promise<Outcome> {
  const answers = ending.send === "slow" && SLOW_MILLISECONDS < deps.timeoutMilliseconds;
  const waited = await timers.wait(answers ? SLOW_MILLISECONDS : deps.timeoutMilliseconds, signal);
  if (!waited) return { kind: "unknown", why: ABORTED };
  return answers ? success(request) : { kind: "unknown", why: `no answer within ${deps.timeoutMilliseconds} ms` };
}

function pendingReason({ delayMilliseconds }: SimulatorOptions, request: ProviderRequest): string {
  const number = `the number ends in ${request.target.slice(-3)}`;
  return endingOf(request).later ? `${number}, final after ${delayMilliseconds / 1000} seconds` : `${number}, so staff must settle it`;
}

// Due when a status query would find it too, so that reports and polls agree.
function reportLater(deps: SimulatorDependencies, timers: Timers, request: ProviderRequest): void {
  const milliseconds = Math.max(0, Math.min(deps.delayMilliseconds, dueAt(deps, request) - deps.clock.now()));
  timers.later(milliseconds, () => deps.reportTo({ reference: request.reference, finding: laterFinding(request) }));
}

function find(deps: SimulatorDependencies, request: ProviderRequest): Finding {
  const ending = endingOf(request);
  const early = isEarly(deps.clock.now(), request.createdAt, deps.delayMilliseconds);
  if (ending.send === "refused") return { kind: "not_found" };
  if (ending.send === "declined") return { kind: "declined", reason: DECLINED_REASON };
  if (ending.send === "slow") {
    return isEarly(deps.clock.now(), request.createdAt, SLOW_MILLISECONDS) ? { kind: "unknown", why: "still under way" } : success(request);
  }
  if (ending.send === "pending" && (early || !ending.later)) return { kind: "pending", why: pendingReason(deps, request) };
  if (early && ending.later === "reversed") return success(request, deps);
  if (early && ending.later) return { kind: "unknown", why: "the simulator does not know yet" };
  return laterFinding(request);
}

function laterFinding(request: ProviderRequest): Finding {
  const { later } = endingOf(request);
  if (later === "declined") return { kind: "declined", reason: DECLINED_REASON };
  if (later === "reversed") return { kind: "reversed", reason: REVERSED_REASON };
  return success(request);
}

function success(request: ProviderRequest, recheck?: SimulatorOptions): Outcome {
  const succeeded = { kind: "succeeded", ...successFieldsOf(request) } as const;
  return recheck ? { ...succeeded, recheckAt: dueAt(recheck, request) } : succeeded;
}

function dueAt(options: SimulatorOptions, request: ProviderRequest): number {
  return request.createdAt + options.delayMilliseconds;
}

/** The simulator's behaviour for a target, by its last three characters (contract, section 9). */
type Ending =
  | { readonly send: "succeeded" | "declined" | "refused" | "slow"; readonly later?: "reversed" }
  /** Answered as pending; `later` is the result after the delay, if any. */
  | { readonly send: "pending"; readonly later?: "succeeded" | "declined" }
  /** No usable answer; a status query finds the result after the delay. */
  | { readonly send: "silent" | "garbage"; readonly later: "succeeded" | "declined" };

const SUCCEEDED: Ending = { send: "succeeded" };
const DECLINED: Ending = { send: "declined" };

// Contract, section 6: a penny drop is final in its reply.
const FINAL_CALLS: ReadonlySet<string> = new Set(["penny_drop"]);

const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ["102", DECLINED],
  ["202", { send: "pending", later: "declined" }],
  ["200", { send: "pending", later: "succeeded" }],
  ["110", { send: "pending" }],
  ["120", { send: "succeeded", later: "reversed" }],
  ["130", { send: "silent", later: "succeeded" }],
  ["131", { send: "silent", later: "declined" }],
  ["140", { send: "refused" }],
  ["141", { send: "garbage", later: "succeeded" }],
  ["150", { send: "slow" }],
]);

export function endingOf(request: Pick<ProviderRequest, "target" | "operation">): Ending {
  const ending = ENDINGS.get(request.target.slice(-3)) ?? SUCCEEDED;
  return FINAL_CALLS.has(request.operation) ? finalOf(ending) : ending;
}

function finalOf(ending: Ending): Ending {
  if (ending.send === "refused") return ending;
  return ending.send === "declined" || ending.later === "declined" ? DECLINED : SUCCEEDED;
}
