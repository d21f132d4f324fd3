import { z } from "zod";
import type { FileShape } from "./file-shape.ts";

const columnName = z.string().min(1).max(200);
const words = z.array(z.string().max(40)).max(24);

/** Which column has which meaning, and what the words of the status column mean. */
export const mapping = z.strictObject({
  /** Our order id, which is the reference that every provider gets. */
  reference: columnName.nullable(),
  /** The provider's own reference. */
  provider_reference: columnName.nullable(),
  amount: columnName,
  status: columnName,
  success: words,
  failed: words,
  pending: words,
});
export type Mapping = z.infer<typeof mapping>;

export const MEANINGS = ["success", "failed", "pending"] as const;
type Meaning = (typeof MEANINGS)[number];
const COLUMNS = ["reference", "provider_reference", "amount", "status"] as const;
type ColumnUse = (typeof COLUMNS)[number];

/** Words are compared without case and surrounding spaces. */
export function plainWord(word: string): string {
  return word.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

export type Faults = Readonly<Record<string, string>>;

/** Checks a mapping against the file. Returns the faults by field; null when there are none. */
export function checkMapping(wanted: Mapping, shape: FileShape): Faults | null {
  const faults: Record<string, string> = {};
  const names = shape.columns.map((column) => column.name);
  const used = new Map<string, ColumnUse>();
  for (const use of COLUMNS) {
    const name = wanted[use];
    if (name === null) continue;
    const other = used.get(name);
    if (!names.includes(name)) faults[use] = `The file has no column ${name}.`;
    else if (other) faults[use] = `The column is already used as the ${other.replace("_", " ")}.`;
    used.set(name, use);
  }
  if (wanted.reference === null && wanted.provider_reference === null)
    faults["reference"] = "Choose the column of our order id, or of the provider's reference.";
  if (!faults["status"]) Object.assign(faults, wordFaults(wanted, shape));
  return Object.keys(faults).length > 0 ? faults : null;
}

function wordFaults(wanted: Mapping, shape: FileShape): Faults {
  const faults: Record<string, string> = {};
  const meant = meaningsOf(wanted);
  for (const meaning of MEANINGS) {
    const double = wanted[meaning].find((word) => meant.get(plainWord(word)) !== meaning);
    if (double !== undefined) faults[meaning] = `The word ${double} has two meanings.`;
  }
  if (wanted.success.length === 0) faults["success"] = "Say which word means success.";
  const present = shape.columns.find((column) => column.name === wanted.status)?.words;
  if (!present) return { ...faults, status: "The column has too many different values to be a status." };
  const open = present.filter((word) => !meant.has(plainWord(word)));
  if (open.length > 0) faults["status"] = `Say what these words mean: ${open.map((word) => word || "(empty)").join(", ")}.`;
  return faults;
}

/** The meaning of each word; the first one when a word has two. */
export function meaningsOf(wanted: Mapping): ReadonlyMap<string, Meaning> {
  const meant = new Map<string, Meaning>();
  for (const meaning of MEANINGS) for (const word of wanted[meaning]) if (!meant.has(plainWord(word))) meant.set(plainWord(word), meaning);
  return meant;
}
