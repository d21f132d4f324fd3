// All refusals of the client API with their result codes (contract, section 3).
// Only api/client/replies.ts knows their format in replies.
export const REFUSAL_CODES = {
  token_missing: 101,
  token_invalid: 102,
  invalid_signature: 113,
  ip_not_allowed: 2428,
  rate_limited: 123,
  service_not_enabled: 331,
  account_paused: 331,
  account_inactive: 331,
  kyc_not_verified: 331,
  agreement_not_signed: 331,
  wallet_suspended: 331,
  service_off: 331,
  operator_off: 331,
  service_closed: 331,
  daily_limit: 331,
  invalid_request: 120,
  duplicate_reference: 124,
  not_found: 125,
  insufficient_balance: 126,
  amount_out_of_range: 127,
  method_not_allowed: 129,
  body_too_large: 130,
  unknown_operator: 131,
  busy: 140,
  complaint_exists: 151,
  already_failed: 153,
  still_pending: 154,
  complaint_window_closed: 155,
  internal_error: 500,
  // Bills.
  biller_not_found: 4101,
  biller_inactive: 4102,
  invalid_customer_params: 4103,
  no_bill_due: 4104,
  fetch_not_found: 4105,
  fetch_expired: 4106,
  fetch_already_paid: 4107,
  amount_mismatch: 4108,
  payment_mode_not_allowed: 4109,
  pan_required: 4110,
  // Transfers.
  sender_not_found: 4201,
  sender_not_verified: 4202,
  sender_limit_exceeded: 4203,
  beneficiary_not_found: 4204,
  beneficiary_exists: 4205,
  beneficiary_not_active: 4206,
  otp_invalid: 4207,
  otp_expired: 4208,
  otp_attempts_exceeded: 4209,
  transfer_ref_not_found: 4210,
  transfer_ref_used: 4211,
  transfer_ref_expired: 4212,
  bank_down: 4213,
  // Bus.
  trip_not_found: 4301,
  seat_unavailable: 4302,
  seat_gender_restricted: 4303,
  id_proof_required: 4304,
  fare_changed: 4305,
  block_not_found: 4306,
  block_expired: 4307,
  block_already_booked: 4308,
  max_seats_exceeded: 4309,
  ticket_not_found: 4310,
  not_cancellable: 4311,
  partial_cancel_not_allowed: 4312,
  cancel_quote_changed: 4313,
  // AEPS.
  outlet_not_found: 4401,
  outlet_not_active: 4402,
  daily_auth_required: 4403,
  txn_auth_required: 4404,
  invalid_pid: 4405,
  device_not_registered: 4406,
  invalid_aadhaar: 4407,
  bank_not_live: 4408,
  amount_multiple: 4409,
  customer_daily_count: 4410,
  rekyc_required: 4411,
} as const satisfies Record<string, number>;

export type RefusalName = keyof typeof REFUSAL_CODES;

const FIRST_OWN_CODE = 4101;

/** Whether only signed services use this refusal. */
export function isOwnRefusal(error: RefusalName): boolean {
  return REFUSAL_CODES[error] >= FIRST_OWN_CODE;
}

export type Refusal = {
  readonly kind: "refused";
  readonly error: RefusalName;
  readonly message: string;
  /** The invalid fields and the reasons. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Additional fields of the body, for example the first order of a duplicate. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** An unsupported media type, the only invalid_request that is not a 400. */
  readonly mediaType?: boolean;
};

export function refused(error: RefusalName, message: string, more: Partial<Omit<Refusal, "kind" | "error" | "message">> = {}): Refusal {
  return { kind: "refused", error, message, ...more };
}

export function invalidFields(fields: Readonly<Record<string, string>>): Refusal {
  const names = Object.keys(fields);
  return refused("invalid_request", `The request has ${names.length === 1 ? "a wrong field" : "wrong fields"}: ${names.join(", ")}.`, {
    fields,
  });
}

/** The guarantee for a client that gets `busy`. */
export type BusyOutcome = "nothing created" | "unknown" | "nothing changed";

/** The default retry delay. */
export const RETRY_AFTER_SECONDS = 2;

const BUSY_MESSAGES: Readonly<Record<BusyOutcome, string>> = {
  "nothing created": "The service is busy at the moment. Nothing was created: send the same reference again.",
  unknown:
    "The service could not finish this in time. Ask for the outcome by the reference, or send the same reference again: it is never carried out twice.",
  "nothing changed": "The service is busy at the moment. Nothing was changed: try again shortly.",
};

/** Contract, sections 3 and 9b: the request cannot be decided now; the reply says when to retry. */
export function busy(outcome: BusyOutcome, retryAfterSeconds = RETRY_AFTER_SECONDS): Refusal {
  return refused("busy", BUSY_MESSAGES[outcome], { retryAfterSeconds });
}
