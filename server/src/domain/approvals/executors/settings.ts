import type { PricingContext } from "../../pricing/context.ts";
import type { Executors } from "../context.ts";
import { pricingEndExecutor, pricingExecutor } from "./pricing.ts";
import { type ProviderExecutorContext, providerExecutor } from "./provider.ts";
import { transferSettingsExecutor } from "./transfer-settings.ts";

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
