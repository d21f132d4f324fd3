import { fromWire, type JsonObject } from "./codec.js";
import type { CorprailError, CustomerRefund } from "./errors.js";
import type { NotCreated, Order, Unknown } from "./outcome.js";

/** The wire's status decides; a reversal or a cancelled ticket reads FAILED like any other failure. */
const ORDERS: Readonly<Record<string, { readonly outcome: "succeeded" | "failed" | "pending"; readonly final: boolean }>> = {
  SUCCESS: { outcome: "succeeded", final: true },
  FAILED: { outcome: "failed", final: true },
  pending: { outcome: "pending", final: false },
};

const REFUNDS = { succeeded: "not_due", pending: "wait" } as const;

/**
 * The transaction a reply tells of; null when the reply is not clear about it.
 * An unclear answer is never taken as a failure, so each case asks for all of its signs.
 */
export function readOrder<Extra, Refund extends CustomerRefund>(
  body: JsonObject,
  urid: string | null,
  refund: Refund,
): Order<Extra, Refund> | null {
  const { status, ok: _ok, error: _error, ...facts } = body;
  const state = Object.hasOwn(ORDERS, String(status)) ? ORDERS[String(status)] : undefined;
  if (state === undefined || typeof facts["order_id"] !== "string" || facts["order_id"] === "" || !isOf(body, urid)) return null;
  const customerRefund = state.outcome === "failed" ? refund : REFUNDS[state.outcome];
  return { ...(urid === null ? {} : { urid }), ...(fromWire(facts) as object), ...state, customerRefund } as Order<Extra, Refund>;
}

/** Spec, Errors: lower-case failed with an empty order_id, on HTTP 200. */
export function readNotCreated<Refund extends CustomerRefund>(body: JsonObject, urid: string, refund: Refund): NotCreated<Refund> | null {
  const { status, ok: _ok, error, order_id: orderId, operator_ref: _ref, balance: _balance, ...facts } = body;
  if (status !== "failed" || orderId !== "" || !isOf(body, urid)) return null;
  const reason = typeof error === "string" && error !== "" ? error : null;
  return {
    urid,
    ...(fromWire(facts) as object),
    outcome: "not_created",
    final: true,
    customerRefund: refund,
    error: reason,
  } as NotCreated<Refund>;
}

export function unknownOutcome(urid: string, cause: CorprailError): Unknown {
  const message = `Whether ${urid} exists is not known: ${cause.message} Look it up, or send it again with the same reference.`;
  return { outcome: "unknown", final: false, customerRefund: "wait", urid, message, cause };
}

// The signed services echo the reference under both names.
function isOf(body: JsonObject, urid: string | null): boolean {
  const echoed = [body["urid"], body["request_id"]];
  return urid === null ? echoed.some((value) => typeof value === "string") : echoed.includes(urid);
}
