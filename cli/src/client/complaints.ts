import type { ComplaintInput, ComplaintReason, ComplaintStatus, ComplaintSubject } from "@corprail/sdk";
import { done, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { fieldLines, wireNames } from "./wire-names.ts";

const DEFAULT_MOST = 50;

export type RaiseOptions = ProfileOption & {
  readonly orderId?: string;
  readonly urid?: string;
  readonly requestId?: string;
  readonly service?: string;
  readonly reason: ComplaintReason;
  readonly description: string;
  readonly complaintRequestId?: string;
};

export async function raiseComplaint(ctx: ClientContext, options: RaiseOptions): Promise<Outcome> {
  const { reason, description, complaintRequestId } = options;
  const input: ComplaintInput = { ...subject(options), reason, description, complaintRequestId };
  const complaint = wireNames(await (await createClient(ctx, options)).complaints.raise(input));
  return done(`The complaint ${complaint["complaint_ref"]} is ${complaint["status"]}.`, complaint, fieldLines(complaint));
}

function subject({ orderId, urid, requestId, service }: RaiseOptions): ComplaintSubject {
  const given = [orderId, urid, requestId].filter((reference) => reference !== undefined);
  if (given.length !== 1) throw new UsageFault("Give one of --order-id, --urid and --request-id.");
  if (requestId !== undefined) return { requestId, service };
  if (service !== undefined) throw new UsageFault("--service goes with --request-id only.");
  return orderId === undefined ? { urid: urid ?? "" } : { orderId };
}

export async function getComplaint(ctx: ClientContext, reference: string, options: ProfileOption): Promise<Outcome> {
  const complaint = wireNames(await (await createClient(ctx, options)).complaints.get(reference));
  return done(`The complaint ${complaint["complaint_ref"]} is ${complaint["status"]}.`, complaint, fieldLines(complaint));
}

type ListOptions = ProfileOption & {
  readonly status?: ComplaintStatus;
  readonly from?: string;
  readonly to?: string;
  readonly most?: number;
};

/** Lists complaints, the newest first. */
export async function listComplaints(ctx: ClientContext, options: ListOptions): Promise<Outcome> {
  const { status, from, to, most = DEFAULT_MOST } = options;
  const list = (await createClient(ctx, options)).complaints.list({ status, from, to }, { pageSize: Math.min(most + 1, 200) });
  const found = await list.toArray(most + 1);
  const shown = found.slice(0, most);
  const cells = shown.map((one) => [one.complaintRef, one.status, one.reasonCode, one.orderId, one.refundAmount, one.raisedAt]);
  const report = shown.length === 0 ? null : table(["COMPLAINT", "STATUS", "REASON", "ORDER", "REFUND", "RAISED"], cells);
  const more = found.length > most;
  const words = `${shown.length} complaint${shown.length === 1 ? "" : "s"}${more ? ", and there are more: --most" : ""}.`;
  return done(words, { items: shown.map(wireNames), more }, report);
}
