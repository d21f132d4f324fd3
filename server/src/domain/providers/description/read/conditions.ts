import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Condition, Conditions } from "../language/read.ts";
import type { Scope } from "../template/render.ts";
import { boundedMatch } from "./bounded-match.ts";
import { listOf, type Place, scalarText, valueAt } from "./path.ts";

export type Lookup = (path: string) => JsonValue | undefined;

export function lookupIn(place: Place, scope: Scope): Lookup {
  return (path) => valueAt(place, path, scope);
}

/** Whether all conditions hold. A condition whose expression takes too long does not. */
export function allHold(conditions: Conditions, lookup: Lookup, ignoreCase: boolean): boolean {
  return verdictOn(conditions, lookup, ignoreCase) === true;
}

/** `unsure`: an expression took too long, and no other condition fails. */
type Verdict = boolean | "unsure";

function verdictOn(conditions: Conditions, lookup: Lookup, ignoreCase: boolean): Verdict {
  let all: Verdict = true;
  for (const path in conditions) {
    const condition = conditions[path];
    const verdict = condition !== undefined && holds(condition, lookup(path), ignoreCase);
    if (verdict === false) return false;
    if (verdict === "unsure") all = verdict;
  }
  return all;
}

function holds(condition: Condition, value: JsonValue | undefined, ignoreCase: boolean): Verdict {
  if (typeof condition === "object" && "is" in condition) return isKind(condition.is, value);
  const text = scalarText(value);
  if (text === null) return false;
  const fold = (one: string) => (ignoreCase ? one.toLowerCase() : one);
  if (typeof condition !== "object") return fold(String(condition)) === fold(text.trim());
  const isAny = (wanted: readonly (string | number | boolean)[]) => wanted.some((one) => fold(String(one)) === fold(text.trim()));
  if (Array.isArray(condition)) return isAny(condition);
  if ("not" in condition) return !isAny(Array.isArray(condition.not) ? condition.not : [condition.not]);
  if ("starts_with" in condition) return fold(text).startsWith(fold(condition.starts_with));
  if ("contains" in condition) return fold(text).includes(fold(condition.contains));
  return "matches" in condition ? matches(condition.matches, text, ignoreCase) : false;
}

function isKind(kind: "present" | "absent" | "empty_list" | "nonempty_list", value: JsonValue | undefined): boolean {
  switch (kind) {
    case "present":
      return value !== undefined && value !== "";
    case "absent":
      return value === undefined || value === "";
    case "empty_list":
      return Array.isArray(value) && value.length === 0;
    case "nonempty_list":
      return typeof value === "object" && listOf(value).length > 0;
  }
}

function matches(pattern: string, text: string, ignoreCase: boolean): Verdict {
  const match = boundedMatch(new RegExp(pattern, ignoreCase ? "iu" : "u"), text);
  return match === "too long" ? "unsure" : match !== null;
}

/**
 * The first rule whose conditions all hold; null when there is none. A rule that does not mention $http applies to HTTP 200
 * only, because other statuses are definite only where the description says so. If nobody can tell whether a rule applies, no
 * later one does.
 */
export function firstRule<Rule extends { readonly when: Conditions }>(
  rules: readonly Rule[],
  lookup: Lookup,
  ignoreCase: boolean,
): Rule | null {
  const isUsual = scalarText(lookup("$http")) === "200";
  for (const rule of rules) {
    const verdict = (isUsual || Object.hasOwn(rule.when, "$http")) && verdictOn(rule.when, lookup, ignoreCase);
    if (verdict !== false) return verdict === true ? rule : null;
  }
  return null;
}

const MOST_NAMED = 6;

/** The values that no rule covers, for staff. */
export function undeclared(rules: readonly { readonly when: Conditions }[], lookup: Lookup, clean: (text: string) => string): string {
  const paths = [...new Set(["$http", ...rules.flatMap((rule) => Object.keys(rule.when))])].slice(0, MOST_NAMED);
  const values = paths.map((path) => `${path} ${shown(lookup(path), clean)}`);
  return `no rule covers ${values.join(", ")}`;
}

/** The values that made a rule apply, for staff. */
export function metConditions(rule: { readonly when: Conditions }, lookup: Lookup, clean: (text: string) => string): string {
  const paths = Object.keys(rule.when).slice(0, MOST_NAMED);
  return paths.length === 0 ? "any other answer" : paths.map((path) => `${path} ${shown(lookup(path), clean)}`).join(", ");
}

const MOST_SHOWN = 60;

function shown(value: JsonValue | undefined, clean: (text: string) => string): string {
  const text = scalarText(value);
  if (text !== null) return JSON.stringify(clean(text).slice(0, MOST_SHOWN));
  if (value === undefined) return "(absent)";
  return Array.isArray(value) ? `(a list of ${value.length})` : "(an object)";
}
