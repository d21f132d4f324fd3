import type { Answer, OrderAnswer } from "../../domain/client-api/route.ts";
import { isOwnRefusal, REFUSAL_CODES, RETRY_AFTER_SECONDS, type Refusal, type RefusalName } from "../../domain/shared/refusals.ts";
import { isSignedService } from "../../domain/shared/service-definition.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";

// Defines the format and the HTTP status of all replies of the client API.

export type Reply = {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, when the reply was sent or could not be sent. */
  readonly onSent?: ((answered: boolean) => void) | undefined;
};

const STATUSES: Partial<Record<RefusalName, number>> = {
  token_missing: 401,
  token_invalid: 401,
  invalid_signature: 401,
  ip_not_allowed: 403,
  rate_limited: 429,
  service_not_enabled: 403,
  account_paused: 403,
  account_inactive: 403,
  kyc_not_verified: 403,
  agreement_not_signed: 403,
  wallet_suspended: 403,
  service_off: 403,
  operator_off: 403,
  service_closed: 403,
  daily_limit: 403,
  invalid_request: 400,
  duplicate_reference: 409,
  not_found: 404,
  insufficient_balance: 402,
  method_not_allowed: 405,
  body_too_large: 413,
  busy: 503,
  complaint_exists: 409,
  internal_error: 500,
  // Refusals of the signed services that are neither 404 nor 422.
  fetch_expired: 410,
  fetch_already_paid: 409,
  beneficiary_exists: 409,
  otp_expired: 410,
  transfer_ref_used: 409,
  transfer_ref_expired: 410,
  bank_down: 503,
  seat_unavailable: 409,
  fare_changed: 409,
  block_expired: 410,
  block_already_booked: 409,
  cancel_quote_changed: 409,
  daily_auth_required: 403,
  txn_auth_required: 403,
  rekyc_required: 403,
};

function statusOf(refusal: Refusal): number {
  if (refusal.mediaType) return 415;
  return STATUSES[refusal.error] ?? (refusal.error.endsWith("_not_found") ? 404 : 422);
}

// Refusals of the gate and internal errors have the same format on every service.
const COMMON_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 500]);

/** The parts of the request that a refusal echoes. */
export type Echo = {
  /** The request's reference, if it has a valid one. */
  readonly reference: string | null;
  /** Signed services call the reference request_id. */
  readonly signedService: boolean;
};

export function refusalReply(refusal: Refusal, echo: Echo): Reply {
  const status = statusOf(refusal);
  const own = echo.signedService && (isOwnRefusal(refusal.error) || !COMMON_STATUSES.has(status));
  const body: JsonObject = {
    ...(own ? { ok: false } : {}),
    status: "rejected",
    error: refusal.error,
    code: REFUSAL_CODES[refusal.error],
    message: refusal.message,
    ...referenceFields(echo),
    ...(own ? { order_id: "" } : {}),
    ...(refusal.fields ? { fields: refusal.fields } : {}),
    ...refusal.extra,
  };
  // A 503 always has Retry-After.
  const retryAfterSeconds = refusal.retryAfterSeconds ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
  return retryAfterSeconds === undefined ? { status, body } : { status, body, headers: { "Retry-After": String(retryAfterSeconds) } };
}

/** Spec, Account or service refusal of a new transaction: nothing was created, nothing is charged. */
export function failedReply(refusal: Refusal, echo: Echo, sent: JsonObject, ordinary = false): Reply {
  return {
    status: 200,
    body: {
      ...(ordinary ? {} : { ok: false }),
      status: "failed",
      code: REFUSAL_CODES[refusal.error],
      order_id: "",
      urid: "",
      ...referenceFields(echo),
      operator_ref: null,
      amount: textOf(sent["amount"]),
      account: textOf(sent["account"]),
      balance: null,
      message: refusal.message,
      ...(ordinary ? {} : { error: refusal.error }),
    },
  };
}

export const RESULT_CODES = { SUCCESS: 0, FAILED: 1, pending: 2 } as const;

/** The fields of the recharge reply (contract, section 4), with additional fields on the signed services (section 6). */
export function orderFields(order: OrderAnswer): JsonObject {
  const fields = rechargeFields(order);
  if (!order.signed) return fields;
  const { service, fee, createdAt, updatedAt, block } = order.signed;
  return {
    ok: true,
    ...fields,
    error: "",
    request_id: order.reference,
    service,
    fee: formatMoney(fee),
    created_at: indiaDateTime(createdAt),
    updated_at: indiaDateTime(updatedAt),
    ...block,
  };
}

function rechargeFields(order: OrderAnswer): JsonObject {
  return {
    status: order.state,
    code: RESULT_CODES[order.state],
    order_id: order.orderId,
    urid: order.reference,
    operator_ref: order.operatorRef,
    amount: order.amountText,
    account: order.target,
    balance: order.balance === null ? null : formatMoney(order.balance),
    message: order.message,
  };
}

/** Builds the reply to an answer. `echo` is called only for a refusal; `service` is the route's service. */
export function answerReply(answer: Answer, echo: () => Echo, service: string): Reply {
  switch (answer.kind) {
    case "refused":
      return refusalReply(answer, echo());
    case "order":
      return { status: 200, body: orderFields(answer), onSent: answer.onSent };
    case "failed":
      return failedReply(
        answer.refusal,
        { reference: answer.reference, signedService: answer.signedService ?? false },
        { amount: answer.amountText, account: answer.target },
        answer.ordinary,
      );
    case "record":
      return {
        status: answer.created ? 201 : 200,
        body: isSignedService(service) ? { ...DONE, service, ...answer.fields } : answer.fields,
      };
    case "orders":
      return listReply(
        answer.items.map(({ order, more }) => ({ ...orderFields(order), ...more })),
        answer,
      );
    case "list":
      return listReply(answer.items, answer);
  }
}

// Contract, section 6: fields of every reply of a signed service, unless the record itself has them.
export const DONE = { ok: true, status: "SUCCESS", code: RESULT_CODES.SUCCESS, error: "", message: "" } as const;

type ListEnd = { readonly next: string | null; readonly archivedMonths?: readonly string[] };

function listReply(items: readonly JsonObject[], { next, archivedMonths = [] }: ListEnd): Reply {
  const body = { ok: true, items, next };
  return archivedMonths.length === 0
    ? { status: 200, body }
    : { status: 200, body, headers: { "Corprail-Archived-Months": archivedMonths.join(", ") } };
}

function referenceFields(echo: Echo): JsonObject {
  if (echo.reference === null) return {};
  return echo.signedService ? { request_id: echo.reference, urid: echo.reference } : { urid: echo.reference };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
