import { z } from "zod";
import { isReference } from "../../platform/core/reference.ts";
import { type Route, route, withExamples } from "../client-api/route.ts";
import { invalidFields, type Refusal, refused } from "../shared/refusals.ts";
import { COMPLAINT_STATUSES, isComplaintRef, REASON_CODES } from "./complaint.ts";
import { cursorAfter, periodInput, readPeriod } from "./period.ts";
import { type ComplaintsContext, raiseComplaint, type Subject } from "./raise-complaint.ts";
import { complaintFields, complaintReply } from "./record.ts";
import { findComplaint, listComplaints } from "./store.ts";

// Signed like recharge: optional, unless the account must sign.
const base = { service: "recharge", scope: "complaints", kind: "plain" } as const;

export function complaintRoutes(ctx: ComplaintsContext): readonly Route[] {
  return withExamples([raiseRoute(ctx), readRoute(ctx), listRoute(ctx)], { "*": { urid: "INV-2026-00042" } });
}

const reference = z.string().refine(isReference, "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -");
const [SHORTEST, LONGEST] = [5, 500];
// Counts characters, not UTF-16 code units.
export const complaintDescription = z
  .string()
  .refine((text) => [...text].length >= SHORTEST && [...text].length <= LONGEST, `must have ${SHORTEST} to ${LONGEST} characters`)
  .meta({ minLength: SHORTEST, maxLength: LONGEST });

const raiseInput = z
  .object({
    order_id: z.string().min(1, "must not be empty").max(64, "must have at most 64 characters").optional(),
    urid: reference.optional().describe("Of a recharge"),
    request_id: reference.optional().describe("Of a signed service"),
    service: z.string().max(64, "is too long").optional().describe("Needed when transactions of several services have the request_id"),
    reason: z.enum(REASON_CODES, `must be one of ${REASON_CODES.join(", ")}`),
    description: complaintDescription,
    complaint_request_id: reference.optional().describe("A repeat with the same one gets the same complaint"),
  })
  .refine((sent) => [sent.order_id, sent.urid, sent.request_id].filter((given) => given !== undefined).length === 1, {
    path: ["order_id"],
    error: "give exactly one of order_id, urid and request_id",
  });
type RaiseInput = z.infer<typeof raiseInput>;

function raiseRoute(ctx: ComplaintsContext): Route {
  return route({
    ...base,
    method: "POST",
    path: "/complaints",
    summary: "Raises a complaint on a transaction",
    input: raiseInput,
    reply: complaintReply,
    handle: async ({ account, input }) => {
      if (input.service !== undefined && !ctx.catalogue.hasService(input.service)) return unknownService(ctx);
      const raised = await raiseComplaint(ctx, {
        accountId: account.accountId,
        subject: subjectOf(input),
        reasonCode: input.reason,
        description: input.description,
        complaintRequestId: input.complaint_request_id ?? null,
      });
      if (raised.kind === "refused") return raised;
      return { kind: "record", fields: complaintFields(raised.complaint), created: raised.kind === "raised" };
    },
  });
}

function unknownService(ctx: ComplaintsContext): Refusal {
  const names = ctx.catalogue.services().map((one) => one.service);
  return invalidFields({ service: `must be one of ${names.join(", ")}` });
}

function subjectOf(input: RaiseInput): Subject {
  if (input.urid !== undefined) return { kind: "urid", urid: input.urid };
  if (input.request_id !== undefined) return { kind: "request_id", requestId: input.request_id, service: input.service ?? null };
  return { kind: "order_id", orderId: input.order_id ?? "" };
}

function readRoute(ctx: ComplaintsContext): Route {
  return route({
    ...base,
    method: "GET",
    path: "/complaints/{ref}",
    summary: "Returns the current state of a complaint, authoritative over callbacks",
    input: z.object({ ref: z.string().describe("CMP and 12 capital letters or digits") }),
    reply: complaintReply,
    handle: async ({ account, input: { ref } }) => {
      const complaint = isComplaintRef(ref) ? await findComplaint(ctx.sql, { accountId: account.accountId, complaintRef: ref }) : null;
      return complaint ? { kind: "record", fields: complaintFields(complaint) } : refused("not_found", "There is no such complaint.");
    },
  });
}

function listRoute(ctx: ComplaintsContext): Route {
  return route({
    ...base,
    method: "GET",
    path: "/complaints",
    summary: "Lists the account's complaints by the day they were raised, newest first",
    input: z.object({
      ...periodInput,
      status: z.enum(COMPLAINT_STATUSES, `must be one of ${COMPLAINT_STATUSES.join(", ")}`).optional(),
    }),
    reply: z.object({ ok: z.literal(true), items: z.array(complaintReply), next: z.string().nullable() }),
    handle: async ({ account, input: { status, limit, ...asked } }) => {
      const period = readPeriod(asked, ctx.clock.now());
      if (period.kind === "refused") return period;
      const filter = { accountId: account.accountId, status: status ?? null, period, search: null, after: period.last, limit: limit + 1 };
      const found = await listComplaints(ctx.sql, filter);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const next = last !== undefined && found.length > limit ? cursorAfter(period, last) : null;
      return { kind: "list", items: shown.map(complaintFields), next };
    },
  });
}
