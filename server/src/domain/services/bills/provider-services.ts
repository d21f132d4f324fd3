import { SIMULATOR } from "../../providers/routing/routing.ts";
import type { ProviderServiceOptions, ProviderServices } from "../signed/provider-services.ts";
import type { BillsProviderService } from "./provider-service.ts";
import { simulatedBills } from "./simulator/simulated-bills.ts";

/** The bills queries of every provider, by provider name. */
export function createBillsProviderServices(options: ProviderServiceOptions): ProviderServices<BillsProviderService> {
  return { [SIMULATOR]: simulatedBills(options) };
}
