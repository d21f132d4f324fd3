import type { Step } from "./scripted-fetch.js";

type Body = Readonly<Record<string, unknown>>;

/** A recharge reply of the contract, section 4. */
export function recharge(status: "SUCCESS" | "FAILED" | "pending", more: Body = {}): Step {
  const body = {
    status,
    code: { SUCCESS: 0, FAILED: 1, pending: 2 }[status],
    order_id: "01JXQ0A1B2C3D4E5F6",
    urid: "ORDER-1",
    operator_ref: status === "SUCCESS" ? "OP1" : null,
    amount: "199.00",
    account: "9876543210",
    balance: "801.0000",
    message: status,
    ...more,
  };
  return { status: 200, body };
}

export function refused(
  httpStatus: number,
  error: string,
  code: number,
  more: Body = {},
  headers: Readonly<Record<string, string>> = {},
): Step {
  return { status: httpStatus, body: { status: "rejected", error, code, message: `No: ${error}.`, ...more }, headers };
}

export const NOT_FOUND = refused(404, "not_found", 125);
export const BAD_SIGNATURE = refused(401, "invalid_signature", 113);
export const BUSY = refused(503, "busy", 140);
export const RATE_LIMITED = refused(429, "rate_limited", 123);
export const INTERNAL_ERROR = refused(500, "internal_error", 500);
export const PAUSED = refused(403, "account_paused", 331);

/** HTTP 200, nothing created: with `ok` and `error` for an account reason, without them for recharge's own. */
export function notCreated(more: Body = {}): Step {
  const body = {
    status: "failed",
    code: 331,
    order_id: "",
    urid: "ORDER-1",
    operator_ref: null,
    amount: "199.00",
    account: "9876543210",
    balance: null,
    message: "Not now.",
    ...more,
  };
  return { status: 200, body };
}
