import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import { isNamed, type KnownName, type KnownNames } from "../request/known-names.ts";
import type { Given } from "../request/order-values.ts";
import { timeOf } from "../request/order-values.ts";

const SAMPLES: Readonly<Record<string, string>> = {
  ifsc: "HDFC0000001",
  account: "123456789012",
  mode: "IMPS",
  mobile: "9876543000",
  customer_mobile: "9876543000",
  name: "Asha Rao",
  first_name: "Asha",
  last_name: "Rao",
  email: "asha@example.com",
  date: "2026-01-31",
  gender: "F",
  title: "Ms",
  age: "30",
  seat: "1A",
  fare: "500",
  latitude: "19.0760",
  longitude: "72.8777",
  customer_ip: "203.0.113.9",
  biller_id: "BILLER-1",
};
// Digits fit the most places, also where a number is wanted.
const OTHER = "123456";

/** Sample values for what an operation needs and nobody gave. */
export function sampleValues(known: KnownNames, given: Given, now: number): Given {
  return (name) => {
    const value = given(name);
    const kind = known.get(name) ?? memberKind(known, name);
    if (value !== undefined || kind === undefined || isLeftOut(name)) return value;
    if (kind.kind === "many") return { kind: "many", items: sampleItems(kind) };
    const text = sampleText(name);
    return kind.kind === "time" ? { ...timeOf(now), text: name === "date" ? text : String(now) } : text;
  };
}

/** One of the values that a list has by name, such as params.consumer_no. */
function memberKind(known: KnownNames, name: string): KnownName | undefined {
  return isNamed(known.get(name.slice(0, Math.max(0, name.lastIndexOf("."))))) ? { kind: "text" } : undefined;
}

/** Without a circle the sample has none. */
function isLeftOut(name: string): boolean {
  return name === "circle";
}

function sampleText(name: string): string {
  return SAMPLES[name.slice(name.lastIndexOf(".") + 1)] ?? OTHER;
}

function sampleItems({ items = [] }: KnownName): readonly JsonValue[] | { readonly [name: string]: JsonValue } {
  if (isNamed({ kind: "many", items })) return { "Customer number": OTHER };
  if (items.length === 1) return [sampleText("seat")];
  return [Object.fromEntries(items.map((name) => [name, sampleText(name)]))];
}
