import type { DeclineClass } from "@corprail/connector";
import type { FailureCode } from "../../shared/failure.ts";

export type Decline = { readonly decline: DeclineClass; readonly failure: FailureCode };
type Row = readonly [httpStatus: number, decline: DeclineClass, failure: FailureCode];

/**
 * Refusals of a transaction after which nothing was created (contract, sections 2 and 3), each with its HTTP status. Other
 * errors may concern an existing order: a bad signature, a duplicate, and 331, which a new transaction gets as `failed`.
 */
const NOTHING_CREATED: Readonly<Record<string, Row>> = {
  rate_limited: [429, "busy", "unavailable"],
  invalid_request: [400, "provider", "declined"],
  not_found: [404, "provider", "unavailable"],
  insufficient_balance: [402, "float", "unavailable"],
  amount_out_of_range: [422, "provider", "amount_not_accepted"],
  method_not_allowed: [405, "provider", "unavailable"],
  body_too_large: [413, "provider", "unavailable"],
  unknown_operator: [422, "provider", "unavailable"],
  // Bills.
  biller_not_found: [404, "provider", "unavailable"],
  biller_inactive: [422, "provider", "operator_down"],
  invalid_customer_params: [422, "final", "number_not_valid"],
  no_bill_due: [422, "final", "no_bill_due"],
  fetch_not_found: [404, "provider", "unavailable"],
  fetch_expired: [410, "final", "declined"],
  fetch_already_paid: [409, "final", "duplicate"],
  amount_mismatch: [422, "final", "amount_not_accepted"],
  payment_mode_not_allowed: [422, "provider", "declined"],
  pan_required: [422, "final", "declined"],
  // Transfers.
  sender_not_found: [404, "provider", "declined"],
  sender_not_verified: [422, "provider", "customer_blocked"],
  sender_limit_exceeded: [422, "provider", "limit_reached"],
  beneficiary_not_found: [404, "provider", "declined"],
  beneficiary_not_active: [422, "provider", "declined"],
  otp_invalid: [422, "final", "declined"],
  otp_expired: [410, "final", "declined"],
  otp_attempts_exceeded: [422, "final", "declined"],
  transfer_ref_not_found: [404, "provider", "declined"],
  transfer_ref_used: [409, "final", "duplicate"],
  transfer_ref_expired: [410, "final", "declined"],
  bank_down: [503, "provider", "operator_down"],
  // Bus.
  fare_changed: [409, "final", "amount_not_accepted"],
  block_not_found: [404, "final", "seat_gone"],
  block_expired: [410, "final", "seat_gone"],
  block_already_booked: [409, "final", "duplicate"],
  // AEPS.
  outlet_not_found: [404, "provider", "declined"],
  outlet_not_active: [422, "provider", "declined"],
  daily_auth_required: [403, "provider", "declined"],
  txn_auth_required: [403, "provider", "declined"],
  invalid_pid: [422, "final", "declined"],
  device_not_registered: [422, "provider", "declined"],
  invalid_aadhaar: [422, "final", "number_not_valid"],
  bank_not_live: [422, "provider", "operator_down"],
  amount_multiple: [422, "final", "amount_not_accepted"],
  customer_daily_count: [422, "final", "limit_reached"],
  rekyc_required: [403, "provider", "declined"],
};

/** What a refusal of a transaction means; null when it does not prove that nothing was created. */
export function declineOf(error: string, httpStatus: number, fields: readonly string[]): Decline | null {
  const row = Object.hasOwn(NOTHING_CREATED, error) ? NOTHING_CREATED[error] : undefined;
  if (!row || row[0] !== httpStatus) return null;
  // Contract, section 2: a number that the operator's pattern does not accept is an invalid request.
  if (error === "invalid_request" && fields.length === 1 && fields[0] === "account")
    return { decline: "final", failure: "number_not_valid" };
  return { decline: row[1], failure: row[2] };
}

/** The other installation does not know us: the token was replaced, or our address is not on its list. */
export const NOT_KNOWN_THERE: Readonly<Record<string, number>> = { token_missing: 401, token_invalid: 401, ip_not_allowed: 403 };

// About the customer, so another provider would decline it too, or carry it out a second time.
const FINAL: ReadonlySet<FailureCode> = new Set(["number_not_valid", "customer_blocked", "limit_reached", "duplicate"]);

/** Whether another provider may be tried after an order FAILED there. */
export function classOfFailure(failure: FailureCode): DeclineClass {
  return FINAL.has(failure) ? "final" : "provider";
}
