import { isOpen } from "../../../platform/core/india-time.ts";
import type { Account } from "../../accounts/account.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";

/** Contract, section 3: requests that prepare a transaction are also refused while its service is closed or off. */
export function refuseClosedService(ctx: SignedContext, account: Account, name: string): Refusal | null {
  const service = ctx.catalogue.service(name);
  if (!isOpen(service, ctx.clock.now())) return refused("service_closed", `${service.name} is closed for the night.`);
  if (!service.enabled) return refused("service_off", `${service.name} is switched off.`);
  return refuseUnserved(ctx, account, name);
}

/** Contract, section 9a: a service without a provider counts as switched off. */
export function refuseUnserved(ctx: SignedContext, { sandbox }: Account, service: string): Refusal | null {
  return ctx.providerRegistry.serves({ service, sandbox }) ? null : noProvider(ctx, service);
}

/** The same for something that was arranged with one provider: a fetch, a block, an outlet. */
export function refuseArranged(ctx: OrdersContext, accountId: string, provider: string, name: string): Refusal | null {
  return ctx.providerRegistry.mayServe(provider, ctx.isSandbox(accountId)) ? null : unavailable(name);
}

/** The same for existing records: they survive a disabled provider, but not the end of the trial. */
export function refuseBarred(ctx: OrdersContext, accountId: string, provider: string, name: string): Refusal | null {
  return ctx.providerRegistry.isBarred(provider, ctx.isSandbox(accountId)) ? unavailable(name) : null;
}

export function noProvider({ catalogue }: Pick<SignedContext, "catalogue">, service: string): Refusal {
  return unavailable(catalogue.service(service).name);
}

function unavailable(name: string): Refusal {
  return refused("service_off", `${name} is not available at the moment. Nothing was created.`);
}
