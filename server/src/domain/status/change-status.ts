import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import { withReason } from "../accounts/account-change.ts";
import type { Conflict, Done, NotFound, WithReason } from "../accounts/context.ts";
import { appendAudit } from "../audit/append.ts";
import { type EventKind, type EventState, firstState, isEnded, mayBecome } from "./event.ts";
import { lockEvent, type Visibility } from "./store.ts";
import { queueNotices } from "./subscriptions.ts";

export type StatusContext = { readonly sql: Sql; readonly clock: Clock; readonly ids: Ids };

async function audited(tx: Transaction, at: Date, actor: string, action: string, id: string, details: JsonObject): Promise<void> {
  await appendAudit(tx, at, { actor, action, subject: { kind: "status", id }, details });
}

export async function setVisibility(
  ctx: StatusContext,
  actor: string,
  input: WithReason & { readonly visibility: Visibility },
): Promise<void> {
  await ctx.sql.begin(async (tx) => {
    await tx`update status_settings set visibility = ${input.visibility}`;
    const details = withReason({ visibility: input.visibility }, input.reason);
    await audited(tx, new Date(ctx.clock.now()), actor, "status.visibility_changed", "settings", details);
  });
}

export type NewEvent = WithReason & {
  readonly kind: EventKind;
  readonly title: string;
  readonly text: string;
  readonly components: readonly string[];
  /** Only for maintenance: an incident begins now. */
  readonly window: { readonly startsAt: Date; readonly endsAt: Date } | null;
};

/** Announces an incident or a maintenance window, with its first update. */
export async function createEvent(ctx: StatusContext, actor: string, input: NewEvent): Promise<string> {
  const now = ctx.clock.now();
  const [at, eventId] = [new Date(now), ctx.ids.entry(now)];
  const { kind, title, text, components, window } = input;
  const state = firstState(kind);
  await ctx.sql.begin(async (tx) => {
    await tx`
      insert into status_events (event_id, kind, title, components, state, starts_at, ends_at, created_by, created_at, updated_at)
      values (${eventId}, ${kind}, ${title}, ${components as string[]}, ${state}, ${window?.startsAt ?? at}, ${window?.endsAt ?? null},
        ${actor}, ${at}, ${at})`;
    await insertUpdate(tx, ctx, { eventId, state, text, actor, at });
    await audited(tx, at, actor, "status.event_created", eventId, withReason({ kind, title, components: [...components] }, input.reason));
  });
  return eventId;
}

type Update = { readonly eventId: string; readonly state: EventState; readonly text: string; readonly actor: string; readonly at: Date };

async function insertUpdate(tx: Transaction, ctx: StatusContext, { eventId, state, text, actor, at }: Update): Promise<void> {
  const updateId = ctx.ids.entry(at.getTime());
  await tx`
    insert into status_updates (event_id, update_id, state, text, written_by, at)
    values (${eventId}, ${updateId}, ${state}, ${text}, ${actor}, ${at})`;
  await queueNotices(tx, updateId, at);
}

export async function updateEvent(
  ctx: StatusContext,
  actor: string,
  input: WithReason & { readonly eventId: string; readonly state: EventState; readonly text: string },
): Promise<Done | NotFound | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound | Conflict> => {
    const event = await lockEvent(tx, input.eventId);
    if (!event) return { kind: "not_found" };
    const { eventId, state, text } = input;
    if (!mayBecome(event.kind, event.state, state))
      return { kind: "conflict", reason: isEnded(event.state) ? "It has ended already." : `A ${event.kind} cannot be ${state}.` };
    const at = new Date(ctx.clock.now());
    const resolved = event.kind === "incident" && state === "resolved";
    await tx`
      update status_events set state = ${state}, updated_at = ${at}, ends_at = ${resolved ? at : event.ends_at} where event_id = ${eventId}`;
    await insertUpdate(tx, ctx, { eventId, state, text, actor, at });
    await audited(tx, at, actor, "status.event_updated", eventId, withReason({ state }, input.reason));
    return { kind: "done" };
  });
}

export type NewAnnouncement = WithReason & {
  readonly title: string;
  readonly text: string;
  readonly from: Date | null;
  readonly until: Date | null;
};

export async function createAnnouncement(ctx: StatusContext, actor: string, input: NewAnnouncement): Promise<string> {
  const now = ctx.clock.now();
  const [at, announcementId] = [new Date(now), ctx.ids.entry(now)];
  await ctx.sql.begin(async (tx) => {
    await tx`
      insert into announcements (announcement_id, title, text, shown_from, shown_until, created_by, created_at)
      values (${announcementId}, ${input.title}, ${input.text}, ${input.from ?? at}, ${input.until}, ${actor}, ${at})`;
    await audited(tx, at, actor, "announcement.created", announcementId, withReason({ title: input.title }, input.reason));
  });
  return announcementId;
}

export async function withdrawAnnouncement(
  ctx: StatusContext,
  actor: string,
  input: WithReason & { readonly announcementId: string },
): Promise<Done | NotFound> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const at = new Date(ctx.clock.now());
    const rows = await tx`
      update announcements set withdrawn_at = ${at} where announcement_id = ${input.announcementId} and withdrawn_at is null
      returning announcement_id`;
    if (rows.length === 0) return { kind: "not_found" };
    await audited(tx, at, actor, "announcement.withdrawn", input.announcementId, withReason({}, input.reason));
    return { kind: "done" };
  });
}
