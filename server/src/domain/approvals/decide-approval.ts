import type { Transaction } from "../../platform/db/connection.ts";
import { type Approval, type ApprovalCause, type Asker, nextApprovalState } from "./approval.ts";
import { readApprovalObstacles } from "./approval-obstacles.ts";
import type { ApprovalsContext } from "./context.ts";
import { execute } from "./execute.ts";
import { recordApproval } from "./record.ts";
import { findApproval, lockApproval, markDecided } from "./store.ts";

export type Decided =
  | { readonly kind: "done"; readonly approval: Approval }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

export type DecisionRequest = { readonly approvalId: string; readonly reason: string | null };

/** Approves: records the decision first, then carries the action out. If that fails now, it is retried later. */
export async function approve(ctx: ApprovalsContext, checker: Asker, request: DecisionRequest): Promise<Decided> {
  const decided = await ctx.sql.begin((tx) => decideIn(ctx, tx, "approve", checker, request));
  if (decided.kind !== "done") return decided;
  try {
    await execute(ctx, request.approvalId);
  } catch (error) {
    ctx.log.warn({ err: error, approval: request.approvalId }, "approved action failed; will retry");
  }
  return await readDecided(ctx, request.approvalId);
}

/** Rejects the request; nothing happens. */
export async function reject(ctx: ApprovalsContext, checker: Asker, request: DecisionRequest): Promise<Decided> {
  const decided = await ctx.sql.begin((tx) => decideIn(ctx, tx, "reject", checker, request));
  return decided.kind === "done" ? await readDecided(ctx, request.approvalId) : decided;
}

/** Withdraws the requester's own request. */
export async function withdraw(ctx: ApprovalsContext, maker: Asker, request: DecisionRequest): Promise<Decided> {
  const decided = await ctx.sql.begin((tx) => decideIn(ctx, tx, "withdraw", maker, request));
  return decided.kind === "done" ? await readDecided(ctx, request.approvalId) : decided;
}

type Cause = Extract<ApprovalCause, "approve" | "reject" | "withdraw">;

async function decideIn(ctx: ApprovalsContext, tx: Transaction, cause: Cause, decider: Asker, request: DecisionRequest): Promise<Decided> {
  const approval = await lockApproval(tx, request.approvalId);
  if (!approval) return { kind: "not_found" };
  // Read under the lock, so that of concurrent decisions one counts.
  const at = ctx.clock.now();
  const next = nextApprovalState(approval.state, cause);
  const obstacle = whyNot(approval, cause, decider, at) ?? (cause === "approve" ? await findObstacle(tx, approval, decider, at) : null);
  if (obstacle !== null || next === null) return { kind: "conflict", reason: obstacle ?? `The approval is ${approval.state}.` };
  const state = next as "approved" | "rejected" | "withdrawn";
  const checkerPerson = cause === "withdraw" ? null : decider.person;
  await markDecided(tx, approval.approvalId, { state, decidedBy: decider.actor, checkerPerson, reason: request.reason, at });
  await recordApproval(tx, at, decider.actor, state, approval, { reason: request.reason });
  return { kind: "done", approval };
}

function whyNot(approval: Approval, cause: Cause, decider: Asker, at: number): string | null {
  const isRequester = approval.makerPerson === decider.person;
  if (cause === "withdraw" && !isRequester) return "Only the requester can withdraw it.";
  if (cause !== "withdraw" && isRequester) return "You requested this yourself, so somebody else has to decide. You can withdraw it.";
  if (approval.state !== "waiting") return `The approval is ${approval.state}.`;
  return approval.expiresAt <= at ? "The approval has expired." : null;
}

async function findObstacle(tx: Transaction, { makerPerson }: Approval, decider: Asker, at: number): Promise<string | null> {
  return (await readApprovalObstacles(tx, decider, [makerPerson], at)).get(makerPerson) ?? null;
}

async function readDecided(ctx: ApprovalsContext, approvalId: string): Promise<Decided> {
  const approval = await findApproval(ctx.sql, approvalId);
  if (!approval) throw new Error(`The approval ${approvalId} is gone.`);
  return { kind: "done", approval };
}
