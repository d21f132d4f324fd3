import { SIMULATOR } from "../../providers/routing.ts";
import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { BillsProviderService } from "./provider-service.ts";
import { simulatedBills } from "./simulator/simulated-bills.ts";

/** Every provider's provider service for this service, by the provider's name. */
export function createBillsProviderServices(options: ProviderServiceOptions): ProviderServices<BillsProviderService> {
  return { [SIMULATOR]: simulatedBills(options) };
}
