import { z } from "zod";
import { parseStrictJson } from "../../kernel/strict-json.ts";
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

// Refusals of a new reference: nothing was created (contract, sections 2 and 3). Those that are not here
// may concern an order that exists: a bad signature, a duplicate, and 331, which a new recharge gets as `failed`.
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

/** What the other installation says to a new recharge. */
export function outcomeOfSend(answer: Answer, reference: string): Outcome {
  const body = bodyOf(answer);
  const reply = transaction.safeParse(body);
  if (answer.status === 200 && reply.success) return outcomeOfReply(reply.data, reference);
  const refused = refusal.safeParse(body);
  if (!refused.success) return unknown(answer, "no reply of a Corprail");
  const { error } = refused.data;
  if (answer.status === 503 && error === "busy") return { kind: "not_sent", why: "the upstream is busy and created nothing" };
  if (Object.hasOwn(NOTHING_CREATED, error) && NOTHING_CREATED[error] === answer.status) {
    // Not its message: that is meant for us, and may name our address or balance there.
    return { kind: "declined", reason: `The provider refused the request (${error}).` };
  }
  return unknown(answer, error);
}

function outcomeOfReply(reply: Transaction, reference: string): Outcome {
  if (reply.urid !== reference) return { kind: "unknown", why: "the reply is about another reference" };
  if (reply.status === "failed") {
    // Spec, Errors: an empty order_id says that nothing was created.
    return reply.order_id === "" ? { kind: "declined", reason: reply.message } : { kind: "unknown", why: "failed, but with an order" };
  }
  if (reply.order_id === "") return { kind: "unknown", why: "a result without an order" };
  if (reply.status === "SUCCESS") return { kind: "succeeded", operatorRef: reply.operator_ref ?? "" };
  return reply.status === "FAILED" ? { kind: "declined", reason: reply.message } : { kind: "pending", why: "the upstream says so" };
}

/** What it says about an earlier one. */
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
 * Spec, States, rule 2: FAILED after a SUCCESS takes it back. Only whoever knows the order can tell the two
 * apart, and `reversed` is right for both: it fails an order that is pending and reverses one that succeeded.
 */
export function laterFinding(outcome: Outcome): Finding {
  return outcome.kind === "declined" ? { kind: "reversed", reason: outcome.reason } : outcome;
}

function bodyOf(answer: Answer): unknown {
  const parsed = parseStrictJson(answer.body);
  return parsed.ok ? parsed.value : null;
}

function unknown(answer: Answer, what: string): { readonly kind: "unknown"; readonly why: string } {
  return { kind: "unknown", why: `HTTP ${answer.status}, ${what.slice(0, 100)}` };
}
