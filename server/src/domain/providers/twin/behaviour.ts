import { endingOf } from "../simulator/simulator.ts";

export const TWIN_FAULTS = [
  "slow",
  "cut",
  "500",
  "duplicate",
  "late-callback",
  "wrong-signature",
  "out-of-money",
  "double-answer",
] as const;
export type TwinFault = (typeof TWIN_FAULTS)[number];

export const TWIN_ANSWERS = ["success", "declined", "pending"] as const;
export type TwinAnswer = (typeof TWIN_ANSWERS)[number];

/** What becomes of an order, and what goes wrong on the way. */
export type Behaviour = {
  /** The result that the provider has at once, by the name of its sample. */
  readonly now: TwinAnswer | "declined.float";
  /** The result after the delay. */
  readonly later?: "success" | "declined" | "reversed";
  /** `refused`: the order is not taken. In every other case the provider has carried it out. */
  readonly wire?: "slow" | "silent" | "cut" | "500" | "garbage" | "double-answer" | "refused";
  readonly callbacks?: "duplicate" | "wrong-signature";
};

const OF_FAULTS: Readonly<Record<TwinFault, Behaviour>> = {
  slow: { now: "success", wire: "slow" },
  cut: { now: "success", wire: "cut" },
  "500": { now: "success", wire: "500" },
  duplicate: { now: "success", callbacks: "duplicate" },
  "late-callback": { now: "pending", later: "success" },
  "wrong-signature": { now: "success", callbacks: "wrong-signature" },
  "out-of-money": { now: "declined.float" },
  "double-answer": { now: "success", wire: "double-answer" },
};

/** The faults that the simulator does not know, by the last three digits of the target. */
const BY_DIGITS: ReadonlyMap<string, TwinFault> = new Map([
  ["160", "cut"],
  ["161", "500"],
  ["162", "duplicate"],
  ["163", "late-callback"],
  ["164", "wrong-signature"],
  ["165", "out-of-money"],
  ["166", "double-answer"],
]);

export type Chosen = { readonly fault?: TwinFault | undefined; readonly answer?: TwinAnswer | undefined };

/** The target's last digits decide first, then what was chosen for all. */
export function behaviourFor(target: string, { fault, answer }: Chosen): Behaviour {
  const own = BY_DIGITS.get(target.slice(-3));
  if (own !== undefined) return OF_FAULTS[own];
  const simulated = simulatedBehaviour(target);
  if (simulated !== null) return simulated;
  const usual: Behaviour = fault === undefined ? { now: "success" } : OF_FAULTS[fault];
  return answer === undefined ? usual : { ...usual, now: answer };
}

/** As the simulator treats the same number; null for a number without a meaning. */
function simulatedBehaviour(target: string): Behaviour | null {
  const ending = endingOf({ target, operation: "" });
  const later = ending.later === "succeeded" ? "success" : ending.later;
  switch (ending.send) {
    case "succeeded":
      return later === undefined ? null : { now: "success", later };
    case "declined":
      return { now: "declined" };
    case "pending":
      return { now: "pending", ...(later === undefined ? {} : { later }) };
    case "refused":
      return { now: "success", wire: "refused" };
    case "slow":
      return { now: "success", wire: "slow" };
    case "silent":
    case "garbage":
      return { now: later === "declined" ? "declined" : "success", wire: ending.send };
  }
}
