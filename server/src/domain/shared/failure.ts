/**
 * Why a transaction or a preparing step failed, as the client sees it (contract, section 9a). These are the only sentences
 * that clients see; a provider's or staff member's text is stored beside the code, for staff.
 */
export const FAILURE_SENTENCES = {
  number_not_valid: "The number is not valid for this operator.",
  amount_not_accepted: "The amount is not accepted by the operator.",
  circle_not_served: "The operator cannot be reached for this circle.",
  customer_blocked: "The number or account is blocked at the operator.",
  limit_reached: "A limit of the customer is reached at the operator.",
  duplicate: "The operator has carried out the same transaction a short time ago.",
  operator_down: "The operator is down. Try again later with a new reference.",
  unavailable: "The operator cannot be reached. Try again later with a new reference.",
  not_received: "The operator has not received the request.",
  declined: "Declined by the operator.",
  reversed: "Reversed by the operator.",
  settled_by_staff: "Failed at the operator, as the service's staff found out.",
  reversed_by_staff: "Reversed by the service's staff.",
  refunded_by_staff: "Refunded by the service's staff.",
  refunded_by_complaint: "Refunded after a complaint.",
  trial_ended: "The trial ended before this transaction did.",
  cancelled: "The ticket was cancelled.",
  bill_not_given: "The operator has given no bill for these details.",
  no_bill_due: "No bill is due.",
  seat_gone: "A seat is not available any more.",
  cancellation_refused: "The operator does not take this ticket back.",
  outlet_rejected: "The outlet was rejected by the bank.",
  outlet_suspended: "The outlet was suspended by the bank.",
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof FAILURE_SENTENCES;

/** The codes that a provider's answer can be mapped to. */
export const PROVIDER_FAILURES = [
  "number_not_valid",
  "amount_not_accepted",
  "circle_not_served",
  "customer_blocked",
  "limit_reached",
  "duplicate",
  "operator_down",
  "declined",
] as const satisfies readonly FailureCode[];

/** `words` are the text of the provider or the deciding person: for staff, never for clients. */
export type Failure = { readonly code: FailureCode | null; readonly words: string };

const STORED = /^\[([a-z_]{1,40})\] ?/;

/** Code and words are stored in one column, so that settling writes no additional column. */
export function formatFailure({ code, words }: Failure): string {
  return code === null ? words : `[${code}] ${words}`;
}

/** Text without a code was written by an earlier version and is for staff only. */
export function parseFailure(text: string): Failure {
  const match = STORED.exec(text);
  const code = match?.[1] ?? "";
  return match && isFailureCode(code) ? { code, words: text.slice(match[0].length) } : { code: null, words: text };
}

/** The text for staff: the words, or the sentence when there are none. */
export function staffWords({ code, words }: Failure): string {
  return words !== "" || code === null ? words : FAILURE_SENTENCES[code];
}

/** The client's sentence; null where an earlier version stored words only. */
export function failureSentence(failure: Failure | null): string | null {
  return failure === null || failure.code === null ? null : FAILURE_SENTENCES[failure.code];
}

function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_SENTENCES, text);
}

// Another installation also fails an order because it had no provider, or because its provider never got the request.
const SENTENCES_ELSEWHERE: readonly FailureCode[] = [...PROVIDER_FAILURES, "unavailable", "not_received", "seat_gone"];
const BY_SENTENCE = new Map<string, FailureCode>(SENTENCES_ELSEWHERE.map((code) => [FAILURE_SENTENCES[code], code]));

/** The code of another installation's sentence; null when it is not in this list. */
export function codeOfSentence(sentence: string): FailureCode | null {
  return BY_SENTENCE.get(sentence) ?? null;
}
