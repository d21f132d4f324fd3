import { z } from "zod";
import { countWork } from "../../../domain/reporting/notifications/count-work.ts";
import { markRead, readMarked } from "../../../domain/reporting/notifications/notification-reads.ts";
import { MAX_NOTIFICATIONS, type Notification, readNotifications } from "../../../domain/reporting/notifications/read-notifications.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action, type CellRule } from "../action.ts";
import { mayDecide } from "../approvals/view.ts";
import { SUMMED } from "../cell-rules.ts";
import { Refusal } from "../refusal.ts";
import { notificationsOutput, workCountsOutput } from "./outputs.ts";

type Notifications = z.output<typeof notificationsOutput>;

const NO_PERSON = new Refusal("forbidden", "Only signed-in staff have notifications. An operator key has none.");

/** The newest of all cells. India times sort as texts. */
const MERGED_NOTIFICATIONS: CellRule = {
  kind: "list",
  merge: (results: readonly Notifications[]): Notifications =>
    counted(
      results
        .flatMap(({ items }) => items)
        .toSorted((one, other) => (one.at < other.at ? 1 : -1))
        .slice(0, MAX_NOTIFICATIONS),
    ),
};

function counted(items: Notifications["items"]): Notifications {
  return { items, unread: items.filter((one) => !one.read).length };
}

const listNotifications = action({
  path: "GET /notifications",
  summary: "Lists what happened in the last two weeks and concerns the signed-in staff member, newest first.",
  roles: EVERYBODY,
  output: notificationsOutput,
  cells: MERGED_NOTIFICATIONS,
  handler: async ({ deps, caller, actor }) => {
    const { staff, mode } = caller;
    if (!staff) return NO_PERSON;
    const reader = { userId: staff.userId, actor, mode, mayDecide: (kind: Parameters<typeof mayDecide>[1]) => mayDecide(caller, kind) };
    const found = await readNotifications(deps.sql, reader, deps.clock.now());
    const read = await readMarked(
      deps.staff.sql,
      staff.userId,
      found.map(({ id }) => id),
    );
    return counted(found.map((one) => notificationView(one, read.has(one.id))));
  },
});

const readBody = z.strictObject({
  notification_ids: z
    .array(z.string().regex(/^[a-z_]+-[A-Z0-9]{1,40}$/))
    .min(1)
    .max(MAX_NOTIFICATIONS),
});

const markNotifications = action({
  path: "POST /notifications/read",
  summary: "Marks notifications of the signed-in staff member as read.",
  roles: EVERYBODY,
  inTestMode: true,
  body: readBody,
  output: z.strictObject({ ok: z.literal(true) }).meta({ id: "NotificationsRead" }),
  handler: async ({ deps, caller: { staff }, body }) => {
    if (!staff) return NO_PERSON;
    await markRead(deps.staff.sql, staff.userId, body.notification_ids, deps.clock.now());
    return { ok: true as const };
  },
});

const countQueues = action({
  path: "GET /work/counts",
  summary: "Counts the open items in each queue, and those that are assigned to the caller.",
  roles: EVERYBODY,
  output: workCountsOutput,
  // A cell that does not answer must not hide the counts of the others.
  cells: { kind: "list", merge: SUMMED.merge },
  handler: async ({ deps, caller }) => {
    const decides = (kind: Parameters<typeof mayDecide>[1]) => mayDecide(caller, kind);
    const counter = { userId: caller.staff?.userId ?? null, person: caller.person, mode: caller.mode, mayDecide: decides };
    return await countWork(deps.sql, counter, deps.clock.now());
  },
});

function notificationView(one: Notification, read: boolean): Notifications["items"][number] {
  return {
    notification_id: one.id,
    kind: one.kind,
    at: indiaDateTime(one.at.getTime()),
    actor: one.actor,
    subject_kind: one.subject.kind,
    subject_id: one.subject.id,
    text: one.text,
    state: one.state,
    read,
  };
}

/** The bell and the numbers in the menu. */
export const notificationActions: readonly Action[] = [listNotifications, markNotifications, countQueues];
