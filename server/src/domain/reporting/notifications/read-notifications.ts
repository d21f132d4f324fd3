import type { Queryable } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { APPROVAL_KINDS, type ApprovalKind } from "../../approvals/approval.ts";
import { ALERT_KINDS, type AlertKind } from "../alerts/alert.ts";

export type NotificationKind =
  | "note"
  | "assigned"
  | "unassigned"
  | "complaint_raised"
  | "alert"
  | "approval_asked"
  | "approval_decided"
  | "job_finished";

/** Something that happened and concerns a staff member. */
export type Notification = {
  /** Names the event, so that it can be marked as read. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly at: Date;
  /** Who did it, as in the audit log; null if nobody did. */
  readonly actor: string | null;
  readonly subject: { readonly kind: "complaint" | "order" | "alert" | "approval" | "job"; readonly id: string };
  /** The note, the alert's message, the name of the client who complains, or the kind of the approval or job. */
  readonly text: string;
  /** The new state of an approval or job; the severity of an alert; the reason of a complaint; otherwise empty. */
  readonly state: string;
};

export type Reader = {
  readonly userId: string;
  /** The actor of the staff member, as in the audit log. */
  readonly actor: string;
  readonly mode: AccountMode | null;
  /** Which approvals the staff member's role may decide. */
  readonly mayDecide: (kind: ApprovalKind) => boolean;
};

const SHOWN_MILLISECONDS = 14 * 24 * 60 * 60 * 1000;
export const MAX_NOTIFICATIONS = 100;
// Complaints that nobody handles must not push everything else out of the list; the queue shows them all.
const MAX_COMPLAINTS = 20;

/** What happened in the last two weeks in one cell and concerns the staff member, newest first. */
export async function readNotifications(sql: Queryable, reader: Reader, now: number): Promise<readonly Notification[]> {
  const since = new Date(now - SHOWN_MILLISECONDS);
  const found = await Promise.all([
    readWork(sql, reader, since),
    readComplaints(sql, reader, since),
    reader.mode === "test" ? [] : readAlerts(sql, since),
    readAsked(sql, reader, since, now),
    readDecided(sql, reader, since),
    readJobs(sql, reader, since),
  ]);
  return newestFirst(found.flat());
}

export function newestFirst(all: readonly Notification[]): readonly Notification[] {
  return all.toSorted((one, other) => other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1)).slice(0, MAX_NOTIFICATIONS);
}

type WorkRow = {
  readonly note_id: string;
  readonly kind: "complaint" | "order" | "alert";
  readonly item_id: string;
  readonly event: "note" | "assigned" | "released";
  readonly author: string;
  readonly text: string;
  readonly assigned_to: string | null;
  readonly at: Date;
};

async function readWork(sql: Queryable, { userId, mode }: Reader, since: Date): Promise<readonly Notification[]> {
  const rows = await sql<WorkRow[]>`
    select note_id, kind, item_id, event, author, text, assigned_to, at from work_notes n
    where notifies @> ${[userId]}::text[] and at >= ${since} and ${ofMode(sql, "n.account_id", mode)}
    order by at desc limit ${MAX_NOTIFICATIONS}`;
  return rows.map((row) => ({
    id: `note-${row.note_id}`,
    kind: row.event === "note" ? "note" : row.assigned_to === userId ? "assigned" : "unassigned",
    at: row.at,
    actor: row.author,
    subject: { kind: row.kind, id: row.item_id },
    text: row.text,
    state: "",
  }));
}

