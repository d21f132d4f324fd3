import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../connector.ts";
import { stableHash } from "../routing/stable-hash.ts";

/** The fields of a success. They depend on the order only, so that reports, polls and restarts agree. */
export type SuccessFields = { readonly operatorRef: string; readonly result?: JsonObject };

const BY_SERVICE: Readonly<Record<string, (request: ProviderRequest) => SuccessFields>> = {
  bills: ({ reference }) => ({ operatorRef: `BB${digitsOf(reference, 14)}` }),
  transfers: ({ reference, operation, details }) => ({
    operatorRef: digitsOf(reference, 12),
    ...(operation === "penny_drop" ? { result: { verified_name: holderOf(details) } } : {}),
  }),
  bus: ({ reference }) => ({ operatorRef: `PNR${digitsOf(reference, 8)}` }),
  aeps: ({ reference, operation, createdAt }) => ({
    // A retrieval reference number has twelve digits.
    operatorRef: digitsOf(reference, 12),
    result: { customer_balance: balanceOf(reference), entries: operation === "mini_statement" ? entriesOf(reference, createdAt) : [] },
  }),
};

export function successFieldsOf(request: ProviderRequest): SuccessFields {
  const own = Object.hasOwn(BY_SERVICE, request.service) ? BY_SERVICE[request.service] : undefined;
  return own ? own(request) : { operatorRef: `SIM${digitsOf(request.reference, 12)}` };
}

function digitsOf(reference: string, count: number): string {
  let text = "";
  for (let seed = 1; text.length < count; seed++) text += (stableHash(reference, seed) % 1_000_000).toString().padStart(6, "0");
  return text.slice(0, count);
}

/** The account holder named in the request. After a restart the details are gone, so a poll returns no name. */
function holderOf(details: JsonObject | undefined): string {
  const given = details?.["beneficiary_name"];
  return typeof given === "string" ? given.toUpperCase() : "ACCOUNT HOLDER";
}

const RUPEE = 10_000n;

function balanceOf(reference: string): string {
  return formatMoney(BigInt(500 + (stableHash(reference, 7) % 50_000)) * RUPEE);
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const NARRATIONS = ["UPI", "ATM WDL", "NEFT", "CASH DEP", "INTEREST"] as const;
const ENTRIES = 5;

function entriesOf(reference: string, createdAt: number): readonly JsonObject[] {
  return Array.from({ length: ENTRIES }, (_, place) => {
    const drawn = stableHash(reference, 20 + place);
    return {
      date: new Date(createdAt - (place + 1) * DAY_MILLISECONDS).toISOString().slice(0, 10),
      type: drawn % 2 === 0 ? "DR" : "CR",
      amount: formatMoney(BigInt(50 + (drawn % 5_000)) * RUPEE),
      narration: NARRATIONS[drawn % NARRATIONS.length] ?? "UPI",
    };
  });
}
