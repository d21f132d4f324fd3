import type { QueryInput, QueryName, QueryResult, QueryValue, RefusalCode } from "@corprail/connector";
import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { QueryPairs, Replied, Session } from "./client.ts";

/** How a query is carried out. The connector checks the value against the operation's schema afterwards. */
export type Queries = {
  readonly [Name in QueryName]?: (session: Session, input: QueryInput<Name>) => Promise<QueryResult<LooseValue<Name>>>;
};

/** A value whose optional fields may be missing. */
type LooseValue<Name extends QueryName> = Partial<QueryValue<Name>>;

/** A read reply of the expected format, the provider's refusal with its error, or no usable answer. */
export type Read<Value> =
  | { readonly kind: "answered"; readonly value: Value }
  | { readonly kind: "refused"; readonly error: string; readonly reason: string; readonly body: JsonObject; readonly code?: RefusalCode }
  | { readonly kind: "unavailable"; readonly why: string };

export async function read<Schema extends z.ZodType>(replying: Promise<Replied>, schema: Schema): Promise<Read<z.output<Schema>>> {
  const replied = await replying;
  if (replied.kind !== "answered") return { kind: "unavailable", why: replied.why };
  const { status, body } = replied.reply;
  if (status === 200 || status === 201) {
    const value = schema.safeParse(body);
    if (value.success) return { kind: "answered", value: value.data };
    return unavailable(`the reply has no valid ${value.error.issues[0]?.path.join(".") || "format"}`);
  }
  const refused = refusal.safeParse(body);
  if (!refused.success || body === null) return unavailable(`HTTP ${status}, no reply of a Corprail`);
  const { error, message } = refused.data;
  if (status >= 500 || !DECISIONS.has(error)) return unavailable(`HTTP ${status}, ${error.slice(0, 100)}`);
  const code = Object.hasOwn(CODES, error) ? CODES[error] : undefined;
  return { kind: "refused", error, reason: `${error}: ${message}`.slice(0, 300), body, ...(code ? { code } : {}) };
}

const refusal = z.object({ status: z.literal("rejected"), error: z.string(), message: z.string().default("") });

export function unavailable(why: string): { readonly kind: "unavailable"; readonly why: string } {
  return { kind: "unavailable", why };
}

/** The result of a query whose reply is read. A refusal keeps only what the interface has. */
export function resultOf<Value, Result>(read: Read<Value>, map: (value: Value) => Result): QueryResult<Result> {
  if (read.kind === "answered") return { kind: "answered", value: map(read.value) };
  if (read.kind === "unavailable") return read;
  return { kind: "refused", reason: read.reason, ...(read.code ? { code: read.code } : {}) };
}

/** Refusals that the service tells apart. The others that are decisions have no code. */
const CODES: Readonly<Record<string, RefusalCode>> = {
  no_bill_due: "no_bill_due",
  seat_unavailable: "seat_unavailable",
  trip_not_found: "trip_not_found",
  not_cancellable: "not_cancellable",
  partial_cancel_not_allowed: "not_cancellable",
  otp_invalid: "otp_invalid",
  otp_expired: "otp_expired",
  otp_attempts_exceeded: "otp_expired",
  transfer_ref_expired: "otp_expired",
  invalid_pid: "no_match",
  not_found: "not_found",
  biller_not_found: "not_found",
  fetch_not_found: "not_found",
  sender_not_found: "not_found",
  beneficiary_not_found: "not_found",
  ticket_not_found: "not_found",
  outlet_not_found: "not_found",
};

// Every other refusal is about our account, its credentials or the moment, so it decides nothing about what was asked.
const DECISIONS: ReadonlySet<string> = new Set([
  ...Object.keys(CODES),
  "invalid_request",
  "duplicate_reference",
  "unknown_operator",
  "amount_out_of_range",
  "biller_inactive",
  "invalid_customer_params",
  "sender_not_verified",
  "sender_limit_exceeded",
  "beneficiary_exists",
  "beneficiary_not_active",
  "seat_gender_restricted",
  "id_proof_required",
  "max_seats_exceeded",
  "cancel_quote_changed",
  "outlet_not_active",
  "rekyc_required",
  "device_not_registered",
  "invalid_aadhaar",
  "bank_not_live",
  "complaint_exists",
  "already_failed",
  "complaint_window_closed",
]);

// Long lists end here, so that a cursor that never ends does not keep us asking.
const MAX_PAGES = 400;

/** Reads a whole list page by page. */
export async function readAll<Schema extends z.ZodType>(
  session: Session,
  list: { readonly path: string; readonly query?: QueryPairs; readonly limit: number; readonly item: Schema },
): Promise<Read<readonly z.output<Schema>[]>> {
  const page = z.object({ items: z.array(list.item), next: z.string().min(1).max(300).nullable() });
  const items: z.output<Schema>[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const cursor: QueryPairs = after === null ? [] : [["after", after]];
    const query: QueryPairs = [...(list.query ?? []), ["limit", String(list.limit)], ...cursor];
    const one: Read<z.output<typeof page>> = await read(session.get(list.path, query), page);
    if (one.kind !== "answered") return one;
    items.push(...one.value.items);
    after = one.value.next;
    if (after === null) return { kind: "answered", value: items };
  }
  return unavailable(`the list has more than ${MAX_PAGES} pages`);
}
