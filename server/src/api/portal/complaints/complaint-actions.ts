import { z } from "zod";
import { COMPLAINT_STATUSES, isComplaintRef, REASON_CODES } from "../../../domain/complaints/complaint.ts";
import { raiseComplaint } from "../../../domain/complaints/raise-complaint.ts";
import { complaintFields, complaintReply } from "../../../domain/complaints/record.ts";
import { complaintDescription } from "../../../domain/complaints/routes.ts";
import { findComplaint, listComplaints } from "../../../domain/complaints/store.ts";
import { noSuch, Refusal } from "../../sites/actions/refusal.ts";
import { dayField } from "../../sites/days.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { listOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { filter } from "../answers.ts";
import { clientRefusal } from "../client-refusal.ts";
import { readDayRange } from "../transactions/day-range.ts";

/** A complaint with the fields of the client API. */
export const complaintOutput = z.strictObject(complaintReply.shape).meta({ id: "Complaint" });

const browseComplaints = action({
  path: "GET /complaints",
  summary: "Lists the account's complaints, newest first.",
  roles: EVERYBODY,
  input: timeListQuery.extend({
    status: filter(z.enum(COMPLAINT_STATUSES)),
    from: filter(dayField),
    to: filter(dayField),
    search: filter(z.string().trim().max(64)),
  }),
  output: listOf(complaintOutput),
  handler: async ({ deps, session: { accountId }, input }) => {
    const { status = null, from, to, after, limit } = input;
    const search = input.search === undefined || input.search === "" ? null : input.search;
    const days = readDayRange({ from, to }, deps.clock.now());
    if (days instanceof Refusal) return days;
    const period = from === undefined && to === undefined ? null : days;
    const place = after === undefined ? null : { raisedAt: after.at.getTime(), complaintRef: after.id };
    const found = await listComplaints(deps.sql, { accountId, status, period, search, after: place, limit: limit + 1 });
    const { items, next } = toPage(found, limit, complaintFields, (last) =>
      writeTimeCursor({ at: new Date(last.raisedAt), id: last.complaintRef }),
    );
    return { items, next };
  },
});

const showComplaint = action({
  path: "GET /complaints/:complaint_ref",
  summary: "Shows a complaint.",
  roles: EVERYBODY,
  input: z.object({ complaint_ref: z.string().max(64) }),
  output: complaintOutput,
  handler: async ({ deps, session: { accountId }, input: { complaint_ref: complaintRef } }) => {
    const complaint = isComplaintRef(complaintRef) ? await findComplaint(deps.sql, { accountId, complaintRef }) : null;
    return complaint ? complaintFields(complaint) : noSuch("complaint");
  },
});

const raise = action({
  path: "POST /complaints",
  summary: "Raises a complaint on a transaction.",
  roles: WORKERS,
  input: z.object({ order_id: z.string().min(1).max(64), reason: z.enum(REASON_CODES), description: complaintDescription }),
  output: complaintOutput,
  handler: async ({ deps, session: { accountId }, input }) => {
    const raised = await raiseComplaint(deps, {
      accountId,
      subject: { kind: "order_id", orderId: input.order_id },
      reasonCode: input.reason,
      description: input.description,
      complaintRequestId: null,
    });
    return raised.kind === "refused" ? clientRefusal(raised) : complaintFields(raised.complaint);
  },
});

export const complaintActions: readonly PortalAction[] = [browseComplaints, showComplaint, raise];
