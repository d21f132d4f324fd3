import type { JsonValue } from "../../../../platform/core/strict-json.ts";

/** The part of JSON Schema that zod writes for the operations' values. */
export type Shape = {
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly default?: JsonValue;
};

export type Converted = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly why: string };

/** Whether the schema is that of an amount in rupees. */
export function isAmount(shape: Shape): boolean {
  return shape.pattern?.includes("{0,12})(?:\\.[0-9]{1,4})") === true;
}

const TRUE: ReadonlySet<string> = new Set(["true", "1", "yes", "y", "active", "enabled"]);
const FALSE: ReadonlySet<string> = new Set(["false", "0", "no", "n", "inactive", "disabled", ""]);

/** A provider's text as the type that the operation needs. Providers write numbers and booleans as text and the reverse. */
export function converted(text: string, shape: Shape, unit: "rupees" | "paise"): Converted {
  const shapes = shape.anyOf ?? [shape];
  const wanted = shapes.find(({ type }) => type !== "null") ?? shape;
  if (isAmount(wanted)) return amountOf(text, unit);
  switch (wanted.type) {
    case "boolean":
      return booleanOf(text);
    case "integer":
    case "number":
      return /^-?[0-9]+(?:\.[0-9]+)?$/.test(text.trim()) ? { ok: true, value: Number(text) } : { ok: false, why: "is not a number" };
    default:
      return { ok: true, value: text };
  }
}

function booleanOf(text: string): Converted {
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return { ok: true, value: true };
  return FALSE.has(word) ? { ok: true, value: false } : { ok: false, why: "is neither true nor false" };
}

function amountOf(text: string, unit: "rupees" | "paise"): Converted {
  const rupees = decimalText(text, unit === "paise" ? -2 : 0);
  return rupees === null ? { ok: false, why: "is not an amount" } : { ok: true, value: rupees };
}

const DECIMAL = /^([0-9]{1,15})(?:\.([0-9]{0,15}))?(?:[eE]\+?(-?[0-9]{1,2}))?$/;

/** An amount with at most four decimals; null for anything else. Nothing is rounded and nothing passes through a float. */
export function decimalText(text: string, shift = 0): string | null {
  const match = DECIMAL.exec(
    text
      .trim()
      .replace(/^(?:Rs\.?|INR|₹)\s*/i, "")
      .replaceAll(",", ""),
  );
  if (!match) return null;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent) + shift;
  const digits = `${"0".repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(Math.max(point, 0), "0");
  const split = Math.max(point, 1);
  const integer = digits.slice(0, split).replace(/^0+(?=[0-9])/, "");
  const decimals = withoutZeros(digits.slice(split));
  if (integer.length > 13 || decimals.length > 4) return null;
  return decimals === "" ? integer : `${integer}.${decimals}`;
}

// A loop, because an expression for final zeros takes quadratic time on a row of them.
function withoutZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals[end - 1] === "0") end -= 1;
  return decimals.slice(0, end);
}
