import type { OrdersContext } from "../../orders/context.ts";
import type { SignedContext } from "../signed/context.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { SeatRegister } from "./blocks/seat-register.ts";
import type { BusProviderService } from "./provider-service.ts";

type WithProviderServices = {
  readonly providerServices: { readonly bus: ProviderServices<BusProviderService> };
  /** With several cells: who holds which seat. */
  readonly seats?: SeatRegister | undefined;
};

export type BusContext = SignedContext & WithProviderServices;
/** The dependencies of a cancellation, whichever API requests it. */
export type CancelContext = OrdersContext & WithProviderServices;

export const SERVICE = "bus";
