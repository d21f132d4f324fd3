import fc from "fast-check";
import { expect, test } from "vitest";
import { requireMoney } from "../../../platform/core/money.ts";
import { busy, REFUSAL_CODES } from "../../shared/refusals.ts";
import type { Reply } from "./client.ts";
import { type Expected, findingOfAsk, outcomeOfSend } from "./read-reply.ts";

const RESULT = {
  code: 0,
  order_id: "01ORDER00001",
  urid: "R1",
  operator_ref: "OP1",
  amount: "10",
  account: "1",
  balance: "1.0000",
  message: "Said.",
};
const FACTS = { providerRef: "01ORDER00001", balance: "1.0000" };

const expected: Expected = { reference: "R1", service: "recharge", amount: requireMoney("10.0000"), credit: false, result: () => null };
const replyOf = (status: number, body: unknown): Reply => ({ status, body: body as Reply["body"] });
const sent = (status: number, body: unknown, more: Partial<Expected> = {}) =>
  outcomeOfSend(replyOf(status, body), { ...expected, ...more });
const asked = (status: number, body: unknown) => findingOfAsk(replyOf(status, body), expected);
const rejected = (error: string, more: object = { urid: "R1" }) => ({
  status: "rejected",
  error,
  code: 1,
  message: "secret words",
  ...more,
});

test("the status of a reply decides the outcome of a new transaction, and its provider reference and balance are kept", () => {
  expect(sent(200, { ...RESULT, status: "SUCCESS" })).toEqual({ kind: "succeeded", operatorRef: "OP1", ...FACTS });
  expect(sent(200, { ...RESULT, status: "SUCCESS", operator_ref: null })).toEqual({ kind: "succeeded", operatorRef: "", ...FACTS });
  expect(sent(200, { ...RESULT, status: "SUCCESS", balance: null })).toEqual({
    kind: "succeeded",
    operatorRef: "OP1",
    providerRef: "01ORDER00001",
  });
  expect(sent(200, { ...RESULT, status: "FAILED" })).toEqual({
    kind: "declined",
    reason: "Said.",
    failure: "declined",
    decline: "provider",
    ...FACTS,
  });
  expect(sent(200, { ...RESULT, status: "pending" })).toMatchObject({ kind: "pending", ...FACTS });
});

test.each([
  ["The number is not valid for this operator.", "number_not_valid", "final"],
  ["The operator has carried out the same transaction a short time ago.", "duplicate", "final"],
  ["The number or account is blocked at the operator.", "customer_blocked", "final"],
  ["The amount is not accepted by the operator.", "amount_not_accepted", "provider"],
  ["The operator is down. Try again later with a new reference.", "operator_down", "provider"],
  ["The operator cannot be reached. Try again later with a new reference.", "unavailable", "provider"],
  ["Something of a later version.", "declined", "provider"],
])("the sentence “%s” is %s and %s", (message, failure, decline) => {
  expect(sent(200, { ...RESULT, status: "FAILED", message })).toMatchObject({ kind: "declined", failure, decline });
});

test("the cost is the amount and the fee, or the fee alone where the amount is credited", () => {
  const success = { ...RESULT, status: "SUCCESS", fee: "2.5000", service: "recharge" };
  expect(sent(200, success)).toMatchObject({ cost: "12.5000" });
  expect(sent(200, success, { credit: true })).toMatchObject({ cost: "2.5000" });
});

test("a result about another amount or service is unknown, and keeps the order's id", () => {
  expect(sent(200, { ...RESULT, status: "SUCCESS", amount: "10.0001" })).toMatchObject({ kind: "unknown", providerRef: "01ORDER00001" });
  expect(sent(200, { ...RESULT, status: "SUCCESS", service: "bills" })).toMatchObject({ kind: "unknown" });
});

test("failed means declined only when nothing was created", () => {
  const failed = { ...RESULT, status: "failed", operator_ref: null, balance: null };
  expect(sent(200, { ...failed, order_id: "" })).toEqual({
    kind: "declined",
    reason: "Said.",
    decline: "provider",
    failure: "unavailable",
  });
  expect(sent(200, { ...failed, ok: false, error: "kyc_not_verified", order_id: "" }).kind).toBe("declined");
  expect(sent(200, failed).kind).toBe("unknown");
});

