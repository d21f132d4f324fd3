import { z } from "zod";
import { COMPONENT_STATES, overallState } from "../../../domain/status/component.ts";
import { EVENT_KINDS, EVENT_STATES, hasOpenIncident } from "../../../domain/status/event.ts";
import type { StatusSnapshot } from "../../../domain/status/snapshot.ts";
import type { AnnouncementRow, StatusEvent } from "../../../domain/status/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "./output-fields.ts";

const dayOutput = z.strictObject({
  day: z.string(),
  down_share: z.number().describe("The part of the day's measurements in which it was down, from 0 to 1."),
  degraded_share: z.number(),
});

const componentOutput = z
  .strictObject({
    component: z.string(),
    name: z.string(),
    group: z.enum(["services", "operators"]),
    state: z.enum(COMPONENT_STATES),
    days: z.array(dayOutput).readonly().describe("The measured days of the last 90, oldest first."),
  })
  .meta({ id: "StatusComponent" });

export const statusEventOutput = z
  .strictObject({
    event_id: z.string(),
    kind: z.enum(EVENT_KINDS),
    title: z.string(),
    components: z.array(z.string()).readonly(),
    state: z.enum(EVENT_STATES),
    starts_at: timeText,
    ends_at: timeText.nullable(),
    updates: z.array(z.strictObject({ state: z.enum(EVENT_STATES), text: z.string(), at: timeText })).readonly(),
  })
  .meta({ id: "StatusEvent" });

/** The status page. It names no client, no provider and no volume. */
export const statusOutput = z
  .strictObject({
    visibility: z.enum(["public", "clients", "off"]),
    overall: z.enum(["up", "degraded", "down"]),
    measured_at: timeText,
    components: z.array(componentOutput).readonly(),
    events: z.array(statusEventOutput).readonly().describe("Open ones, and those of the last 90 days, the newest first."),
  })
  .meta({ id: "StatusPage" });

export const announcementOutput = z
  .strictObject({
    announcement_id: z.string(),
    title: z.string(),
    text: z.string(),
    shown_from: timeText,
    shown_until: timeText.nullable(),
  })
  .meta({ id: "Announcement" });

export function statusView(snapshot: StatusSnapshot): z.output<typeof statusOutput> {
  const { visibility, components, events, days, at } = snapshot;
  return {
    visibility,
    overall: overallState(components, hasOpenIncident(events)),
    measured_at: indiaDateTime(at),
    components: components.map((one) => ({
      ...one,
      days: days
        .filter((day) => day.component === one.component)
        .map(({ day, samples, degraded, down }) => ({ day, down_share: share(down, samples), degraded_share: share(degraded, samples) })),
    })),
    events: events.map(statusEventView),
  };
}

function share(count: number, samples: number): number {
  return samples === 0 ? 0 : Math.round((count / samples) * 10_000) / 10_000;
}

export function statusEventView(event: StatusEvent): z.output<typeof statusEventOutput> {
  return {
    event_id: event.event_id,
    kind: event.kind,
    title: event.title,
    components: event.components,
    state: event.state,
    starts_at: indiaDateTime(event.starts_at.getTime()),
    ends_at: event.ends_at && indiaDateTime(event.ends_at.getTime()),
    updates: event.updates.map(({ state, text, at }) => ({ state, text, at: indiaDateTime(at.getTime()) })),
  };
}

export function announcementView(row: AnnouncementRow): z.output<typeof announcementOutput> {
  return {
    announcement_id: row.announcement_id,
    title: row.title,
    text: row.text,
    shown_from: indiaDateTime(row.shown_from.getTime()),
    shown_until: row.shown_until && indiaDateTime(row.shown_until.getTime()),
  };
}
