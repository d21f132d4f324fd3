import type { AnswerFacts } from "@corprail/connector";
import type { ReadDefinition } from "../language/read.ts";
import { decimalText } from "./convert.ts";
import type { Place } from "./path.ts";
import { type ReadContext, readText } from "./read-value.ts";

/** What an answer carries besides its meaning; null or absent where it has none. */
export type Facts = {
  readonly message: string | null;
  readonly reference: string | null;
  readonly operatorRef: string | null;
  readonly answer: AnswerFacts;
};

export const NO_FACTS: Facts = { message: null, reference: null, operatorRef: null, answer: {} };

const LONGEST_REF = 200;

export function readFacts(read: ReadDefinition, place: Place, context: ReadContext, clean: (text: string) => string): Facts {
  const providerRef = readText(read.provider_ref, place, context);
  const balance = amountText(read.balance, place, context);
  const cost = amountText(read.cost, place, context);
  const answer: Writable<AnswerFacts> = {};
  if (providerRef !== null) answer.providerRef = clean(providerRef).slice(0, LONGEST_REF);
  if (balance !== null) answer.balance = balance;
  if (cost !== null) answer.cost = cost;
  return {
    message: readText(read.message, place, context),
    reference: readText(read.reference, place, context),
    operatorRef: readText(read.operator_ref, place, context),
    answer,
  };
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** An amount in rupees; what is not one is left out, because facts decide nothing. */
function amountText(reader: ReadDefinition["balance"], place: Place, context: ReadContext): string | null {
  if (reader === undefined) return null;
  const text = readText(reader, place, context);
  const isPaise = typeof reader === "object" && "unit" in reader && reader.unit === "paise";
  return text === null ? null : decimalText(text, isPaise ? -2 : 0);
}
