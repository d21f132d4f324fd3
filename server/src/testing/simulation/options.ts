import { type Bug, bugNamed } from "./checks/bugs.ts";

/** What `npm run simulate` was asked for. */
export type Options = {
  /** The first seed. Long runs go on with the next ones. */
  readonly seed: number;
  /** How many hours to simulate in all. */
  readonly hours: number;
  readonly bug: Bug | null;
  /** How many seeds are simulated at the same time. */
  readonly jobs: number;
  /** Prints every step. */
  readonly verbose: boolean;
};

/** One seed has at most this many hours in which things go wrong. */
export const HOURS_PER_SEED = 192;
const DEFAULT_HOURS = 48;
const NAMES = ["seed", "hours", "bug", "jobs", "verbose"];

export const USAGE = `Usage: npm run simulate -- [seed=1] [hours=${DEFAULT_HOURS}] [bug=NAME] [jobs=1] [verbose=yes]`;

/** Reads arguments such as `seed=7`. Throws with words for the user. */
export function readOptions(words: readonly string[]): Options {
  const given = new Map(words.map((word) => [word.split("=")[0] ?? "", word.slice(word.indexOf("=") + 1)] as const));
  for (const name of given.keys()) if (!NAMES.includes(name)) throw new Error(`"${name}" is not an option. ${USAGE}`);
  const bug = given.get("bug");
  return {
    seed: numberOf(given, "seed", 1),
    hours: numberOf(given, "hours", DEFAULT_HOURS, 0.01),
    jobs: numberOf(given, "jobs", 1),
    bug: bug === undefined ? null : bugNamed(bug),
    verbose: given.get("verbose") === "yes",
  };
}

/** A whole number, unless fractions from `least` on are allowed. */
function numberOf(given: ReadonlyMap<string, string>, name: string, otherwise: number, least = 1): number {
  const value = Number(given.get(name) ?? otherwise);
  if (!(value >= least) || (least === 1 && !Number.isInteger(value)))
    throw new Error(`"${name}" must be a number from ${least} on. ${USAGE}`);
  return value;
}
