import type { Fragment } from "postgres";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { Row as TableRow } from "../../../platform/db/schema/row-types.ts";
import { type AssigneeFilter, matchesAssignee } from "../../work/assignee-filter.ts";
import type { Alert, AlertKind, AlertState } from "./alert.ts";

const MAX_ACTIVE = 100;

type Row = Pick<
  TableRow<"alerts">,
  "alert_id" | "subject" | "message" | "opened_at" | "seen_at" | "closed_at" | "acknowledged_at" | "acknowledged_by" | "note"
> & {
  readonly kind: AlertKind;
  readonly assigned_to: string | null;
};

function columns(sql: Queryable): Fragment {
  return sql`alert_id, kind, subject, message, opened_at, seen_at, closed_at, acknowledged_at, acknowledged_by, note,
    (select i.assigned_to from work_items i where i.account_id = '' and i.kind = 'alert' and i.item_id = alert_id) as assigned_to`;
}

function toAlert(row: Row): Alert {
  const { acknowledged_at: at, acknowledged_by: by, note } = row;
  return {
    alertId: row.alert_id,
    kind: row.kind,
    subject: row.subject,
    message: row.message,
    openedAt: row.opened_at,
    seenAt: row.seen_at,
    closedAt: row.closed_at,
    assignedTo: row.assigned_to,
    acknowledged: at === null || by === null || note === null ? null : { at, by, note },
  };
}

/** Open and acknowledged alerts, newest first. */
export async function listActiveAlerts(sql: Queryable): Promise<readonly Alert[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from alerts where closed_at is null order by opened_at desc, alert_id desc limit ${MAX_ACTIVE}`;
  return rows.map(toAlert);
}

export type AlertFilter = {
  readonly state: AlertState | null;
  readonly kind: AlertKind | null;
  readonly assignedTo: AssigneeFilter;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
};

export async function listAlerts(sql: Sql, { state, kind, assignedTo, after, limit }: AlertFilter): Promise<readonly Alert[]> {
  const item = { kind: "alert", accountId: sql`''`, itemId: sql`alert_id` } as const;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from alerts where ${inState(sql, state)} and ${matchesAssignee(sql, assignedTo, item)}
      ${kind === null ? sql`` : sql`and kind = ${kind}`}
      ${after === null ? sql`` : sql`and (opened_at, alert_id) < (${after.at}, ${after.id})`}
    order by opened_at desc, alert_id desc limit ${limit}`;
  return rows.map(toAlert);
}

function inState(sql: Sql, state: AlertState | null): Fragment {
  if (state === null) return sql`true`;
  if (state === "closed") return sql`closed_at is not null`;
  return state === "open" ? sql`closed_at is null and acknowledged_at is null` : sql`closed_at is null and acknowledged_at is not null`;
}

export async function findAlert(sql: Queryable, alertId: string): Promise<Alert | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from alerts where alert_id = ${alertId}`;
  return row ? toAlert(row) : null;
}

/** The same with a lock until the transaction ends. */
export async function lockAlert(sql: Queryable, alertId: string): Promise<Alert | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from alerts where alert_id = ${alertId} for update`;
  return row ? toAlert(row) : null;
}

export async function countActiveAlerts(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ kind: string; count: number }[]>`
    select kind, count(*)::int as count from alerts where closed_at is null group by kind`;
  return new Map(rows.map((row) => [row.kind, row.count]));
}
