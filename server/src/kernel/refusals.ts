// Every "no" the service can answer, with its result code (contract, section 3).
// What a refusal looks like on the wire is known to corp-api/replies.ts alone.
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
} as const satisfies Record<string, number>;

export type RefusalName = keyof typeof REFUSAL_CODES;

export type Refusal = {
  readonly kind: "refused";
  readonly error: RefusalName;
  readonly message: string;
  /** Which fields are wrong, and why. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the body says beside the common fields, for example the first order of a duplicate. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** A media type the service does not read: the one case of invalid_request that is not a 400. */
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
