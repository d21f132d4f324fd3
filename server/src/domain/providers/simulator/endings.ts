import type { ProviderRequest } from "../connector.ts";

/** The simulator's behaviour for a target, by its last three characters (contract, section 9). */
export type Ending =
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

export function endingOf(request: Pick<ProviderRequest, "target" | "call">): Ending {
  const ending = ENDINGS.get(request.target.slice(-3)) ?? SUCCEEDED;
  return FINAL_CALLS.has(request.call) ? finalOf(ending) : ending;
}

function finalOf(ending: Ending): Ending {
  if (ending.send === "refused") return ending;
  return ending.send === "declined" || ending.later === "declined" ? DECLINED : SUCCEEDED;
}
