import type { SignedContext } from "../signed/context.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { BillsProviderService } from "./provider-service.ts";

export type BillsContext = SignedContext & { readonly providerServices: { readonly bills: ProviderServices<BillsProviderService> } };

export const SERVICE = "bills";
