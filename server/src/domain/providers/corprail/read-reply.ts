import type { AnswerFacts } from "@corprail/connector";
import { z } from "zod";
import { add, formatMoney, type Money, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { codeOfSentence } from "../../shared/failure.ts";
import { referenceText } from "../callbacks/reference-text.ts";
import type { Finding, Outcome } from "../connector.ts";
import type { Reply } from "./client.ts";
import { classOfFailure, declineOf, NOT_KNOWN_THERE } from "./declines.ts";

const transaction = z.object({
  status: z.enum(["SUCCESS", "FAILED", "pending", "failed"]),
  order_id: z.string(),
  urid: z.string(),
  operator_ref: z.string().nullable(),
  amount: z.string(),
  balance: z.string().nullable(),
  message: z.string(),
  service: z.string().optional(),
  fee: z.string().optional(),
});
const refusal = z.object({
  status: z.literal("rejected"),
  error: z.string(),
  message: z.string().default(""),
  urid: z.string().optional(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

type Transaction = z.infer<typeof transaction>;

/** The request that a reply must be about. */
export type Expected = {
  readonly reference: string;
  readonly service: string;
  readonly amount: Money;
  /** Whether a success credits our wallet there, so that the amount is not a cost. */
  readonly credit: boolean;
  /** The service's own part of a success, for our reply; null when there is none or it cannot be read. */
  readonly result: (body: JsonObject) => JsonObject | null;
};

/** Interprets the reply to a new transaction. */
export function outcomeOfSend(reply: Reply, expected: Expected): Outcome {
  const said = transaction.safeParse(reply.body);
  if (reply.status === 200 && said.success) return outcomeOf(said.data, reply.body ?? {}, expected);
  const refused = refusal.safeParse(reply.body);
  if (!refused.success) return unknown(reply, "no reply of a Corprail");
  const { error, message, urid, fields } = refused.data;
  if (urid !== undefined && urid !== expected.reference) return unknown(reply, `${error}, about another reference`);
  // The reply's message is not used, because it may contain our address or balance at the provider.
  const names = Object.keys(fields);
  const reason = `The provider refused the request (${[error, ...names.slice(0, 5)].join(", ").slice(0, 200)}).`;
  if (Object.hasOwn(NOT_KNOWN_THERE, error) && NOT_KNOWN_THERE[error] === reply.status)
    return { kind: "not_sent", why: reason, fault: "credentials", failure: "unavailable" };
  if (reply.status === 503 && error === "busy" && NOTHING_CREATED.test(message))
    return { kind: "declined", reason, decline: "busy", failure: "unavailable" };
  const decline = declineOf(error, reply.status, names);
  return decline ? { kind: "declined", reason, ...decline } : unknown(reply, error);
}

// Contract, section 9b: busy without this guarantee may follow a transaction that was created.
const NOTHING_CREATED = /\bnothing was (?:created|changed)\b/i;

function outcomeOf(said: Transaction, body: JsonObject, expected: Expected): Outcome {
  if (said.urid !== expected.reference) return { kind: "unknown", why: "the reply is about another reference" };
  if (said.service !== undefined && said.service !== expected.service)
    return { kind: "unknown", why: "the reply is about another service" };
  if (said.status === "failed") {
    // Spec, Errors: an empty order_id means that nothing was created.
    if (said.order_id !== "") return { kind: "unknown", why: "failed, but with an order" };
    return { kind: "declined", reason: said.message, decline: "provider", failure: "unavailable" };
  }
  if (said.order_id === "") return { kind: "unknown", why: "a result without an order" };
  const facts = factsOf(said, expected);
  if (parseMoney(said.amount) !== expected.amount) return { kind: "unknown", why: "the reply is about another amount", ...facts };
  if (said.status === "pending") return { kind: "pending", why: "the provider reports it as pending", ...facts };
  if (said.status === "FAILED") {
    const failure = codeOfSentence(said.message) ?? "declined";
    return { kind: "declined", reason: said.message, decline: classOfFailure(failure), failure, ...facts };
  }
  const result = expected.result(body);
  return { kind: "succeeded", operatorRef: referenceText(said.operator_ref ?? ""), ...facts, ...(result ? { result } : {}) };
}

function factsOf(said: Transaction, { amount, credit }: Expected): AnswerFacts {
  const fee = said.fee === undefined ? null : parseMoney(said.fee);
  return {
    providerRef: said.order_id.slice(0, 64),
    ...(said.balance !== null && parseMoney(said.balance) !== null ? { balance: said.balance } : {}),
    ...(said.status === "SUCCESS" && fee !== null ? { cost: formatMoney(credit ? fee : add(amount, fee)) } : {}),
  };
}

/** Interprets the reply to a status query. */
export function findingOfAsk(reply: Reply, expected: Expected): Finding {
  const said = transaction.safeParse(reply.body);
  if (reply.status === 200 && said.success && said.data.status !== "failed")
    return laterFinding(outcomeOf(said.data, reply.body ?? {}, expected));
  const refused = refusal.safeParse(reply.body);
  if (reply.status === 404 && refused.success && refused.data.error === "not_found" && refused.data.urid === expected.reference) {
    return { kind: "not_found" };
  }
  return unknown(reply, refused.success ? refused.data.error : "no reply of a Corprail");
}

/**
 * Spec, States, rule 2: FAILED after SUCCESS is a reversal. Only a caller who knows the order can tell it from a first
 * failure, and `reversed` is right for both: it fails a pending order and reverses a successful one.
 */
function laterFinding(outcome: Outcome): Finding {
  if (outcome.kind !== "declined") return outcome;
  const { decline: _, ...rest } = outcome;
  return { ...rest, kind: "reversed" };
}

function unknown(reply: Reply, what: string): { readonly kind: "unknown"; readonly why: string } {
  return { kind: "unknown", why: `HTTP ${reply.status}, ${what.slice(0, 100)}` };
}
