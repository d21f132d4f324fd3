import type { FileShape } from "./file-shape.ts";
import { type Mapping, MEANINGS, meaningsOf, plainWord } from "./mapping.ts";

/** A possibly incomplete mapping, for staff to complete. */
export type Proposal = Omit<Mapping, "amount" | "status"> & { readonly amount: string | null; readonly status: string | null };

// The format of ids.ts.
const ORDER_ID = /^[0-9A-HJKMNP-TV-Z]{18,19}$/;

// The first pattern that matches a header wins; each column is used once.
const NAMES = {
  amount: [/^(txn|transaction|recharge|order|bill)? ?(amount|amt|value)( \(?(inr|rs)\)?)?$/, /amount|amt/],
  status: [/^(txn|transaction|order|recharge)? ?status$/, /status|result|state$/],
  reference: [
    /(client|merchant|partner|agent|our|api|corporate|customer) ?(txn|transaction|order|request|ref)/,
    /order ?id|request ?id|reference|urid/,
  ],
  provider_reference: [
    /operator|provider|bank|rrn|utr|bbps|npci|live ?id|op ?id/,
    /(txn|transaction) ?(id|no|ref)/,
    /\bref\b|ref ?(id|no)/,
  ],
} as const;

const WORDS = {
  success: /^(success|successful|succeeded|ok|okay|done|complete|completed|processed|settled|approved|paid|captured|credited)$/,
  failed: /^(fail|failed|failure|declined|rejected|error|reversed|refunded|refund|cancelled|canceled|returned)$/,
  pending: /^(pending|processing|in process|in progress|initiated|accepted|awaited|suspect|hold|on hold|timeout|timed out)$/,
} as const;

/** Proposes a mapping: the one of the provider's last file, otherwise by column names and contents. */
export function proposeMapping(shape: FileShape, last: Mapping | null): Proposal {
  const columns = (last && lastColumns(shape, last)) ?? columnsByName(shape);
  const present = shape.columns.find((column) => column.name === columns.status)?.words ?? [];
  const meant = last ? meaningsOf(last) : new Map<string, string>();
  const wordsOf = (meaning: (typeof MEANINGS)[number]) => present.filter((word) => (meant.get(plainWord(word)) ?? guess(word)) === meaning);
  return { ...columns, success: wordsOf("success"), failed: wordsOf("failed"), pending: wordsOf("pending") };
}

type Columns = Pick<Proposal, "reference" | "provider_reference" | "amount" | "status">;

function lastColumns(shape: FileShape, { reference, provider_reference, amount, status }: Mapping): Columns | null {
  const names = new Set(shape.columns.map((column) => column.name));
  const wanted = [reference, provider_reference, amount, status];
  return wanted.every((name) => name === null || names.has(name)) ? { reference, provider_reference, amount, status } : null;
}

function columnsByName(shape: FileShape): Columns {
  const taken = new Set<string>();
  const take = (name: string | undefined): string | null => {
    if (name === undefined) return null;
    taken.add(name);
    return name;
  };
  const byName = (patterns: readonly RegExp[]) => {
    const free = shape.columns.map((column) => column.name).filter((name) => !taken.has(name));
    for (const pattern of patterns) {
      const found = free.find((name) => pattern.test(plainWord(name.replaceAll(/[_.-]/g, " "))));
      if (found !== undefined) return take(found);
    }
    return null;
  };
  const reference = take(columnOfOrderIds(shape));
  const [amount, status] = [byName(NAMES.amount), byName(NAMES.status)];
  return { reference: reference ?? byName(NAMES.reference), amount, status, provider_reference: byName(NAMES.provider_reference) };
}

/** Only our order ids have this format. */
function columnOfOrderIds({ columns, examples }: FileShape): string | undefined {
  return columns.find((_, place) => {
    const cells = examples.map((example) => example.cells[place]?.trim() ?? "").filter((cell) => cell !== "");
    return cells.length > 0 && cells.every((cell) => ORDER_ID.test(cell));
  })?.name;
}

function guess(word: string): (typeof MEANINGS)[number] | null {
  return MEANINGS.find((meaning) => WORDS[meaning].test(plainWord(word))) ?? null;
}
