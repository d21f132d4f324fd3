import type { Transaction } from "../../platform/db/connection.ts";
import { withRetries } from "../orders/write/with-retries.ts";
import type { Agreed } from "./approval.ts";
import type { ApprovalsContext, Executor, Outcome } from "./context.ts";
import { recordApproval } from "./record.ts";
import { findApproval, isAgreed, lockApproval, markBegun, markFinished } from "./store.ts";

/**
 * Carries an approved action out. The action and the end of the approval are one transaction, so that a repeated or
 * concurrent run finds it done.
 */
export async function execute(ctx: ApprovalsContext, approvalId: string): Promise<void> {
  const one = await findApproval(ctx.sql, approvalId);
  if (!isAgreed(one)) return;
  const executor = ctx.executors[one.kind];
  // This process has an older version without this kind; a newer process carries it out.
  if (!executor) return;
  const begun = await withRetries(ctx.log, () => ctx.sql.begin((tx) => runIn(ctx, tx, executor, one)));
  if (begun?.kind === "begun" && executor.resume) {
    const outcome = await executor.resume(one);
    if (outcome.kind !== "begun") await withRetries(ctx.log, () => ctx.sql.begin((tx) => concludeIn(ctx, tx, one, outcome)));
  }
  if (begun) await executor.after?.(one);
}

/** Null when another process has ended it. */
async function runIn(ctx: ApprovalsContext, tx: Transaction, executor: Executor, { approvalId }: Agreed): Promise<Outcome | null> {
  const one = await lockApproval(tx, approvalId);
  if (!isAgreed(one)) return null;
  if (one.begunAt !== null) return { kind: "begun" };
  const at = ctx.clock.now();
  const outcome = await executor.run(tx, one, at);
  if (outcome.kind === "begun") await markBegun(tx, approvalId, at);
  else await finish(tx, one, outcome, at);
  return outcome;
}

type End = Exclude<Outcome, { kind: "begun" }>;

async function concludeIn(ctx: ApprovalsContext, tx: Transaction, { approvalId }: Agreed, outcome: End): Promise<void> {
  const one = await lockApproval(tx, approvalId);
  if (isAgreed(one)) await finish(tx, one, outcome, ctx.clock.now());
}

async function finish(tx: Transaction, one: Agreed, outcome: End, at: number): Promise<void> {
  const result = outcome.kind === "done" ? outcome.result : { reason: outcome.reason };
  await markFinished(tx, one.approvalId, { state: outcome.kind, result, at });
  await recordApproval(tx, at, one.decidedBy, outcome.kind, one, { result });
}
