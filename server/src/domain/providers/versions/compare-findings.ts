import type { Finding } from "../connector.ts";
import type { DifferingFields } from "./version-store.ts";

type Fields = Readonly<Record<string, string | null>>;

/** What of two readings of one answer differs; null when nothing that matters does. */
export function compareFindings(
  current: Finding | { readonly kind: string },
  candidate: Finding | { readonly kind: string },
): DifferingFields | null {
  const [ours, theirs] = [fieldsOf(current), fieldsOf(candidate)];
  const names = Object.keys({ ...ours, ...theirs }).filter((name) => (ours[name] ?? null) !== (theirs[name] ?? null));
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, { current: ours[name] ?? null, candidate: theirs[name] ?? null }]));
}

/** The words of a pending or unknown answer decide nothing, and the time of a check depends on the clock. */
function fieldsOf(finding: Finding | { readonly kind: string }): Fields {
  const { kind } = finding;
  const text = (name: string) => {
    const value = (finding as Readonly<Record<string, unknown>>)[name];
    return value === undefined || value === null ? null : shown(typeof value === "string" ? value : JSON.stringify(value));
  };
  const reason = kind === "declined" || kind === "reversed" ? text("reason") : null;
  return {
    outcome: kind,
    operator_ref: text("operatorRef"),
    provider_ref: text("providerRef"),
    reason,
    failure: text("failure"),
    decline: text("decline"),
    cost: text("cost"),
    balance: text("balance"),
    result: text("result"),
  };
}

const LONGEST = 300;

// PostgreSQL cannot store a NUL character.
function shown(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, " ").slice(0, LONGEST);
}
