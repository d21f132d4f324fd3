import type { Transaction } from "../../platform/db/connection.ts";
import type { Approval } from "./approval.ts";
import { recordApproval } from "./record.ts";
import { markDecided } from "./store.ts";

/** Expires an approval whose row is locked. */
export async function expireIn(tx: Transaction, approval: Approval, at: number): Promise<void> {
  await markDecided(tx, approval.approvalId, { state: "expired", decidedBy: "system", checkerPerson: null, reason: null, at });
  await recordApproval(tx, at, "system", "expired", approval);
}
