import type { Complaint, ComplaintInput } from "@corprail/sdk";
import { expect } from "vitest";
import { connect } from "../../../server/src/platform/db/connection.ts";
import { until } from "../deadline.ts";
import { change } from "../operator.ts";
import type { Reseller } from "./reseller.ts";

/** A complaint of the reseller's client, which the provider has too. */
export type PassedOn = { readonly ref: string; readonly refThere: string };

/** Complains at the reseller and waits until the provider has the same complaint. */
export async function complain({ here, there }: Reseller, input: ComplaintInput): Promise<PassedOn> {
  const { complaintRef: ref, orderId } = await here.api.complaints.raise(input);
  await until(`${ref} is with the operator`, async () => (await here.api.complaints.get(ref)).stage === "with_operator");
  const raised = (await there.api.complaints.list().toArray()).filter((one) => one.urid === orderId);
  expect(raised).toMatchObject([{ status: "OPEN", reasonCode: input.reason, description: input.description }]);
  return { ref, refThere: raised[0]?.complaintRef ?? "" };
}

/** The provider's staff decide a complaint. */
export async function decideThere(
  { provider }: Reseller,
  { refThere }: PassedOn,
  decision: "stands" | "refund",
  reason: string,
): Promise<void> {
  await change(provider.service, `/complaints/${refThere}/clear`, { decision, reason });
}

/** Makes the next question about every complaint due, which would otherwise be a minute later. */
export async function askForDecisions({ reseller }: Reseller): Promise<void> {
  const { sql, close } = connect({ url: reseller.databaseUrl, connections: 1, role: null });
  await sql`update provider_complaints set next_at = now()`;
  await close();
}

/** The complaint at the reseller as soon as it is decided. */
export async function decided({ here }: Reseller, { ref }: PassedOn): Promise<Complaint> {
  return await until(`${ref} is decided`, async () => {
    const complaint = await here.api.complaints.get(ref);
    return complaint.status !== "OPEN" && complaint;
  });
}
