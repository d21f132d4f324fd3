import type { SignedContext } from "../signed/context.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { TransfersProviderService } from "./provider-service.ts";

export type TransfersContext = SignedContext & {
  readonly providerServices: { readonly transfers: ProviderServices<TransfersProviderService> };
};

export const SERVICE = "transfers";
