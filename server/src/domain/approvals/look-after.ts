import type { Transaction } from "../../platform/db/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { ApprovalsContext } from "./context.ts";
import { sweepActs } from "./count-act.ts";
import { execute } from "./execute.ts";
import { expireIn } from "./expire.ts";
import { sweepPayloads } from "./payload.ts";
import { countWaiting, findOverdue, findUnfinished, lockApproval } from "./store.ts";

// Until then whoever has decided is most likely still at it.
const LEFT_ALONE_MILLISECONDS = 10_000;

export type ApprovalsJob = { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<unknown> };

/** What has to happen without being asked for. Every process may do it. */
export function approvalsJob(ctx: ApprovalsContext, metrics: Pick<Metrics, "gauge">): ApprovalsJob {
  let waiting = 0;
  metrics.gauge("corprail_approvals_waiting", "Actions that wait for a second pair of eyes.", () => waiting);
  return {
    name: "approvals",
    everyMilliseconds: 5_000,
    run: async () => {
      await lookAfterApprovals(ctx);
      await sweepActs(ctx);
      await sweepPayloads(ctx.sql);
      waiting = await countWaiting(ctx.sql);
    },
  };
}

/** Ends those whose time is over, and does what a dead process has left undone after the decision. */
export async function lookAfterApprovals(ctx: ApprovalsContext): Promise<void> {
  const now = ctx.clock.now();
  for (const approvalId of await findOverdue(ctx.sql, now)) await ctx.sql.begin((tx) => expireOverdue(ctx, tx, approvalId));
  for (const approvalId of await findUnfinished(ctx.sql, now - LEFT_ALONE_MILLISECONDS, now)) {
    try {
      await execute(ctx, approvalId);
    } catch (error) {
      // One that cannot be done must not keep the others from it.
      ctx.log.warn({ err: error, approval: approvalId }, "an approved action could not be done yet; it is tried again");
    }
  }
}

async function expireOverdue(ctx: ApprovalsContext, tx: Transaction, approvalId: string): Promise<void> {
  const one = await lockApproval(tx, approvalId);
  const at = ctx.clock.now();
  if (one?.state === "waiting" && one.expiresAt <= at) await expireIn(tx, one, at);
}
