import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { BusProviderService } from "./provider-service.ts";
import { simulatedBus } from "./simulator/simulated-bus.ts";

/** The bus queries of every provider, by provider name. */
export function createBusProviderServices(_options: ProviderServiceOptions): ProviderServices<BusProviderService> {
  return { simulator: simulatedBus() };
}
