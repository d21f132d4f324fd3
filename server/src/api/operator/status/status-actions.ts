import { z } from "zod";
import { createAnnouncement, createEvent, setVisibility, updateEvent, withdrawAnnouncement } from "../../../domain/status/change-status.ts";
import { componentNames } from "../../../domain/status/component.ts";
import { EVENT_KINDS, EVENT_STATES } from "../../../domain/status/event.ts";
import { readSnapshot } from "../../../domain/status/snapshot.ts";
import { findEvent, readAnnouncements } from "../../../domain/status/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import {
  announcementOutput,
  announcementView,
  statusEventOutput,
  statusEventView,
  statusOutput,
  statusView,
} from "../../sites/outputs/status-outputs.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id, moment, noBody, reason } from "../fields.ts";
import { conflict, noSuch, wrongFields } from "../refusal.ts";

const words = (most: number) =>
  z
    .string()
    .trim()
    .min(1, "Must not be empty.")
    .max(most)
    .regex(/^[^\p{Cc}]*(?:\n[^\p{Cc}]*)*$/u, "Must not contain control characters.");
const title = words(150);
const text = words(2_000);

const show = action({
  path: "GET /status",
  summary: "Shows the status page with all services and operators, incidents and maintenance windows.",
  roles: EVERYBODY,
  output: statusOutput,
  handler: async ({ deps }) => statusView(await readSnapshot(deps)),
});

const changeVisibility = action({
  path: "POST /status",
  summary: "Sets who sees the status page: everybody, members of clients, or nobody.",
  roles: OPERATIONS,
  proof: "recent",
  body: z.strictObject({ visibility: z.enum(["public", "clients", "off"]), reason }),
  output: statusOutput,
  handler: async ({ deps, actor, body }) => {
    await setVisibility(deps, actor, body);
    return statusView(await readSnapshot(deps));
  },
});

const addEvent = action({
  path: "POST /status/events",
  summary: "Announces an incident, or a maintenance window with its times.",
  roles: OPERATIONS,
  body: z.strictObject({
    kind: z.enum(EVENT_KINDS),
    title,
    text,
    components: z.array(z.string().max(80)).min(1, "Choose at least one.").max(100),
    starts_at: moment.optional(),
    ends_at: moment.optional(),
    reason,
  }),
  output: statusEventOutput,
  status: 201,
  handler: async ({ deps, actor, body: { starts_at: start, ends_at: end, ...body } }) => {
    const unknown = body.components.find((one) => !componentNames(deps).has(one));
    if (unknown !== undefined) return wrongFields({ components: `${unknown} is neither a service nor an operator.` });
    if (body.kind === "incident") return await eventOrRefusal(deps, await createEvent(deps, actor, { ...body, window: null }));
    if (start === undefined || end === undefined) return wrongFields({ starts_at: "A maintenance window needs a start and an end." });
    if (end <= start) return wrongFields({ ends_at: "Must be after the start." });
    const window = { startsAt: new Date(start), endsAt: new Date(end) };
    return await eventOrRefusal(deps, await createEvent(deps, actor, { ...body, window }));
  },
});

const addUpdate = action({
  path: "POST /status/events/:event_id/updates",
  summary: "Adds an update to an incident or a maintenance window, with its new state.",
  roles: OPERATIONS,
  params: z.object({ event_id: id }),
  body: z.strictObject({ state: z.enum(EVENT_STATES), text, reason }),
  output: statusEventOutput,
  handler: async ({ deps, actor, params: { event_id: eventId }, body }) => {
    const result = await updateEvent(deps, actor, { eventId, ...body });
    if (result.kind === "conflict") return conflict(result.reason);
    return result.kind === "not_found" ? noSuch("event") : await eventOrRefusal(deps, eventId);
  },
});

async function eventOrRefusal(deps: OperatorApiDependencies, eventId: string) {
  const event = await findEvent(deps.sql, eventId);
  return event ? statusEventView(event) : noSuch("event");
}

const staffAnnouncement = announcementOutput.extend({ withdrawn_at: timeText.nullable() }).meta({ id: "StaffAnnouncement" });
const announcementsOutput = z.strictObject({ items: z.array(staffAnnouncement).readonly() }).meta({ id: "Announcements" });

const browseAnnouncements = action({
  path: "GET /announcements",
  summary: "Lists the newest announcements of the portal.",
  roles: EVERYBODY,
  output: announcementsOutput,
  handler: async ({ deps }) => await announcements(deps),
});

const addAnnouncement = action({
  path: "POST /announcements",
  summary: "Announces something to all members at the portal.",
  roles: OPERATIONS,
  body: z.strictObject({ title, text, from: moment.optional(), until: moment.optional(), reason }),
  output: announcementsOutput,
  status: 201,
  handler: async ({ deps, actor, body: { from, until, ...body } }) => {
    if (until !== undefined && until <= (from ?? deps.clock.now())) return wrongFields({ until: "Must be after the start." });
    const times = { from: from === undefined ? null : new Date(from), until: until === undefined ? null : new Date(until) };
    await createAnnouncement(deps, actor, { ...body, ...times });
    return await announcements(deps);
  },
});

const withdraw = action({
  path: "POST /announcements/:announcement_id/withdraw",
  summary: "Removes an announcement from the portal.",
  roles: OPERATIONS,
  params: z.object({ announcement_id: id }),
  body: noBody,
  output: announcementsOutput,
  handler: async ({ deps, actor, params: { announcement_id: announcementId }, body }) => {
    const result = await withdrawAnnouncement(deps, actor, { announcementId, ...body });
    return result.kind === "not_found" ? noSuch("announcement") : await announcements(deps);
  },
});

async function announcements({ sql }: OperatorApiDependencies) {
  const rows = await readAnnouncements(sql);
  return {
    items: rows.map((row) => ({ ...announcementView(row), withdrawn_at: row.withdrawn_at && indiaDateTime(row.withdrawn_at.getTime()) })),
  };
}

/** The status page and announcements to clients. */
export const statusActions: readonly Action[] = [
  ...[show, changeVisibility, addEvent, addUpdate],
  ...[browseAnnouncements, addAnnouncement, withdraw],
];