test.each([
  [400, "invalid_request", "declined", "provider"],
  [401, "token_invalid", "not_sent", undefined],
  [401, "token_missing", "not_sent", undefined],
  [401, "invalid_signature", "unknown", undefined],
  [402, "insufficient_balance", "declined", "float"],
  [403, "ip_not_allowed", "not_sent", undefined],
  [403, "account_paused", "unknown", undefined],
  [403, "service_not_enabled", "unknown", undefined],
  [403, "daily_auth_required", "declined", "provider"],
  [404, "not_found", "declined", "provider"],
  [405, "method_not_allowed", "declined", "provider"],
  [409, "duplicate_reference", "unknown", undefined],
  [409, "fetch_already_paid", "declined", "final"],
  [409, "transfer_ref_used", "declined", "final"],
  [410, "block_expired", "declined", "final"],
  [413, "body_too_large", "declined", "provider"],
  [415, "invalid_request", "unknown", undefined],
  [422, "amount_out_of_range", "declined", "provider"],
  [422, "unknown_operator", "declined", "provider"],
  [422, "otp_invalid", "declined", "final"],
  [422, "bank_not_live", "declined", "provider"],
  [429, "rate_limited", "declined", "busy"],
  [500, "internal_error", "unknown", undefined],
  [503, "busy", "unknown", undefined],
  [503, "bank_down", "declined", "provider"],
  [500, "busy", "unknown", undefined],
  [500, "insufficient_balance", "unknown", undefined],
  [200, "insufficient_balance", "unknown", undefined],
])("a new transaction refused with %i %s is %s", (status, error, kind, decline) => {
  const outcome = sent(status, rejected(error));
  expect(outcome.kind).toBe(kind);
  expect("decline" in outcome ? outcome.decline : undefined).toBe(decline);
  expect(JSON.stringify(outcome)).not.toContain("secret words");
  expect(sent(status, rejected(error, { urid: "R2" })).kind).toBe("unknown");
});

test("busy is a decline only with the guarantee that nothing was created", () => {
  for (const outcome of ["nothing created", "nothing changed"] as const)
    expect(sent(503, rejected("busy", { message: busy(outcome).message }))).toMatchObject({ kind: "declined", decline: "busy" });
  expect(sent(503, rejected("busy", { message: busy("unknown").message })).kind).toBe("unknown");
});

test("a number that the operator's pattern refuses is final", () => {
  const fields = { account: "must be ten digits" };
  expect(sent(400, rejected("invalid_request", { fields }))).toMatchObject({ decline: "final", failure: "number_not_valid" });
  expect(sent(400, rejected("invalid_request", { fields: { ...fields, amount: "no" } }))).toMatchObject({ decline: "provider" });
});

test("every refusal of the service leads to something, and none to a success", () => {
  for (const error of Object.keys(REFUSAL_CODES)) {
    for (const status of [400, 401, 402, 403, 404, 409, 422, 429, 500, 503]) {
      expect(["declined", "unknown", "not_sent"]).toContain(sent(status, rejected(error)).kind);
      expect(["not_found", "unknown"]).toContain(asked(status, rejected(error)).kind);
    }
  }
});

test("a result that is about another reference, or half of one, is unknown", () => {
  for (const body of [
    { ...RESULT, status: "SUCCESS", urid: "R2" },
    { ...RESULT, status: "SUCCESS", order_id: "" },
    { status: "SUCCESS" },
    { ...RESULT, status: "success" },
  ]) {
    expect(sent(200, body).kind).toBe("unknown");
    expect(asked(200, body).kind).toBe("unknown");
  }
});

test("FAILED found later is a success taken back, or a failure: reversed is right for both", () => {
  expect(asked(200, { ...RESULT, status: "FAILED" })).toEqual({ kind: "reversed", reason: "Said.", failure: "declined", ...FACTS });
  expect(asked(200, { ...RESULT, status: "SUCCESS" }).kind).toBe("succeeded");
  expect(asked(200, { ...RESULT, status: "pending" }).kind).toBe("pending");
  expect(asked(200, { ...RESULT, status: "failed", order_id: "" }).kind).toBe("unknown");
});

test("not found is believed only of this reference", () => {
  expect(asked(404, rejected("not_found"))).toEqual({ kind: "not_found" });
  expect(asked(404, rejected("not_found", { urid: "R2" })).kind).toBe("unknown");
  expect(asked(404, rejected("not_found", {})).kind).toBe("unknown");
  expect(asked(404, "<html>").kind).toBe("unknown");
  expect(asked(403, rejected("account_paused")).kind).toBe("unknown");
});

test("no garbage is definite", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 200, max: 599 }), (body, status) => {
      expect(sent(status, body).kind).toBe("unknown");
      expect(asked(status, body).kind).toBe("unknown");
      expect(sent(status, null).kind).toBe("unknown");
    }),
  );
});