/** New complaints, until somebody handles or decides them. */
async function readComplaints(sql: Queryable, { mode }: Reader, since: Date): Promise<readonly Notification[]> {
  const rows = await sql<{ complaint_ref: string; reason_code: string; name: string; raised_at: Date }[]>`
    select c.complaint_ref, c.reason_code, a.name, c.raised_at from complaints c join accounts a on a.account_id = c.account_id
    where c.status = 'OPEN' and c.raised_at >= ${since} and ${ofMode(sql, "c.account_id", mode)}
      and not exists (select from work_items w where w.account_id = c.account_id and w.kind = 'complaint' and w.item_id = c.complaint_ref
        and w.assigned_to is not null)
    order by c.raised_at desc, c.complaint_ref desc limit ${MAX_COMPLAINTS}`;
  return rows.map((row) => ({
    id: `complaint-${row.complaint_ref}`,
    kind: "complaint_raised",
    at: row.raised_at,
    actor: null,
    subject: { kind: "complaint", id: row.complaint_ref },
    text: row.name,
    state: row.reason_code,
  }));
}

async function readAlerts(sql: Queryable, since: Date): Promise<readonly Notification[]> {
  const rows = await sql<{ alert_id: string; kind: AlertKind; message: string; opened_at: Date }[]>`
    select alert_id, kind, message, opened_at from alerts where opened_at >= ${since}
    order by opened_at desc, alert_id desc limit ${MAX_NOTIFICATIONS}`;
  return rows.map((row) => ({
    id: `alert-${row.alert_id}`,
    kind: "alert",
    at: row.opened_at,
    actor: null,
    subject: { kind: "alert", id: row.alert_id },
    text: row.message,
    state: ALERT_KINDS[row.kind]?.severity ?? "warn",
  }));
}

type ApprovalRow = {
  readonly approval_id: string;
  readonly kind: string;
  readonly by: string | null;
  readonly state: string;
  readonly at: Date;
};

function toNotification(kind: NotificationKind, row: ApprovalRow): Notification {
  const subject = { kind: "approval", id: row.approval_id } as const;
  return { id: `${kind}-${row.approval_id}`, kind, at: row.at, actor: row.by, subject, text: row.kind, state: row.state };
}

/** Requests of others that wait for a decision which the staff member may make. */
async function readAsked(sql: Queryable, reader: Reader, since: Date, now: number): Promise<readonly Notification[]> {
  const kinds = APPROVAL_KINDS.filter(reader.mayDecide);
  const rows = await sql<ApprovalRow[]>`
    select approval_id, kind, made_by as by, state, created_at as at from approvals p
    where state = 'waiting' and expires_at > ${new Date(now)} and maker_person <> ${reader.actor} and kind = any(${kinds}::text[])
      and created_at >= ${since} and ${ofMode(sql, "p.account_id", reader.mode)}
    order by created_at desc limit ${MAX_NOTIFICATIONS}`;
  return rows.map((row) => toNotification("approval_asked", row));
}

/** What others decided about the staff member's own requests. */
async function readDecided(sql: Queryable, reader: Reader, since: Date): Promise<readonly Notification[]> {
  const rows = await sql<ApprovalRow[]>`
    select approval_id, kind, decided_by as by, state, decided_at as at from approvals p
    where maker_person = ${reader.actor} and decided_at >= ${since} and state not in ('waiting', 'withdrawn')
      and ${ofMode(sql, "p.account_id", reader.mode)}
    order by decided_at desc limit ${MAX_NOTIFICATIONS}`;
  return rows.map((row) => toNotification("approval_decided", row));
}

async function readJobs(sql: Queryable, reader: Reader, since: Date): Promise<readonly Notification[]> {
  const rows = await sql<{ job_id: string; kind: string; state: string; finished_at: Date }[]>`
    select job_id, kind, state, finished_at from jobs
    where owner = 'staff' and started_by = ${reader.actor} and finished_at >= ${since} and state in ('done', 'failed')
    order by finished_at desc limit ${MAX_NOTIFICATIONS}`;
  return rows.map((row) => ({
    id: `job-${row.job_id}`,
    kind: "job_finished",
    at: row.finished_at,
    actor: null,
    subject: { kind: "job", id: row.job_id },
    text: row.kind,
    state: row.state,
  }));
}
