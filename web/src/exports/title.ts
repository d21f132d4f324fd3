import { exportsText } from "../messages/en/exports.ts";
import { fill } from "../messages/fill.ts";

// What the service adds to the input of an export.
const NOT_FILTERS = ["from", "to", "at", "from_milliseconds", "to_milliseconds"];

/** The title of an export of transactions, such as "Transactions 2026-11-01 to 2026-11-07, SUCCESS". */
export function exportTitle(input: Readonly<Record<string, unknown>>): string {
  const { from, to } = input;
  const filters = Object.entries(input).filter(([name, value]) => !NOT_FILTERS.includes(name) && value !== null);
  return [
    fill(exportsText.transactions, {
      period: from === to ? String(from) : fill(exportsText.period, { from: String(from), to: String(to) }),
    }),
    ...filters.map(([, value]) => value),
  ].join(", ");
}
