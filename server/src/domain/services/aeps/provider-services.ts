import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { AepsProviderService } from "./provider-service.ts";
import { SIMULATED_AEPS } from "./simulator/simulated-aeps.ts";

/** The AEPS queries of every provider, by provider name. */
export function createAepsProviderServices(_options: ProviderServiceOptions): ProviderServices<AepsProviderService> {
  return { simulator: SIMULATED_AEPS };
}
