import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { TransfersProviderService } from "./provider-service.ts";
import { simulatedTransfers } from "./simulator/simulated-transfers.ts";

/** The transfer queries of every provider, by provider name. */
export function createTransfersProviderServices(_options: ProviderServiceOptions): ProviderServices<TransfersProviderService> {
  return { simulator: simulatedTransfers() };
}
