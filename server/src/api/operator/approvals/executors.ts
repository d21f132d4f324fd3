import type { Executors } from "../../../domain/approvals/context.ts";
import { settingsExecutors } from "../../../domain/approvals/executors/action-executors.ts";
import { bulkSettleExecutor } from "../../../domain/bulk/bulk-job.ts";
import { settleExecutor } from "../../../domain/reconciliation/settle-items.ts";
import { keyExecutor } from "../keys/manage-keys.ts";

type Context = Parameters<typeof settingsExecutors>[0] & Parameters<typeof settleExecutor>[0];

/** Executors of approved changes of pricing, providers, keys and reconciliation. */
export function staffExecutors(ctx: Context): Executors {
  return {
    ...settingsExecutors(ctx),
    operator_key: keyExecutor(ctx),
    reconcile: settleExecutor(ctx),
    bulk_settle: bulkSettleExecutor(ctx),
  };
}
