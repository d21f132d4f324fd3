import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { BusProviderService } from "./provider-service.ts";
import { simulatedBus } from "./simulator/simulated-bus.ts";

/** Every provider's provider service for this service, by the provider's name. */
export function createBusProviderServices(_options: ProviderServiceOptions): ProviderServices<BusProviderService> {
  return { simulator: simulatedBus() };
}
