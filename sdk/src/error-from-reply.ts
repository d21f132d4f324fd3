import { isObject, type JsonObject } from "./codec.js";
import {
  AccountRefusedError,
  type CorprailError,
  CredentialError,
  DuplicateReferenceError,
  type ErrorDetails,
  InsufficientBalanceError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ServerError,
  SignatureError,
} from "./errors.js";

type ErrorClass = new (message: string, details: ErrorDetails) => CorprailError;

const BY_ERROR: Readonly<Record<string, ErrorClass>> = {
  token_missing: CredentialError,
  token_invalid: CredentialError,
  ip_not_allowed: CredentialError,
  invalid_signature: SignatureError,
  rate_limited: RateLimitedError,
  duplicate_reference: DuplicateReferenceError,
  insufficient_balance: InsufficientBalanceError,
  busy: ServerError,
  internal_error: ServerError,
};

const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: InvalidRequestError,
  401: CredentialError,
  404: NotFoundError,
  405: InvalidRequestError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: RateLimitedError,
};

/** Contract, section 3: result code of every refusal for an account or service reason. */
const ACCOUNT_CODE = 331;

export type Refusal = {
  readonly httpStatus: number;
  readonly body: JsonObject;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
};

/** The typed error of a refusal that has the contract's shape; null when the body has not, as from a proxy. */
export function errorFromReply(refusal: Refusal, redact: (text: string) => string): CorprailError | null {
  const { httpStatus, body, requestId, retryAfterSeconds } = refusal;
  const { error, message, code } = body;
  if (typeof error !== "string" || error === "" || typeof code !== "number") return null;
  const details: ErrorDetails = {
    error: redact(error),
    code,
    httpStatus,
    requestId,
    retryAfterSeconds,
    fields: fieldsOf(body["fields"], redact),
    urid: textOrNull(body["urid"]),
    orderId: textOrNull(body["order_id"]),
  };
  const text = typeof message === "string" && message !== "" ? redact(message) : details.error;
  return new (classOf(error, code, httpStatus))(`${text} (${details.error}, code ${code}, HTTP ${httpStatus})`, details);
}

function classOf(error: string, code: number, httpStatus: number): ErrorClass {
  const known = BY_ERROR[error] ?? BY_STATUS[httpStatus];
  if (known) return known;
  if (code === ACCOUNT_CODE && httpStatus === 403) return AccountRefusedError;
  // A service's own 503 with a reason, such as bank_down, is a refusal; any other 5xx leaves open what happened.
  return httpStatus < 500 || httpStatus === 503 ? RefusedError : ServerError;
}

function fieldsOf(value: unknown, redact: (text: string) => string): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, why]) => [name, redact(String(why))]));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
