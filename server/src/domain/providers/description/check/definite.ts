import type { Fault } from "../../settings/faults.ts";
import type { Condition, Conditions } from "../language/read.ts";
import type { NameContext } from "./check-names.ts";
import { conditionFaults } from "./check-readers.ts";

type Decides = "success" | "refusal";

const DECIDES: Readonly<Record<string, Decides>> = {
  success: "success",
  declined: "refusal",
  reversed: "refusal",
  not_found: "refusal",
};

/**
 * Why the conditions of a rule would also hold for answers that the provider never declared; null when they would not. `asks`:
 * the call only asks about a transaction, so that a refusal by its HTTP status alone is one of the question.
 */
export function indefiniteFault(means: string, conditions: Conditions, asks = false): string | null {
  const decides = DECIDES[means];
  if (decides === undefined) return null;
  if (Object.keys(conditions).length === 0) return `Every answer would be ${means}. Name the values that say so.`;
  if (!isDefinite(conditions, decides)) return `An answer that the provider never declared would be ${means}. ${NAME_A_VALUE}`;
  const { $http: _, ...values } = conditions;
  const isOfTransaction = !asks || means === "success" || means === "not_found" || isDefinite(values, decides);
  return isOfTransaction ? null : OF_THE_QUESTION;
}

const OF_THE_QUESTION =
  "The HTTP status of a call that asks about a transaction is about the question, such as too many of them. Name a value that says what became of the transaction.";

/** A provider that has no capacity for a question says nothing about what was sent before. */
export function busyFault(rule: { readonly means: string; readonly decline?: string | undefined }, asks: boolean): string | null {
  return asks && rule.means === "declined" && rule.decline === "busy" ? OF_NO_CAPACITY : null;
}

const OF_NO_CAPACITY =
  "A provider without capacity says nothing about a transaction that was sent before. Leave such an answer out, so that it is asked again.";

const NAME_A_VALUE =
  "Name a value that only such an answer has: not, absent and $count do not, and of the HTTP statuses alone only 400 to 499 are a refusal.";

/** The answers after which a call is repeated: such an answer must prove that nothing was done. */
export function unauthorizedFaults(rules: readonly Conditions[], place: string, context: NameContext): readonly Fault[] {
  return rules.flatMap((conditions, index) => [
    ...conditionFaults(conditions, `${place}[${index}]`, context),
    ...(isDefinite(conditions, "refusal")
      ? []
      : [{ path: `${place}[${index}]`, message: `A transaction would be sent twice after other answers too. ${NAME_A_VALUE}` }]),
  ]);
}

function isDefinite(conditions: Conditions, decides: Decides): boolean {
  const { $http: status, $count: _, ...values } = conditions;
  return Object.values(values).some(isNamed) || (status !== undefined && isProof(status, decides));
}

// A pattern that accepts one of these accepts nearly everything.
const MEANINGLESS = ["", "\u0001", "zq7"];

function isNamed(condition: Condition): boolean {
  if (typeof condition !== "object" || Array.isArray(condition)) return true;
  if ("is" in condition) return condition.is !== "absent";
  if ("matches" in condition) return !isWide(condition.matches);
  return !("not" in condition);
}

function isWide(pattern: string): boolean {
  try {
    const expression = new RegExp(pattern, "iu");
    return MEANINGLESS.some((text) => expression.test(text));
  } catch {
    // Reported by the check of regular expressions.
    return false;
  }
}

/** Rules apply to HTTP 200 anyway, and a proxy in between can produce 500 to 599. */
function isProof(condition: Condition, decides: Decides): boolean {
  if (typeof condition === "object" && !Array.isArray(condition)) return false;
  const [least, most] = decides === "success" ? [201, 299] : [400, 499];
  return [condition].flat().every((status) => Number(status) >= least && Number(status) <= most);
}
