import { expect, test } from "vitest";
import { type CallbackVector, callbackVectors } from "../testing/vectors.js";
import { complaintCallback, type SignedCallback, statusCallback } from "./testing.js";

const decimal = (tenThousandths: unknown) =>
  `${Math.floor(Number(tenThousandths) / 10_000)}.${String(Number(tenThousandths) % 10_000).padStart(4, "0")}`;
const indiaTime = (seconds: unknown) => new Date((Number(seconds) + 19_800) * 1000).toISOString().slice(0, 19).replace("T", " ");

function make(vector: CallbackVector): SignedCallback {
  const { version, key, url, ts, nonce, facts } = vector;
  const keyed = version === 2 ? ({ version, token: key } as const) : ({ version, callbackSecret: key } as const);
  const common = { ...keyed, url, ts, nonce, orderId: facts.order_id, urid: facts.urid };
  if (facts.kind === "status") {
    const status = facts.status as "SUCCESS" | "FAILED";
    const operatorRef = facts["operator_ref"] as string | null;
    return statusCallback({ ...common, status, operatorRef, amount: decimal(facts["amount"]), account: String(facts["target"]) });
  }
  return complaintCallback({
    ...common,
    status: facts.status as "RESOLVED" | "REFUNDED",
    complaintRef: String(facts["complaint_ref"]),
    refundAmount: decimal(facts["refund_amount"]),
    resolvedAt: indiaTime(facts["resolved_at"]),
    reason: String(facts["reason"]),
    test: facts["test"] === true,
  });
}

test.each(callbackVectors)("the helpers make the callback that the service sends, to the byte: $name", (vector) => {
  const callback = make(vector);
  if (vector.version === 2) {
    const { pathname, search } = new URL(callback.url);
    expect(`${pathname}${search}`).toBe(vector.target);
    expect(callback).toMatchObject({ method: "GET", headers: {} });
    return;
  }
  expect(Buffer.from(callback.body).toString("hex")).toBe(vector.body_hex);
  expect(callback).toMatchObject({ method: "POST", url: vector.url });
  expect(callback.headers).toEqual({
    "content-type": "application/json",
    "x-callback-signature": vector.signature,
    "x-callback-timestamp": String(vector.ts),
  });
});
