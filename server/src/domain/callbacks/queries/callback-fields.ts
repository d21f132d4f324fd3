import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { CallbackAttemptRow, CallbackRow } from "./read-callbacks.ts";

/** A delivery as the APIs for clients and staff show it. */
export function callbackFields(row: CallbackRow) {
  return {
    callback_id: row.callback_id,
    account_id: row.account_id,
    kind: row.kind,
    order_id: row.order_id,
    urid: row.urid,
    status: row.status,
    complaint_ref: row.complaint_ref,
    version: row.version,
    state: row.state,
    attempts: row.attempts,
    in_flight: row.in_flight,
    next_at: row.state === "delivered" ? null : time(row.next_at),
    last_http_status: row.last_http_status,
    last_error: row.last_error,
    created_at: time(row.created_at),
    delivered_at: row.delivered_at && time(row.delivered_at),
  };
}

export function attemptFields(row: CallbackAttemptRow) {
  return {
    attempt: row.attempt,
    at: time(row.at),
    url: row.url,
    version: row.version,
    http_status: row.http_status,
    error: row.error,
    milliseconds: row.milliseconds,
    reply: row.reply,
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
