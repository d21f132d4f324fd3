import type { Executors } from "../../approvals/context.ts";
import { settingsExecutors } from "../../approvals/executors/settings.ts";
import { settleExecutor } from "../../reconciliation/settle-items.ts";
import { keyExecutor } from "../create-key.ts";

type Context = Parameters<typeof settingsExecutors>[0] & Parameters<typeof settleExecutor>[0];

/** How approved actions are carried out that are not about money alone: prices, providers, keys, reconciliation. */
export function staffExecutors(ctx: Context): Executors {
  return { ...settingsExecutors(ctx), operator_key: keyExecutor(ctx), reconcile: settleExecutor(ctx) };
}
