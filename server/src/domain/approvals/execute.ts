import type { Transaction } from "../../platform/db/connection.ts";
import { withRetries } from "../orders/write/with-retries.ts";
import type { Agreed } from "./approval.ts";
import type { ApprovalsContext, Executor, Outcome, Run } from "./context.ts";
import { recordApproval } from "./record.ts";
import { findApproval, isAgreed, lockApproval, markBegun, markFinished } from "./store.ts";

/**
 * Carries an approved action out. The action and the end of the approval are one transaction, so that a repeated or
 * concurrent run finds it done.
 */
export async function execute(ctx: ApprovalsContext, approvalId: string): Promise<void> {
  const approval = await findApproval(ctx.sql, approvalId);
  if (!isAgreed(approval)) return;
  const executor = ctx.executors[approval.kind];
  // This process has an older version without this kind; a newer process carries it out.
  if (!executor) return;
  const run = await runOf(executor, approval);
  const begun = await withRetries(ctx.log, () => ctx.sql.begin((tx) => runIn(ctx, tx, run, approval)));
  if (begun?.kind === "begun" && executor.resume) {
    const outcome = await executor.resume(approval);
    if (outcome.kind !== "begun") await withRetries(ctx.log, () => ctx.sql.begin((tx) => concludeIn(ctx, tx, approval, outcome)));
  }
  if (begun) await executor.after?.(approval);
}

/** What runs in the transaction. A begun action is not prepared again: it only resumes. */
async function runOf({ run, prepare }: Executor, approval: Agreed): Promise<Run> {
  return prepare && approval.begunAt === null ? await prepare(approval) : run;
}

/** Null when another process has ended it. */
async function runIn(ctx: ApprovalsContext, tx: Transaction, run: Run, { approvalId }: Agreed): Promise<Outcome | null> {
  const approval = await lockApproval(tx, approvalId);
  if (!isAgreed(approval)) return null;
  if (approval.begunAt !== null) return { kind: "begun" };
  const at = ctx.clock.now();
  const outcome = await run(tx, approval, at);
  if (outcome.kind === "begun") await markBegun(tx, approvalId, at);
  else await finish(tx, approval, outcome, at);
  return outcome;
}

type End = Exclude<Outcome, { kind: "begun" }>;

async function concludeIn(ctx: ApprovalsContext, tx: Transaction, { approvalId }: Agreed, outcome: End): Promise<void> {
  const approval = await lockApproval(tx, approvalId);
  if (isAgreed(approval)) await finish(tx, approval, outcome, ctx.clock.now());
}

async function finish(tx: Transaction, approval: Agreed, outcome: End, at: number): Promise<void> {
  const result = outcome.kind === "done" ? outcome.result : { reason: outcome.reason };
  await markFinished(tx, approval.approvalId, { state: outcome.kind, result, at });
  await recordApproval(tx, at, approval.decidedBy, outcome.kind, approval, { result });
}
