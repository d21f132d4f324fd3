import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Conditions, ReadDefinition } from "../../description/language/read.ts";
import { firstRule, lookupIn } from "../../description/read/conditions.ts";
import { openAnswer } from "../../description/read/open-answer.ts";
import { scalarText } from "../../description/read/path.ts";
import type { RenderedSample } from "../../description/samples/render-sample.ts";
import type { Scope } from "../../description/template/render.ts";

type RuleLike = { readonly when: Conditions; readonly means: string };

/** An answer and what it is read with. */
export type ReadAnswer = {
  readonly answer: RenderedSample;
  readonly read: ReadDefinition;
  readonly rules: readonly RuleLike[];
  readonly scope: Scope;
};

/** The rule that a description applies to an answer; null when there is none. */
export function ruleFor({ answer, read, rules, scope }: ReadAnswer): RuleLike | null {
  return firstRule(rules, lookupOf({ answer, read, scope }), read.ignore_case === true);
}

function lookupOf({ answer, read, scope }: Omit<ReadAnswer, "rules">) {
  const document = openAnswer(read, { body: answer.body, endMarked: true }, scope);
  const tree = document.ok ? document.tree : null;
  return lookupIn({ root: tree, here: tree, http: answer.status }, scope);
}

const UNDECLARED = "UNDECLARED";
// A status that providers do not use, for a description that goes by the HTTP status alone.
const UNDECLARED_HTTP = 299;

/** The same answer with other values where its rule looks, or without them. */
export function withoutMeaning(given: ReadAnswer, how: "replaced" | "removed"): RenderedSample {
  const { answer } = given;
  const deciding = decidingValues(given);
  if (deciding.size === 0) return { ...answer, status: UNDECLARED_HTTP };
  // A value that only has to be present says nothing by itself, so another one would mean the same.
  const isNamed = [...deciding.values()].some((isWanted) => isWanted);
  const values = new Set(deciding.keys());
  const text = altered(answer.body.toString("utf8"), values, how === "removed" || !isNamed ? undefined : UNDECLARED);
  return { ...answer, body: Buffer.from(text) };
}

/** The values that made the rule apply, each with whether the rule names it. */
function decidingValues(given: ReadAnswer): ReadonlyMap<string, boolean> {
  const lookup = lookupOf(given);
  const conditions = Object.entries(ruleFor(given)?.when ?? {}).filter(([path]) => path !== "$http" && path !== "$count");
  const values = conditions.flatMap(([path, condition]): readonly [string, boolean][] => {
    const text = scalarText(lookup(path))?.trim() ?? "";
    return text === "" ? [] : [[text, !(typeof condition === "object" && "is" in condition)]];
  });
  return new Map(values);
}

function altered(text: string, values: ReadonlySet<string>, replacement: string | undefined): string {
  const json = parsed(text);
  const changed = json === undefined ? text : JSON.stringify(alteredJson(json, values, replacement));
  if (json !== undefined && changed !== JSON.stringify(json)) return changed;
  return [...values].reduce((rest, value) => rest.replace(standingAlone(value), replacement ?? ""), text);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function alteredJson(value: JsonValue, values: ReadonlySet<string>, replacement: string | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item: JsonValue) => alteredJson(item, values, replacement) ?? null);
  if (typeof value !== "object" || value === null) return values.has(String(value)) ? replacement : value;
  const members = Object.entries(value).flatMap(([name, member]): readonly [string, JsonValue][] => {
    const other = alteredJson(member as JsonValue, values, replacement);
    return other === undefined ? [] : [[name, other]];
  });
  return Object.fromEntries(members);
}

/** A value in XML, in a form or between separators, but not as a part of another one. */
function standingAlone(value: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9.])${value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}(?![A-Za-z0-9]|\\.[0-9])`, "g");
}
