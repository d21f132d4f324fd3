/** How the simulator treats a target, by its last three characters (contract, section 9). */
export type Ending =
  | { readonly send: "succeeded" | "declined" | "refused" | "slow"; readonly later?: "reversed" }
  /** Answered as pending; `later` is told after the delay, never without one. */
  | { readonly send: "pending"; readonly later?: "succeeded" | "declined" }
  /** No usable answer; the result is there to be asked for after the delay. */
  | { readonly send: "silent" | "garbage"; readonly later: "succeeded" | "declined" };

const SUCCEEDED: Ending = { send: "succeeded" };

const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ["102", { send: "declined" }],
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

export function endingOf(target: string): Ending {
  return ENDINGS.get(target.slice(-3)) ?? SUCCEEDED;
}
