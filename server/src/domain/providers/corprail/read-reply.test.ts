import fc from "fast-check";
import { expect, test } from "vitest";
import { REFUSAL_CODES } from "../../shared/refusals.ts";
import { findingOfAsk, outcomeOfSend } from "./read-reply.ts";

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

function answer(status: number, body: unknown) {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)), endMarked: true };
}

const sent = (status: number, body: unknown) => outcomeOfSend(answer(status, body), "R1");
const asked = (status: number, body: unknown) => findingOfAsk(answer(status, body), "R1");
const rejected = (error: string, more: object = { urid: "R1" }) => ({
  status: "rejected",
  error,
  code: 1,
  message: "secret words",
  ...more,
});

test("results of a new recharge are taken as they are said", () => {
  expect(sent(200, { ...RESULT, status: "SUCCESS" })).toEqual({ kind: "succeeded", operatorRef: "OP1" });
  expect(sent(200, { ...RESULT, status: "SUCCESS", operator_ref: null })).toEqual({ kind: "succeeded", operatorRef: "" });
  expect(sent(200, { ...RESULT, status: "FAILED" })).toEqual({ kind: "declined", reason: "Said.", failure: "declined" });
  const message = "The number is not valid for this operator.";
  expect(sent(200, { ...RESULT, status: "FAILED", message })).toMatchObject({ kind: "declined", failure: "number_not_valid" });
  expect(sent(200, { ...RESULT, status: "pending" }).kind).toBe("pending");
});

test("failed means declined only when nothing was created", () => {
  const failed = { ...RESULT, status: "failed", operator_ref: null, balance: null };
  expect(sent(200, { ...failed, order_id: "" })).toEqual({ kind: "declined", reason: "Said.", failure: "unavailable" });
  expect(sent(200, { ...failed, ok: false, error: "kyc_not_verified", order_id: "" }).kind).toBe("declined");
  expect(sent(200, failed).kind).toBe("unknown");
});

test.each([
  [400, "invalid_request", "declined"],
  [401, "token_invalid", "not_sent"],
  [401, "token_missing", "not_sent"],
  [401, "invalid_signature", "unknown"],
  [402, "insufficient_balance", "declined"],
  [403, "ip_not_allowed", "not_sent"],
  [403, "account_paused", "unknown"],
  [403, "service_not_enabled", "unknown"],
  [404, "not_found", "declined"],
  [405, "method_not_allowed", "declined"],
  [409, "duplicate_reference", "unknown"],
  [413, "body_too_large", "declined"],
  [415, "invalid_request", "unknown"],
  [422, "amount_out_of_range", "declined"],
  [422, "unknown_operator", "declined"],
  [429, "rate_limited", "declined"],
  [500, "internal_error", "unknown"],
  [503, "busy", "not_sent"],
  [503, "bank_down", "unknown"],
  [500, "busy", "unknown"],
  [500, "insufficient_balance", "unknown"],
  [200, "insufficient_balance", "unknown"],
])("a new recharge refused with %i %s is %s", (status, error, kind) => {
  const outcome = sent(status, rejected(error));
  expect(outcome.kind).toBe(kind);
  expect(JSON.stringify(outcome)).not.toContain("secret words");
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
  expect(asked(200, { ...RESULT, status: "FAILED" })).toEqual({ kind: "reversed", reason: "Said.", failure: "declined" });
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
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(body, fc.integer({ min: 200, max: 599 }), (bytes, status) => {
      expect(outcomeOfSend({ status, headers: {}, body: bytes, endMarked: true }, "R1").kind).toBe("unknown");
      expect(findingOfAsk({ status, headers: {}, body: bytes, endMarked: true }, "R1").kind).toBe("unknown");
    }),
  );
});
