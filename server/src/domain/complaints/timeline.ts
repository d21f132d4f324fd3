import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { AuditRow } from "../audit/list.ts";
import type { CallbackAttemptRow, CallbackRow } from "../callbacks/queries/read-callbacks.ts";
import { NO_PROVIDER, type Order } from "../orders/order.ts";
import type { Attempt, History, Posting } from "../orders/queries/read-history.ts";
import { failureSentence, staffWords } from "../shared/failure.ts";
import type { Complaint } from "./complaint.ts";

// The order of events with the same time.
const KINDS = [
  "request",
  "hold",
  "attempt",
  "answer",
  "pending",
  "manual",
  "ledger",
  "state",
  "reversal",
  "complaint",
  "callback",
  "delivery",
] as const;

export type TimelineEvent = {
  readonly at: number;
  readonly kind: (typeof KINDS)[number];
  readonly title: string;
  readonly detail: string;
};

export type CallbackWithAttempts = { readonly row: CallbackRow; readonly attempts: readonly CallbackAttemptRow[] };

export type TimelineInput = {
  readonly order: Order;
  readonly reversed: boolean;
  readonly history: History;
  readonly complaints: readonly Complaint[];
  readonly callbacks: readonly CallbackWithAttempts[];
  /** Manual actions, shown to staff only. Provider names are also hidden from clients. */
  readonly manualChanges?: readonly AuditRow[];
};

