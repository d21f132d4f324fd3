import type { PricingContext } from "../../pricing/context.ts";
import type { CancelContext } from "../../services/bus/context.ts";
import type { Executors } from "../context.ts";
import { complaintExecutor, walletExecutor } from "./money.ts";
import { cancelExecutor, refundExecutor, reverseExecutor, settleExecutor } from "./orders.ts";
import { pricingEndExecutor, pricingExecutor } from "./pricing.ts";
import { type ProviderExecutorContext, providerExecutor } from "./provider.ts";
import { rulesExecutor } from "./rules.ts";
import { transferSettingsExecutor } from "./transfer-settings.ts";

/** The executors for wallets, orders, complaints and approval rules. */
export function actionExecutors(ctx: CancelContext): Executors {
  return {
    wallet: walletExecutor(ctx),
    settle: settleExecutor(ctx),
    reverse: reverseExecutor(ctx),
    refund: refundExecutor(ctx),
    cancel: cancelExecutor(ctx),
    complaint_refund: complaintExecutor(ctx),
    rules: rulesExecutor,
  };
}

/** The executors for changes of prices and providers. */
export function settingsExecutors(ctx: PricingContext & ProviderExecutorContext): Executors {
  const provider = providerExecutor(ctx);
  return {
    pricing: pricingExecutor(ctx),
    pricing_end: pricingEndExecutor(ctx),
    provider,
    provider_secret: provider,
    transfer_settings: transferSettingsExecutor,
  };
}
