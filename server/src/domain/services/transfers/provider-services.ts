import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { TransfersProviderService } from "./provider-service.ts";
import { simulatedTransfers } from "./simulator/simulated-transfers.ts";

/** Every provider's provider service for this service, by the provider's name. */
export function createTransfersProviderServices(_options: ProviderServiceOptions): ProviderServices<TransfersProviderService> {
  return { simulator: simulatedTransfers() };
}
