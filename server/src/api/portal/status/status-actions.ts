import { z } from "zod";
import { dismissAnnouncement, readShownAnnouncements } from "../../../domain/status/store.ts";
import { noSuch } from "../../sites/actions/refusal.ts";
import { announcementOutput, announcementView, statusOutput, statusView } from "../../sites/outputs/status-outputs.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { id, nothing } from "../answers.ts";
import type { PortalDependencies } from "../context.ts";
import { subscriptionActions } from "./subscription-actions.ts";

const show = action({
  path: "GET /status",
  summary: "Shows the status page, unless the platform has switched it off.",
  roles: EVERYBODY,
  input: nothing,
  output: statusOutput,
  handler: async ({ deps }) => {
    const snapshot = await deps.readStatus();
    return snapshot.visibility === "off" ? noSuch("status page") : statusView(snapshot);
  },
});

const announcementsOutput = z.strictObject({ items: z.array(announcementOutput).readonly() });

const announcements = action({
  path: "GET /announcements",
  summary: "Lists the platform's announcements that the member has not dismissed.",
  roles: EVERYBODY,
  input: nothing,
  output: announcementsOutput,
  handler: async ({ deps, session }) => await shown(deps, session.userId),
});

const dismiss = action({
  path: "POST /announcements/:announcement_id/dismiss",
  summary: "Hides an announcement from this member.",
  roles: EVERYBODY,
  input: z.strictObject({ announcement_id: id }),
  output: announcementsOutput,
  handler: async ({ deps, session, input }) => {
    await dismissAnnouncement(deps.auth.sql, session.userId, input.announcement_id, new Date(deps.clock.now()));
    return await shown(deps, session.userId);
  },
});

async function shown({ auth, clock }: PortalDependencies, userId: string) {
  const rows = await readShownAnnouncements(auth.sql, userId, new Date(clock.now()));
  return { items: rows.map(announcementView) };
}

/** The status page and announcements of the platform. */
export const statusActions: readonly PortalAction[] = [show, announcements, dismiss, ...subscriptionActions];
