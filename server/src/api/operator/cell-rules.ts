import { formatMoney, requireMoney } from "../../platform/core/money.ts";
import { mergePages, type Page } from "../sites/lists.ts";
import type { CellRule } from "./action.ts";

type Limited = { readonly limit: number };

/** A list whose newest items come first. */
export const MERGED_LIST = {
  kind: "list",
  merge: (pages: readonly Page<unknown>[], { limit }: Limited) => mergePages(pages, limit),
} as const satisfies CellRule;

/** A list in ascending order. */
export const MERGED_ASCENDING: CellRule = {
  kind: "list",
  merge: (pages: readonly Page<unknown>[], { limit }: Limited) => mergePages(pages, limit, "ascending"),
};

/**
 * Adds the numbers and amounts of an output, field by field. Lists of named items are added by name, other lists are joined;
 * a boolean is true if it is true in every cell. Other texts are those of home.
 */
export const SUMMED = {
  kind: "sum",
  // biome-ignore lint/suspicious/noExplicitAny: the result has the type of what is added.
  merge: (results: readonly any[]): any => results.reduce(addValues),
} as const satisfies CellRule;

function addValues(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (typeof one === "boolean" && typeof other === "boolean") return one && other;
  if (typeof one === "string" && typeof other === "string") return isAmount(one) && isAmount(other) ? addAmounts(one, other) : one;
  if (Array.isArray(one) && Array.isArray(other)) return addLists(one, other);
  if (!isRecord(one) || !isRecord(other)) return one;
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, addValues(value, other[name])]));
}

function addLists(one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const nameOf = (item: unknown) => (isRecord(item) && typeof item["name"] === "string" ? item["name"] : null);
  const rest = other.filter((item) => nameOf(item) === null || !one.some((own) => nameOf(own) === nameOf(item)));
  const added = one.map((own) => {
    const same = nameOf(own) === null ? undefined : other.find((item) => nameOf(item) === nameOf(own));
    return same === undefined ? own : addValues(own, same);
  });
  return [...added, ...rest];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isAmount(text: string): boolean {
  return /^-?[0-9]+\.[0-9]{2,4}$/.test(text);
}

function addAmounts(one: string, other: string): string {
  return formatMoney(signedMoney(one) + signedMoney(other));
}

function signedMoney(text: string): bigint {
  const money = requireMoney(text.replace(/^-/, ""));
  return text.startsWith("-") ? -money : money;
}
