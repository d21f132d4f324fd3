import { bookingKey } from "./booking-key.js";
import type { Callback, ComplaintCallback, StatusCallback } from "./types.js";

type Fields = Readonly<Record<string, string>>;

const STATUSES: readonly string[] = ["SUCCESS", "FAILED"];
const DECISIONS: readonly string[] = ["RESOLVED", "REFUNDED"];

/** The message of a rightly signed callback; null when something is missing or not known, which is never guessed at. */
export function readCallback(version: 2 | 3, fields: Fields, ts: number): Callback | null {
  if (fields["v"] !== String(version)) return null;
  if (!has(fields, ["orderid", "urid", "nonce"])) return null;
  if (fields["event"] === undefined) return readStatus(version, fields, ts);
  return fields["event"] === "complaint" ? readComplaint(version, fields, ts) : null;
}

function readStatus(version: 2 | 3, fields: Fields, ts: number): StatusCallback | null {
  if (!STATUSES.includes(text(fields, "status")) || !has(fields, ["amount", "account"])) return null;
  const status = text(fields, "status") as StatusCallback["status"];
  const common = { ...shared(version, fields, ts), kind: "status", status } as const;
  const operatorRef = text(fields, "optid") === "" ? null : text(fields, "optid");
  return { ...common, operatorRef, amount: text(fields, "amount"), account: text(fields, "account"), bookingKey: bookingKey(common) };
}

function readComplaint(version: 2 | 3, fields: Fields, ts: number): ComplaintCallback | null {
  if (!DECISIONS.includes(text(fields, "status")) || !has(fields, ["complaint_ref", "refund_amount", "resolved_at"])) return null;
  const status = text(fields, "status") as ComplaintCallback["status"];
  const complaintRef = text(fields, "complaint_ref");
  const common = { ...shared(version, fields, ts), kind: "complaint", status, complaintRef } as const;
  return {
    ...common,
    refundAmount: text(fields, "refund_amount"),
    reason: fields["reason"] ?? null,
    resolvedAt: text(fields, "resolved_at"),
    test: fields["test"] === "1",
    bookingKey: bookingKey(common),
  };
}

function shared(version: 2 | 3, fields: Fields, ts: number) {
  return {
    version,
    orderId: text(fields, "orderid"),
    urid: text(fields, "urid"),
    ts,
    nonce: text(fields, "nonce"),
    parameters: { ...fields },
  };
}

function has(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => text(fields, name) !== "");
}

function text(fields: Fields, name: string): string {
  return fields[name] ?? "";
}
