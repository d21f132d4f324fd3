import { z } from "zod";
import { type Queries, read, resultOf } from "./ask.ts";

const record = z.object({
  complaint_ref: z.string().min(1),
  urid: z.string(),
  status: z.enum(["OPEN", "RESOLVED", "REFUNDED"]),
  reason: z.string(),
});
const existing = z.object({ complaint_ref: z.string().min(1) });

const STATUSES = { OPEN: "open", RESOLVED: "resolved", REFUNDED: "refunded" } as const;
const REF = /^[A-Za-z0-9]{1,40}$/;

export const complaintQueries: Queries = {
  "complaints.raise": async (session, input) => {
    const { reference, service, reason, description } = input;
    const subject = service === "recharge" ? { urid: reference } : { request_id: reference, service };
    const key = input.complaint_reference || reference;
    const raised = await read(session.post("/complaints", { ...subject, reason, description, complaint_request_id: key }), record);
    if (raised.kind === "refused" && raised.error === "complaint_exists") {
      // The order has an open complaint already, which will be decided for this one too.
      const open = existing.safeParse(raised.body);
      if (open.success) return { kind: "answered", value: { complaint_ref: open.data.complaint_ref } };
    }
    if (raised.kind === "answered" && raised.value.urid !== reference)
      return { kind: "unavailable", why: "the reply is about another transaction" };
    return resultOf(raised, ({ complaint_ref }) => ({ complaint_ref }));
  },
  "complaints.status": async (session, { complaint_ref: ref }) => {
    if (!REF.test(ref)) return { kind: "refused", code: "not_found", reason: "this is no complaint_ref of a Corprail" };
    const found = await read(session.get(`/complaints/${ref}`), record);
    return resultOf(found, ({ status, reason }) => ({ status: STATUSES[status], reason }));
  },
};
