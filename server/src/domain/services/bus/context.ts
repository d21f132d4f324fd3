import type { OrdersContext } from "../../orders/context.ts";
import type { SignedContext } from "../signed/context.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { BusProviderService } from "./provider-service.ts";

type WithProviderServices = { readonly providerServices: { readonly bus: ProviderServices<BusProviderService> } };

export type BusContext = SignedContext & WithProviderServices;
/** The dependencies of a cancellation, whichever API requests it. */
export type CancelContext = OrdersContext & WithProviderServices;

export const SERVICE = "bus";
