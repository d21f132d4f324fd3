import type { ComplaintStatus } from "@corprail/sdk";
import { done, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { table } from "../table.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { wireNames } from "./wire-names.ts";

export type ListOptions = ProfileOption & {
  readonly status?: ComplaintStatus;
  readonly from?: string;
  readonly to?: string;
  readonly most?: number;
};

const MOST = 50;

/** The newest first. */
export async function listComplaints(ctx: ClientContext, options: ListOptions): Promise<Outcome> {
  const { status, from, to, most = MOST } = options;
  const list = (await createClient(ctx, options)).complaints.list({ status, from, to }, { pageSize: Math.min(most + 1, 200) });
  const found = await list.toArray(most + 1);
  const shown = found.slice(0, most);
  const cells = shown.map((one) => [one.complaintRef, one.status, one.reasonCode, one.orderId, one.refundAmount, one.raisedAt]);
  const report = shown.length === 0 ? null : table(["COMPLAINT", "STATUS", "REASON", "ORDER", "REFUND", "RAISED"], cells);
  const more = found.length > most;
  const words = `${shown.length} complaint${shown.length === 1 ? "" : "s"}${more ? ", and there are more: --most" : ""}.`;
  return done(words, { items: shown.map(wireNames), more }, report);
}
