import type { Finding } from "../connector.ts";
import { maskBody } from "../masking/mask-body.ts";
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
  return Object.fromEntries(names.map((name) => [name, { current: shown(name, ours), candidate: shown(name, theirs) }]));
}

/** What is stored when the candidate failed instead of reading. */
export function failedReading(current: string, error: unknown): DifferingFields {
  return { outcome: { current, candidate: stored(`failed: ${String(error)}`) } };
}

/** The words of a pending or unknown answer decide nothing, and the time of a check depends on the clock. */
function fieldsOf(finding: Finding | { readonly kind: string }): Fields {
  const { kind } = finding;
  const text = (name: string) => {
    const value = (finding as Readonly<Record<string, unknown>>)[name];
    return value === undefined || value === null ? null : typeof value === "string" ? value : JSON.stringify(value);
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

// The others are references, amounts and words of ours.
const MASKED: ReadonlySet<string> = new Set(["reason", "result"]);
const MASK = { secrets: (text: string) => text, readable: [] };

/** Masked like the evidence of an attempt: a result can hold a bank account, a balance or a name. */
function shown(name: string, fields: Fields): string | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  return stored(MASKED.has(name) ? maskBody(value, MASK) : value);
}

const LONGEST = 300;

// PostgreSQL stores neither a NUL character nor half of a character that was cut.
function stored(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, LONGEST)
    .toWellFormed();
}
