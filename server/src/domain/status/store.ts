import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { EventKind, EventState } from "./event.ts";

export type Visibility = Row<"status_settings">["visibility"];

export async function readVisibility(sql: Queryable): Promise<Visibility> {
  const [row] = await sql<{ visibility: Visibility }[]>`select visibility from status_settings`;
  return row?.visibility ?? "off";
}

export type EventRow = Omit<Row<"status_events">, "kind" | "state"> & { readonly kind: EventKind; readonly state: EventState };
export type UpdateRow = Omit<Row<"status_updates">, "state"> & { readonly state: EventState };
export type StatusEvent = EventRow & { readonly updates: readonly UpdateRow[] };

/** Events that are open or changed since, the newest first, each with its updates. */
export async function readEvents(sql: Queryable, since: Date, limit = 200): Promise<readonly StatusEvent[]> {
  const rows = await sql<EventRow[]>`
    select ${eventColumns(sql)} from status_events
    where updated_at >= ${since} or state not in ('resolved', 'done', 'cancelled')
    order by created_at desc, event_id desc limit ${limit}`;
  return await withUpdates(sql, rows);
}

export async function findEvent(sql: Queryable, eventId: string): Promise<StatusEvent | undefined> {
  const rows = await sql<EventRow[]>`select ${eventColumns(sql)} from status_events where event_id = ${eventId}`;
  return (await withUpdates(sql, rows))[0];
}

export async function lockEvent(tx: Transaction, eventId: string): Promise<EventRow | undefined> {
  const [row] = await tx<EventRow[]>`select ${eventColumns(tx)} from status_events where event_id = ${eventId} for update`;
  return row;
}

function eventColumns(sql: Queryable) {
  return sql`event_id, kind, title, components, state, starts_at, ends_at, created_by, created_at, updated_at`;
}

async function withUpdates(sql: Queryable, rows: readonly EventRow[]): Promise<readonly StatusEvent[]> {
  const updates = await sql<UpdateRow[]>`
    select event_id, update_id, state, text, written_by, at from status_updates
    where event_id = any(${rows.map((row) => row.event_id)}) order by at desc, update_id desc`;
  return rows.map((row) => ({ ...row, updates: updates.filter((update) => update.event_id === row.event_id) }));
}

export type DayRow = {
  readonly component: string;
  readonly day: string;
  readonly samples: number;
  readonly degraded: number;
  readonly down: number;
};

export async function readDays(sql: Queryable, since: string): Promise<readonly DayRow[]> {
  return await sql<DayRow[]>`
    select component, day::text as day, samples, degraded, down from status_days where day >= ${since}::date order by component, day`;
}

export type AnnouncementRow = Row<"announcements">;

export async function readAnnouncements(sql: Queryable, limit = 100): Promise<readonly AnnouncementRow[]> {
  return await sql<AnnouncementRow[]>`
    select announcement_id, title, text, shown_from, shown_until, created_by, created_at, withdrawn_at
    from announcements order by created_at desc, announcement_id desc limit ${limit}`;
}

/** What a member sees now: neither withdrawn nor dismissed by them. */
export async function readShownAnnouncements(sql: Queryable, userId: string, now: Date): Promise<readonly AnnouncementRow[]> {
  return await sql<AnnouncementRow[]>`
    select a.announcement_id, a.title, a.text, a.shown_from, a.shown_until, a.created_by, a.created_at, a.withdrawn_at
    from announcements a
    where a.withdrawn_at is null and a.shown_from <= ${now} and (a.shown_until is null or a.shown_until > ${now})
      and not exists (select from announcement_dismissals d where d.user_id = ${userId} and d.announcement_id = a.announcement_id)
    order by a.shown_from desc, a.announcement_id desc limit 5`;
}

export async function dismissAnnouncement(sql: Queryable, userId: string, announcementId: string, at: Date): Promise<void> {
  await sql`
    insert into announcement_dismissals (user_id, announcement_id, at)
    select ${userId}, announcement_id, ${at} from announcements where announcement_id = ${announcementId}
    on conflict do nothing`;
}
