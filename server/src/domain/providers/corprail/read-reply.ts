import { z } from "zod";
import { parseStrictJson } from "../../../platform/core/strict-json.ts";
import { codeOfSentence, type FailureCode } from "../../shared/failure.ts";
import { referenceText } from "../callbacks/reference-text.ts";
import type { Finding, Outcome } from "../connector.ts";
import type { Answer } from "../wire/exchange.ts";

const transaction = z.object({
  status: z.enum(["SUCCESS", "FAILED", "pending", "failed"]),
  order_id: z.string(),
  urid: z.string(),
  operator_ref: z.string().nullable(),
  message: z.string(),
});
const refusal = z.object({ status: z.literal("rejected"), error: z.string(), urid: z.string().optional() });

type Transaction = z.infer<typeof transaction>;

// Refusals after which nothing was created (contract, sections 2 and 3). Other errors may concern an existing order:
// a bad signature, a duplicate, and 331, which a new recharge gets as `failed`.
const NOTHING_CREATED: Readonly<Record<string, number>> = {
  token_missing: 401,
  token_invalid: 401,
  ip_not_allowed: 403,
  rate_limited: 429,
  invalid_request: 400,
  not_found: 404,
  insufficient_balance: 402,
  amount_out_of_range: 422,
  method_not_allowed: 405,
  body_too_large: 413,
  unknown_operator: 422,
};

// The other installation does not know us: the token was replaced, or our address is not on its list.
const NOT_KNOWN_THERE: ReadonlySet<string> = new Set(["token_missing", "token_invalid", "ip_not_allowed"]);

const FAILURES: Readonly<Record<string, FailureCode>> = { amount_out_of_range: "amount_not_accepted", invalid_request: "declined" };

/** Interprets the reply to a new recharge. */
export function outcomeOfSend(answer: Answer, reference: string): Outcome {
  const body = bodyOf(answer);
  const reply = transaction.safeParse(body);
  if (answer.status === 200 && reply.success) return outcomeOfReply(reply.data, reference);
  const refused = refusal.safeParse(body);
  if (!refused.success) return unknown(answer, "no reply of a Corprail");
  const { error } = refused.data;
  if (answer.status === 503 && error === "busy") return { kind: "not_sent", why: "the provider is busy and created nothing" };
  if (Object.hasOwn(NOTHING_CREATED, error) && NOTHING_CREATED[error] === answer.status) {
    // The reply's message is not used, because it may contain our address or balance at the provider.
    const reason = `The provider refused the request (${error}).`;
    if (NOT_KNOWN_THERE.has(error)) return { kind: "not_sent", why: reason, fault: "credentials", failure: "unavailable" };
    return { kind: "declined", reason, failure: FAILURES[error] ?? "unavailable" };
  }
  return unknown(answer, error);
}

function outcomeOfReply(reply: Transaction, reference: string): Outcome {
  if (reply.urid !== reference) return { kind: "unknown", why: "the reply is about another reference" };
  if (reply.status === "failed") {
    // Spec, Errors: an empty order_id means that nothing was created.
    if (reply.order_id !== "") return { kind: "unknown", why: "failed, but with an order" };
    return { kind: "declined", reason: reply.message, failure: "unavailable" };
  }
  if (reply.order_id === "") return { kind: "unknown", why: "a result without an order" };
  if (reply.status === "SUCCESS") return { kind: "succeeded", operatorRef: referenceText(reply.operator_ref ?? "") };
  if (reply.status === "pending") return { kind: "pending", why: "the provider reports it as pending" };
  return { kind: "declined", reason: reply.message, failure: codeOfSentence(reply.message) ?? "declined" };
}

/** Interprets the reply to a status query. */
export function findingOfAsk(answer: Answer, reference: string): Finding {
  const body = bodyOf(answer);
  const reply = transaction.safeParse(body);
  if (answer.status === 200 && reply.success && reply.data.status !== "failed") return laterFinding(outcomeOfReply(reply.data, reference));
  const refused = refusal.safeParse(body);
  if (answer.status === 404 && refused.success && refused.data.error === "not_found" && refused.data.urid === reference) {
    return { kind: "not_found" };
  }
  return unknown(answer, refused.success ? refused.data.error : "no reply of a Corprail");
}

/**
 * Spec, States, rule 2: FAILED after SUCCESS is a reversal. Only a caller who knows the order can tell it from a first
 * failure, and `reversed` is right for both: it fails a pending order and reverses a successful one.
 */
export function laterFinding(outcome: Outcome): Finding {
  return outcome.kind === "declined" ? { ...outcome, kind: "reversed" } : outcome;
}

function bodyOf(answer: Answer): unknown {
  const parsed = parseStrictJson(answer.body);
  return parsed.ok ? parsed.value : null;
}

function unknown(answer: Answer, what: string): { readonly kind: "unknown"; readonly why: string } {
  return { kind: "unknown", why: `HTTP ${answer.status}, ${what.slice(0, 100)}` };
}
