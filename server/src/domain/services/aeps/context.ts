import type { SignedContext } from "../signed/context.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { AepsProviderService } from "./provider-service.ts";

export type AepsContext = SignedContext & { readonly providerServices: { readonly aeps: ProviderServices<AepsProviderService> } };

export const SERVICE = "aeps";

/** Contract, section 1: requests with a PID block may be larger than others. */
export const BODY_LIMIT_BYTES = 256 * 1024;
