import { z } from "zod";
import { COMPLAINT_STATUSES, isComplaintRef, REASON_CODES } from "../../../domain/complaints/complaint.ts";
import { raiseComplaint } from "../../../domain/complaints/raise-complaint.ts";
import { complaintFields } from "../../../domain/complaints/record.ts";
import { complaintDescription } from "../../../domain/complaints/routes.ts";
import { findComplaint, listComplaints } from "../../../domain/complaints/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { filter } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { refusedFault } from "../refused.ts";
import { EVERYBODY, fault, json, memberRoute, type PortalRoute, WORKERS } from "../route.ts";

type ComplaintContext = Pick<PortalContext, "sql" | "clock" | "ids" | "catalogue">;

export function complaintRoutes(ctx: ComplaintContext): readonly PortalRoute[] {
  return [listRoute(ctx), readRoute(ctx), raiseRoute(ctx)];
}

function listRoute(ctx: ComplaintContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/complaints",
    does: "Lists the account's complaints, newest first",
    who: EVERYBODY,
    input: timeListQuery.extend({ status: filter(z.enum(COMPLAINT_STATUSES)) }),
    handle: async ({ session: { accountId }, input: { status, after, limit } }) => {
      const place = after === undefined ? null : { raisedAt: after.at.getTime(), complaintRef: after.id };
      const found = await listComplaints(ctx.sql, { accountId, status: status ?? null, period: null, after: place, limit: limit + 1 });
      const { items, next } = toPage(found, limit, complaintFields, (last) =>
        writeTimeCursor({ at: new Date(last.raisedAt), id: last.complaintRef }),
      );
      return json({ items, next });
    },
  });
}

function readRoute(ctx: ComplaintContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/complaints/{complaint_ref}",
    does: "Shows a complaint as it stands",
    who: EVERYBODY,
    input: z.object({ complaint_ref: z.string().max(64) }),
    handle: async ({ session: { accountId }, input: { complaint_ref: complaintRef } }) => {
      const complaint = isComplaintRef(complaintRef) ? await findComplaint(ctx.sql, { accountId, complaintRef }) : null;
      return complaint ? json(complaintFields(complaint)) : fault("not_found", "There is no such complaint.");
    },
  });
}

function raiseRoute(ctx: ComplaintContext): PortalRoute {
  return memberRoute({
    method: "POST",
    path: "/complaints",
    does: "Raises a complaint on a transaction",
    who: WORKERS,
    input: z.object({
      order_id: z.string().min(1).max(64),
      reason: z.enum(REASON_CODES),
      description: complaintDescription,
    }),
    handle: async ({ session: { accountId }, input }) => {
      const raised = await raiseComplaint(ctx, {
        accountId,
        subject: { kind: "order_id", orderId: input.order_id },
        reasonCode: input.reason,
        description: input.description,
        complaintRequestId: null,
      });
      return raised.kind === "refused" ? refusedFault(raised) : json(complaintFields(raised.complaint));
    },
  });
}