/** All events of an order in chronological order. */
export function timelineOf(input: TimelineInput): readonly TimelineEvent[] {
  const { order, history } = input;
  const events: readonly TimelineEvent[] = [
    event(
      order.createdAt,
      "request",
      "Request accepted",
      `${order.service} ${order.operator} ${order.target}, ${formatMoney(order.amount)}`,
    ),
    ...history.postings.map(postingEvent),
    ...history.attempts.flatMap((attempt, place) => attemptEvents(input, attempt, place === history.attempts.length - 1)),
    ...pendingEvents(order),
    ...(input.manualChanges ?? []).map(manualChangeEvent),
    ...stateEvents(input),
    ...input.complaints.flatMap(complaintEvents),
    ...input.callbacks.flatMap(callbackEvents),
  ];
  return events.toSorted((one, other) => one.at - other.at || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

export function eventFields({ at, kind, title, detail }: TimelineEvent) {
  return { at: indiaDateTime(at), kind: kind === "hold" ? "ledger" : kind, title, detail };
}

function event(at: number, kind: TimelineEvent["kind"], title: string, detail = ""): TimelineEvent {
  return { at, kind, title, detail };
}

const POSTINGS: Readonly<Record<string, string>> = {
  hold: "Money held",
  capture: "Money captured",
  fee: "Fee paid",
  void: "Hold released",
  reversal: "Money returned",
  fee_return: "Fee returned",
  refund: "Money refunded",
  credit: "Money credited",
  credit_back: "Credit reversed",
  commission: "Commission earned",
  commission_back: "Commission reversed",
};

function postingEvent(posting: Posting): TimelineEvent {
  const detail = `${formatMoney(posting.amount)}, balance ${formatMoney(posting.available_after)}`;
  return event(posting.at.getTime(), posting.kind === "hold" ? "hold" : "ledger", POSTINGS[posting.kind] ?? posting.kind, detail);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: "succeeded",
  declined: "was declined",
  not_sent: "did not reach the operator",
};

function attemptEvents(input: TimelineInput, attempt: Attempt, isLast: boolean): readonly TimelineEvent[] {
  const isForStaff = input.manualChanges !== undefined;
  const startedAt = attempt.started_at.getTime();
  if (attempt.provider === NO_PROVIDER)
    return [
      event(
        startedAt,
        "attempt",
        isForStaff ? "No provider could take the order" : "Not sent to the operator",
        isForStaff ? (attempt.detail ?? "") : "",
      ),
    ];
  const started = event(startedAt, "attempt", `Attempt ${attempt.attempt} sent to ${isForStaff ? attempt.provider : "the operator"}`);
  const end =
    attempt.outcome === null && isLast ? endOfOrder(input) : { outcome: attempt.outcome, at: attempt.ended_at, detail: attempt.detail };
  if (end.outcome === null || end.at === null) return [started];
  const title = `Attempt ${attempt.attempt} ${OUTCOMES[end.outcome] ?? end.outcome}`;
  // A client sees the failure in the state's event; the provider's text is for staff.
  return [started, event(end.at.getTime(), "answer", title, isForStaff ? (end.detail ?? "") : "")];
}

const MANUAL_CHANGES: Readonly<Record<string, string>> = {
  "order.settled": "Settled manually",
  "order.reversed": "Reversed manually",
  "order.refunded": "Refunded manually",
  "order.cancelled": "Cancelled manually",
  "order.cancellation_ended": "Cancellation ended manually, not cancelled",
  "order.requeried": "Provider queried",
};

/** The details to show first, if present. */
const FACTS = ["status", "operator_ref", "provider", "said", "detail", "reason", "complaint_ref"] as const;

function manualChangeEvent(entry: AuditRow): TimelineEvent {
  const details = JSON.parse(entry.details) as Readonly<Record<string, unknown>>;
  const facts = FACTS.map((name) => details[name]).filter((fact) => typeof fact === "string" && fact !== "");
  return event(entry.at.getTime(), "manual", MANUAL_CHANGES[entry.action] ?? entry.action, [...facts, `by ${entry.actor}`].join(", "));
}

type AttemptEnd = Pick<Attempt, "outcome" | "detail"> & { readonly at: Date | null };

/** The last of several attempts ends with its order. */
function endOfOrder({ order, reversed, history }: TimelineInput): AttemptEnd {
  if (order.state === "pending") return { outcome: null, detail: null, at: null };
  const at = new Date(firstEnd(order, history.postings));
  return order.state === "SUCCESS" || reversed
    ? { outcome: "succeeded", detail: null, at }
    : { outcome: "declined", detail: order.failure && staffWords(order.failure), at };
}

// The time of the pending reply is not recorded, so the order's creation time is used.
function pendingEvents(order: Order): readonly TimelineEvent[] {
  return order.answeredPending ? [event(order.createdAt, "pending", "Answered pending", "A callback is due when it is final.")] : [];
}

const ENDS: ReadonlySet<string> = new Set(["capture", "fee", "credit", "void"]);
const RETURNS: ReadonlySet<string> = new Set(["reversal", "fee_return", "refund", "credit_back"]);

function firstEnd(order: Order, postings: readonly Posting[]): number {
  return postings.find((posting) => ENDS.has(posting.kind))?.at.getTime() ?? order.updatedAt;
}

function stateEvents(input: TimelineInput): readonly TimelineEvent[] {
  const { order, reversed, history } = input;
  if (order.state === "pending") return [];
  const at = firstEnd(order, history.postings);
  if (order.state === "SUCCESS") return [event(at, "state", "SUCCESS", operatorRef(order))];
  if (!reversed) return [event(at, "state", "FAILED", failureText(input))];
  const back = history.postings.findLast((posting) => RETURNS.has(posting.kind))?.at.getTime() ?? order.updatedAt;
  return [event(at, "state", "SUCCESS", operatorRef(order)), event(back, "reversal", "Reversed", failureText(input))];
}

function failureText({ order, manualChanges }: TimelineInput): string {
  if (order.failure === null) return "";
  return manualChanges === undefined ? (failureSentence(order.failure) ?? "") : staffWords(order.failure);
}

function operatorRef(order: Order): string {
  return order.operatorRef === null ? "" : `Operator reference ${order.operatorRef}`;
}

function complaintEvents(complaint: Complaint): readonly TimelineEvent[] {
  const { complaintRef, reasonCode, description, status } = complaint;
  const raised = event(complaint.raisedAt, "complaint", `Complaint ${complaintRef} raised`, `${reasonCode}: ${description}`);
  if (complaint.resolvedAt === null) return [raised];
  const refund = status === "REFUNDED" ? `, ${formatMoney(complaint.refundAmount)} returned` : "";
  return [raised, event(complaint.resolvedAt, "complaint", `Complaint ${complaintRef} ${status}${refund}`, complaint.reason)];
}

function callbackEvents({ row, attempts }: CallbackWithAttempts): readonly TimelineEvent[] {
  const what = row.kind === "status" ? `Callback ${row.status}` : `Complaint callback ${row.status}`;
  return [
    event(row.created_at.getTime(), "callback", `${what} due`),
    ...attempts.map((one) => {
      const answer = one.http_status === null ? (one.error ?? "no answer") : `HTTP ${one.http_status}`;
      const title = `${what}: attempt ${one.attempt} ${one.error === null ? "delivered" : "failed"}`;
      return event(one.at.getTime(), "delivery", title, `${one.url}, ${one.milliseconds} ms: ${answer}`);
    }),
  ];
}
