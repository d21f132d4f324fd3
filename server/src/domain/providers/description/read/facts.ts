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
  const text = (name: "message" | "reference" | "provider_ref" | "operator_ref") => readText(read[name], place, context);
  const providerRef = text("provider_ref");
  const balance = amountText(read.balance, place, context);
  const cost = amountText(read.cost, place, context);
  return {
    message: text("message"),
    reference: text("reference"),
    operatorRef: text("operator_ref"),
    answer: {
      ...(providerRef === null ? {} : { providerRef: clean(providerRef).slice(0, LONGEST_REF) }),
      ...(balance === null ? {} : { balance }),
      ...(cost === null ? {} : { cost }),
    },
  };
}

/** An amount in rupees; what is not one is left out, because facts decide nothing. */
function amountText(reader: ReadDefinition["balance"], place: Place, context: ReadContext): string | null {
  const text = readText(reader, place, context);
  const isPaise = typeof reader === "object" && "unit" in reader && reader.unit === "paise";
  return text === null ? null : decimalText(text, isPaise ? -2 : 0);
}
