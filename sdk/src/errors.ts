/**
 * Whether the customer who paid for a transaction is owed the money back. Only `due` may start a refund;
 * `wait` means that the transaction may exist: look it up, or send it again with the same reference.
 */
export type CustomerRefund = "due" | "not_due" | "wait";

export type ErrorDetails = {
  /** The service's machine-readable reason, or the SDK's own, such as `no_answer`. */
  readonly error: string;
  readonly code?: number | null;
  readonly httpStatus?: number | null;
  readonly requestId?: string | null;
  readonly fields?: Readonly<Record<string, string>>;
  readonly urid?: string | null;
  readonly orderId?: string | null;
  readonly retryAfterSeconds?: number | null;
};

/** Whatever the SDK throws. No message and no property holds a token or a secret. */
export class CorprailError extends Error {
  readonly error: string;
  readonly code: number | null;
  readonly httpStatus: number | null;
  /** The reply's X-Request-Id: name it when you ask the service's operator. */
  readonly requestId: string | null;
  /** Why each field of the request was refused, by its name on the wire. */
  readonly fields: Readonly<Record<string, string>>;
  readonly urid: string | null;
  readonly orderId: string | null;
  readonly retryAfterSeconds: number | null;
  /** `wait` unless the service's answer proves that nothing was created. */
  readonly customerRefund: CustomerRefund = "wait";

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.name = new.target.name;
    this.error = details.error;
    this.code = details.code ?? null;
    this.httpStatus = details.httpStatus ?? null;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
    this.urid = details.urid ?? null;
    this.orderId = details.orderId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** The token or the source address was refused. */
export class CredentialError extends CorprailError {}

/** The signature was refused: not a failed transaction, and never a reason to refund. */
export class SignatureError extends CredentialError {}

/** 403: the account or the service is switched off, paused, or waiting on KYC or the agreement. */
export class AccountRefusedError extends CorprailError {}

/** 429: a budget of calls a minute is spent. */
export class RateLimitedError extends CorprailError {}

/** A mistake in the request; `fields` says where. */
export class InvalidRequestError extends CorprailError {}

export class NotFoundError extends CorprailError {}

/** The reference already belongs to a transaction with other details; `orderId` is that one's. */
export class DuplicateReferenceError extends CorprailError {}

export class InsufficientBalanceError extends CorprailError {}

/** Another refusal that is the service's own, such as `fetch_expired` or `seat_unavailable`. */
export class RefusedError extends CorprailError {}

/** 5xx. `busy` says that nothing was done; any other leaves open what was. */
export class ServerError extends CorprailError {}

export type Silence = "not_sent" | "connection" | "timeout" | "unreadable";

/** No answer that could be understood. Unless `silence` is `not_sent`, the request may have been carried out. */
export class NoAnswerError extends CorprailError {
  readonly silence: Silence;
  constructor(message: string, silence: Silence, details: Partial<ErrorDetails> = {}) {
    super(message, { ...details, error: "no_answer" });
    this.silence = silence;
  }
}

/** The caller's AbortSignal ended the wait, not the transaction: what was sent may still be carried out. */
export class AbortedError extends CorprailError {
  constructor(what: string) {
    super(`${what} was aborted by the caller; what had been sent may still be carried out.`, { error: "aborted" });
  }
}

/** Found wrong before anything was sent. */
export class UsageError extends CorprailError {
  constructor(message: string) {
    super(message, { error: "usage" });
  }
}
