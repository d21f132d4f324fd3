import { isTransaction, type OperationName, QUERIES, type QueryName, type TransactionName } from "@corprail/connector";
import { z } from "zod";
import type { ValueKind } from "../template/value.ts";

/** A value that an operation's requests may use: its kind and, for a list, the names of an item's members. */
export type KnownName = { readonly kind: ValueKind; readonly items?: readonly string[] };
export type KnownNames = ReadonlyMap<string, KnownName>;

const TEXT: KnownName = { kind: "text" };
const AMOUNT: KnownName = { kind: "amount" };
const TIME: KnownName = { kind: "time" };
/** Named values, such as the customer's parameters of a bill. */
const NAMED: KnownName = { kind: "many", items: ["name", "value"] };
/** Whether each value has a name of its own, by which a placeholder can choose it. */
export function isNamed(known: KnownName | undefined): boolean {
  return known?.kind === "many" && known.items?.length === 2 && known.items.includes("name") && known.items.includes("value");
}
const VALUES: KnownName = { kind: "many", items: ["value"] };

/** What every call has: the present time and values that are new for each call. */
const OF_EVERY_CALL: KnownNames = new Map([
  ["now", TIME],
  ["unique_id", TEXT],
  ["unique_number", TEXT],
]);

const OF_EVERY_TRANSACTION: KnownNames = new Map([
  ["reference", TEXT],
  ["service", TEXT],
  ["operator", TEXT],
  ["target", TEXT],
  ["amount", AMOUNT],
  ["circle", TEXT],
  ["created_at", TIME],
  ["details.customer_ip", TEXT],
  ["details.latitude", TEXT],
  ["details.longitude", TEXT],
]);

const texts = (...names: readonly string[]): readonly (readonly [string, KnownName])[] => names.map((name) => [name, TEXT]);
const AEPS = texts("outlet_id", "outlet_mobile", "agent_code", "bank_iin", "aadhaar", "pid", "consent", "auth_ref", "otp", "otp_ref");
const ACCOUNT = texts(
  "account",
  "ifsc",
  "mode",
  "beneficiary_name",
  "beneficiary_mobile",
  "beneficiary_ref",
  "sender_mobile",
  "sender_name",
  "sender_pincode",
);

/** What each service adds to its orders, used as {details.name}. */
const DETAILS: Readonly<Record<TransactionName, readonly (readonly [string, KnownName])[]>> = {
  "recharge.pay": [],
  "bills.pay": [
    ...texts("fetch_ref", "fetch_provider_ref", "customer_mobile", "customer_name", "bill_number", "bill_date", "due_date"),
    ...texts("payment_mode", "payer_name", "payer_pan"),
    ["params", NAMED],
  ],
  "transfers.send": [...ACCOUNT, ...texts("otp", "otp_ref")],
  "transfers.check_account": ACCOUNT,
  "bus.book": [...texts("block_ref", "block_provider_ref", "trip_id"), ["seats", VALUES]],
  "aeps.cash_withdrawal": AEPS,
  "aeps.aadhaar_pay": AEPS,
  "aeps.balance_enquiry": AEPS,
  "aeps.mini_statement": AEPS,
};

const OF_AEPS_STORED = ["outlet_id", "outlet_mobile", "agent_code", "bank_iin"];
const OF_ACCOUNT_STORED = ["ifsc", "beneficiary_name", "beneficiary_ref", "sender_mobile"];

/** Which details every order of an operation still has when it is sent again (`services/stored-details.ts`). */
export const STORED_DETAILS: Readonly<Record<TransactionName, readonly string[]>> = {
  "recharge.pay": [],
  // The parameters of a bill that was paid without a fetch are not stored.
  "bills.pay": ["fetch_ref", "fetch_provider_ref", "bill_number", "payment_mode"],
  "transfers.send": [...OF_ACCOUNT_STORED, "mode"],
  "transfers.check_account": OF_ACCOUNT_STORED,
  "bus.book": ["block_ref", "block_provider_ref", "trip_id", "seats"],
  "aeps.cash_withdrawal": OF_AEPS_STORED,
  "aeps.aadhaar_pay": OF_AEPS_STORED,
  "aeps.balance_enquiry": OF_AEPS_STORED,
  "aeps.mini_statement": OF_AEPS_STORED,
};

/** The values that an operation's requests may use. A status query also has the provider's own id. */
export function knownNames(operation: OperationName, part: "send" | "status"): KnownNames {
  if (!isTransaction(operation)) return new Map([...OF_EVERY_CALL, ...inputNames(operation)]);
  const details = DETAILS[operation].map(([name, kind]): [string, KnownName] => [`details.${name}`, kind]);
  const status: readonly (readonly [string, KnownName])[] = part === "status" ? [["provider_ref", TEXT]] : [];
  return new Map([...OF_EVERY_CALL, ...OF_EVERY_TRANSACTION, ...details, ...status]);
}

/** The login knows no order. */
export const LOGIN_NAMES: KnownNames = OF_EVERY_CALL;

type Schema = {
  readonly type?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
};

type Names = readonly (readonly [string, KnownName])[];
const namesOfInputs = new Map<QueryName, Names>();

/** Kept after the first use, because a check asks for them with every call and every sample of a description. */
function inputNames(operation: QueryName): Names {
  const names = namesOfInputs.get(operation) ?? readInputNames(operation);
  namesOfInputs.set(operation, names);
  return names;
}

function readInputNames(operation: QueryName): Names {
  const schema = z.toJSONSchema(QUERIES[operation].input, { io: "input" }) as Schema;
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => namesOf(name, member));
}

function namesOf(name: string, schema: Schema): readonly (readonly [string, KnownName])[] {
  if (schema.type === "array") {
    const members = Object.keys(schema.items?.properties ?? {});
    return [[name, members.length === 0 ? VALUES : { kind: "many", items: members }]];
  }
  if (schema.type === "object" && schema.properties)
    return Object.entries(schema.properties).flatMap(([member, inner]) => namesOf(`${name}.${member}`, inner));
  if (schema.type === "object") return [[name, NAMED]];
  return [[name, inputKind(name)]];
}

/** Amounts and times of queries have the same names everywhere. */
export function inputKind(name: string): KnownName {
  if (name === "amount") return AMOUNT;
  return name === "created_at" || name === "date" ? TIME : TEXT;
}
