import type { Executors } from "../../../domain/approvals/context.ts";
import { settingsExecutors } from "../../../domain/approvals/executors/action-executors.ts";
import { bulkSettleExecutor } from "../../../domain/bulk/bulk-job.ts";
import { settleExecutor } from "../../../domain/reconciliation/settle-items.ts";
import { keyExecutor } from "../keys/manage-keys.ts";
import { signOnExecutor } from "../single-sign-on/approved-sign-on.ts";

type Context = Parameters<typeof settingsExecutors>[0] & Parameters<typeof settleExecutor>[0];

/** Executors of approved changes of pricing, providers, keys, single sign-on and reconciliation. */
export function staffExecutors(ctx: Context): Executors {
  return {
    ...settingsExecutors(ctx),
    operator_key: keyExecutor(ctx),
    single_sign_on: signOnExecutor(ctx),
    reconcile: settleExecutor(ctx),
    bulk_settle: bulkSettleExecutor(ctx),
  };
}
