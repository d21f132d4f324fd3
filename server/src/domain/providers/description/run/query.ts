import { QUERIES, type QueryName, type QueryResult } from "@corprail/connector";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Recorder } from "../../connector.ts";
import type { PagesDefinition, QueryDefinition } from "../language/operations.ts";
import type { QueryRule } from "../language/rules.ts";
import { allHold, lookupIn } from "../read/conditions.ts";
import type { Shape } from "../read/convert.ts";
import { scalarText } from "../read/path.ts";
import { readMembers, readValue } from "../read/read-value.ts";
import { inputValues } from "../request/order-values.ts";
import type { Engine, Run } from "./engine.ts";
import { applies, performStep, type StepAnswer } from "./perform-step.ts";
import { type Plan, queryPlan } from "./plan.ts";

const SHAPES = new Map<QueryName, Shape>();

/** The form that the value of a query must have. */
export function valueShape(name: QueryName): Shape {
  const known = SHAPES.get(name) ?? (z.toJSONSchema(QUERIES[name].value, { io: "input" }) as Shape);
  SHAPES.set(name, known);
  return known;
}

type Asked = { readonly input: JsonObject; readonly signal: AbortSignal; readonly record: Recorder | undefined };

/** Asks for data, page by page where the description says so. Never throws. */
export async function runQuery(engine: Engine, name: QueryName, definition: QueryDefinition, asked: Asked): Promise<QueryResult> {
  if (definition.fixed !== undefined) return fixedAnswer(name, definition.fixed);
  const plan = queryPlan(engine.definition, name, definition);
  if (definition.pages === undefined) return checked(name, await onePage(engine, name, definition, plan, asked, new Map()));
  return checked(name, await allPages(engine, name, definition, plan, asked, definition.pages));
}

type Page =
  | { readonly kind: "read"; readonly value: JsonObject; readonly answered: StepAnswer<QueryRule> }
  | Exclude<QueryResult, { readonly kind: "answered" }>;

async function onePage(
  engine: Engine,
  name: QueryName,
  definition: QueryDefinition,
  plan: Plan<QueryRule>,
  { input, signal, record }: Asked,
  page: ReadonlyMap<string, string>,
): Promise<Page> {
  const run: Run = { given: inputValues(input), isQuery: true, checksCircle: false, signal, record, readable: [], saved: new Map(), page };
  for (const step of plan.steps) {
    if (!applies(step, run)) continue;
    const result = await performStep(engine, step, run, plan);
    if (result.kind === "unbuilt") return { kind: "unavailable", why: `the query could not be written: ${result.why}` };
    if (result.kind !== "answered") return { kind: "unavailable", why: result.why };
    const read = readAnswer(engine, name, definition, result);
    if (read !== null) return read;
  }
  return { kind: "unavailable", why: "no step of the description gave an answer" };
}

/** What an answer to a query says; null when the next step follows. The dry run uses it for sample answers. */
export function readAnswer(
  engine: Pick<Engine, "clean">,
  name: QueryName,
  definition: QueryDefinition,
  answered: StepAnswer<QueryRule>,
): Page | null {
  const { rule, why, facts, place, context } = answered;
  const words = () => (facts.message === null ? why() : engine.clean(facts.message));
  if (rule === null) return { kind: "unavailable", why: why() };
  switch (rule.means) {
    case "continue":
      return null;
    case "unavailable":
      return { kind: "unavailable", why: words() };
    case "refused":
      return { kind: "refused", reason: words(), ...(rule.code ? { code: rule.code } : {}) };
    case "answered": {
      const read = readMembers({ ...definition.value, ...rule.value }, place, valueShape(name), context);
      if (!read.ok) return { kind: "unavailable", why: `the answer's ${read.at} ${engine.clean(read.why)}` };
      return { kind: "read", value: (read.value ?? {}) as JsonObject, answered };
    }
  }
}

/** Validates by the operation's schema, which also fills in its defaults. */
export function checked(name: QueryName, page: Page): QueryResult {
  return page.kind === "read" ? fixedAnswer(name, page.value) : page;
}

/** An answer as the operation needs it. One that the description has written out is checked when it is saved. */
export function fixedAnswer(name: QueryName, value: unknown): QueryResult {
  const parsed = QUERIES[name].value.safeParse(value);
  if (parsed.success) return { kind: "answered", value: parsed.data as JsonValue };
  const [issue] = parsed.error.issues;
  return {
    kind: "unavailable",
    why: `the answer's ${issue?.path.join(".") || "value"} is not usable: ${issue?.message ?? "it has another form"}`,
  };
}

const MOST_ITEMS = 100_000;

async function allPages(
  engine: Engine,
  name: QueryName,
  definition: QueryDefinition,
  plan: Plan<QueryRule>,
  asked: Asked,
  pages: PagesDefinition,
): Promise<Page> {
  let cursor = "";
  let whole: Extract<Page, { readonly kind: "read" }> | null = null;
  for (let read = 0; read < pages.limit; read++) {
    const page = await onePage(engine, name, definition, plan, asked, pageValues(pages, read, cursor));
    // Half a list would look like a whole one, so every page must be read.
    if (page.kind !== "read") return page;
    const items = itemCount(page.value);
    whole = whole === null ? page : { ...page, value: joined(whole.value, page.value) };
    if (itemCount(whole.value) > MOST_ITEMS) return { kind: "unavailable", why: `the list has more than ${MOST_ITEMS} items` };
    const next = nextCursor(pages, page.answered);
    if (next === UNREADABLE) return { kind: "unavailable", why: "where the next page begins cannot be read" };
    if (isLast(pages, page.answered, items, next, cursor)) return whole;
    cursor = next ?? "";
  }
  return { kind: "unavailable", why: `the list has more than ${pages.limit} pages` };
}

function pageValues(pages: PagesDefinition, read: number, cursor: string): ReadonlyMap<string, string> {
  const offset = read * pages.size;
  const values: readonly [string, string][] = [
    ["number", String(pages.first + read)],
    ["offset", String(offset)],
    ["size", String(pages.size)],
  ];
  return new Map(cursor === "" ? values : [...values, ["cursor", cursor]]);
}

const UNREADABLE = Symbol("unreadable");

/** Null on the last page. A cursor that cannot be read is not the end of the list. */
function nextCursor({ next }: PagesDefinition, { place, context }: StepAnswer<QueryRule>): string | null | typeof UNREADABLE {
  if (next === undefined) return null;
  const read = readValue(next, place, {}, context);
  return read.ok ? scalarText(read.value) : UNREADABLE;
}

function isLast(pages: PagesDefinition, answered: StepAnswer<QueryRule>, items: number, next: string | null, cursor: string): boolean {
  const { place, context } = answered;
  if (pages.last_when !== undefined && allHold(pages.last_when, lookupIn(place, context.scope), context.ignoreCase)) return true;
  // A cursor that does not move would be asked for ever.
  if (pages.by === "cursor") return next === null || next === cursor;
  return items === 0 || (pages.last_when === undefined && items < pages.size);
}

function itemCount(value: JsonObject): number {
  return Object.values(value).reduce<number>((most, member) => Math.max(most, Array.isArray(member) ? member.length : 0), 0);
}

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const members = Object.entries(other).map(([name, value]): [string, JsonValue] => {
    const before = one[name];
    return [name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value];
  });
  return { ...one, ...Object.fromEntries(members) };
}
