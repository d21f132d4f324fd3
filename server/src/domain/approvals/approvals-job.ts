import type { PeriodicJob } from "../../platform/core/periodic-job.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { ApprovalsContext } from "./context.ts";
import { sweepActs } from "./count-act.ts";
import { execute } from "./execute.ts";
import { expireIn } from "./expire.ts";
import { sweepPayloads } from "./payload.ts";
import { countWaiting, findOverdue, findUnfinished, lockApproval } from "./store.ts";

// Until then the approving process is most likely still carrying the action out.
const GRACE_MILLISECONDS = 10_000;

/** The periodic job of approvals. Every process may run it. */
export function approvalsJob(ctx: ApprovalsContext, metrics: Pick<Metrics, "gauge">): PeriodicJob {
  let waiting = 0;
  metrics.gauge("corprail_approvals_waiting", "Actions that wait for approval.", () => waiting, "max");
  return {
    name: "approvals",
    everyMilliseconds: 5_000,
    quietMilliseconds: 60_000,
    run: async () => {
      await maintainApprovals(ctx);
      await sweepActs(ctx);
      await sweepPayloads(ctx.sql);
      waiting = await countWaiting(ctx.sql, null);
    },
  };
}

/** Expires overdue approvals, and carries out approved actions that a dead process left undone. */
export async function maintainApprovals(ctx: ApprovalsContext): Promise<void> {
  const now = ctx.clock.now();
  for (const approvalId of await findOverdue(ctx.sql, now)) await ctx.sql.begin((tx) => expireOverdue(ctx, tx, approvalId));
  for (const approvalId of await findUnfinished(ctx.sql, now - GRACE_MILLISECONDS, now)) {
    try {
      await execute(ctx, approvalId);
    } catch (error) {
      // A failing action must not block the others.
      ctx.log.warn({ err: error, approval: approvalId }, "approved action failed; will retry");
    }
  }
}

async function expireOverdue(ctx: ApprovalsContext, tx: Transaction, approvalId: string): Promise<void> {
  const approval = await lockApproval(tx, approvalId);
  const at = ctx.clock.now();
  if (approval?.state === "waiting" && approval.expiresAt <= at) await expireIn(tx, approval, at);
}
