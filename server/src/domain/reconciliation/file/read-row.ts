import { type Money, parseMoney } from "../../../platform/core/money.ts";
import { type OrderState, stateNumber } from "../../orders/order.ts";
import type { CsvRecord } from "./csv-reader.ts";
import { type Mapping, meaningsOf, plainWord } from "./mapping.ts";

/** The content of a line. */
export type Row = {
  readonly item: number;
  readonly text: string;
  readonly reference: string | null;
  readonly providerReference: string | null;
  readonly amount: Money | null;
  readonly status: number | null;
  /** Why the line cannot be interpreted; null when it can. */
  readonly unclear: string | null;
};

const STATES: Readonly<Record<string, OrderState>> = { success: "SUCCESS", failed: "FAILED", pending: "pending" };
const MAX_REFERENCE_LENGTH = 64;

/** Reads lines with a mapping that matches the file. */
export function rowReader(mapping: Mapping, names: readonly string[]): (record: CsvRecord) => Row {
  const meant = meaningsOf(mapping);
  const cellOf = (record: CsvRecord, name: string | null) => (name === null ? "" : (record.cells[names.indexOf(name)] ?? "").trim());
  return (record) => {
    const [reference, providerReference] = [cellOf(record, mapping.reference), cellOf(record, mapping.provider_reference)];
    const amount = readAmount(cellOf(record, mapping.amount));
    const meaning = meant.get(plainWord(cellOf(record, mapping.status)));
    const state = meaning && STATES[meaning];
    return {
      item: record.line,
      text: record.text,
      reference: kept(reference),
      providerReference: kept(providerReference),
      amount,
      status: state ? stateNumber(state) : null,
      unclear: whyUnclear(reference || providerReference, amount, state),
    };
  };
}

function kept(reference: string): string | null {
  return reference === "" ? null : reference.slice(0, MAX_REFERENCE_LENGTH);
}

function whyUnclear(reference: string, amount: Money | null, state: OrderState | undefined): string | null {
  if (reference === "") return "It has neither an order id nor a provider reference.";
  if (reference.length > MAX_REFERENCE_LENGTH) return `Its reference is longer than ${MAX_REFERENCE_LENGTH} characters.`;
  if (amount === null) return "Its amount is not valid.";
  return state ? null : "Its status word has no meaning in the mapping.";
}

// Grouped in the Indian style, by thousands or not at all. The last group has three digits, so 100,50 is not valid.
const GROUPED = /^[0-9]{1,3}(?:(?:,[0-9]{2})*|(?:,[0-9]{3})*),[0-9]{3}(?:\.[0-9]+)?$/;
const CURRENCY = /^(?:₹|rs\.?|inr)\s*/i;

/** An amount as providers write it; null when it is not valid. */
export function readAmount(text: string): Money | null {
  const bare = text.replace(CURRENCY, "");
  const plain = GROUPED.test(bare) ? bare.replaceAll(",", "") : bare;
  return parseMoney(plain.replace(/^0+(?=[0-9])/, "").replace(/(\.[0-9]{4})0+$/, "$1"));
}
