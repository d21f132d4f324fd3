import { z } from "zod";
import { timeText } from "../../sites/outputs/output-fields.ts";

/** The staff member who handles an item. */
export const assignee = z.string().nullable().describe("The user id of the staff member who handles it; null if nobody does.");

const workNote = z.strictObject({
  note_id: z.string(),
  event: z.enum(["note", "assigned", "released"]),
  author: z.string().describe("Who wrote it, as in the audit log."),
  text: z.string().describe("Empty if an item was taken or released without a word."),
  assigned_to: z.string().nullable().describe("For an assignment: the user id of the staff member who got it."),
  at: timeText,
});

/** Who handles a complaint, order or alert, and what staff wrote about it. */
export const workItemOutput = z
  .strictObject({
    assigned_to: assignee,
    assigned_by: z.string().nullable(),
    assigned_at: timeText.nullable(),
    notes: z.array(workNote).readonly().describe("Oldest first, at most the latest 200."),
  })
  .meta({ id: "WorkItem" });

/** The number of open items in each queue. */
export const workCountsOutput = z
  .strictObject({
    alerts: z.int().describe("Alerts that are not closed."),
    complaints: z.int().describe("Complaints that are not decided."),
    orders: z.int().describe("Orders that staff must settle."),
    approvals: z.int().describe("Requests of others that wait for a decision of the caller's role."),
    my_alerts: z.int().describe("Of the alerts, those that are assigned to the caller."),
    my_complaints: z.int().describe("Of the complaints, those that are assigned to the caller."),
    my_orders: z.int().describe("Pending orders that are assigned to the caller."),
  })
  .meta({ id: "WorkCounts" });

/** Something that happened and concerns the signed-in staff member. */
const notificationOutput = z
  .strictObject({
    notification_id: z.string(),
    kind: z.enum([
      ...(["note", "assigned", "unassigned", "complaint_raised"] as const),
      ...(["alert", "approval_asked", "approval_decided", "job_finished"] as const),
    ]),
    at: timeText,
    actor: z.string().nullable().describe("Who did it, as in the audit log; null if nobody did."),
    subject_kind: z.enum(["complaint", "order", "alert", "approval", "job"]),
    subject_id: z.string(),
    text: z.string().describe("The note, the alert's message, the name of the client who complains, or the kind of the approval or job."),
    state: z
      .string()
      .describe("The state of the approval or job, the severity of the alert, the complaint's reason code, otherwise empty."),
    read: z.boolean(),
  })
  .meta({ id: "Notification" });

export const notificationsOutput = z
  .strictObject({ items: z.array(notificationOutput).readonly(), unread: z.int() })
  .meta({ id: "Notifications" });
