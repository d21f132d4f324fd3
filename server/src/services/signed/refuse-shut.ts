import { isOpen } from "../../kernel/india-time.ts";
import { type Refusal, refused } from "../../kernel/refusals.ts";
import type { SignedContext } from "./context.ts";

/** Contract, section 3: what leads up to a transaction is refused too while its service is closed or off. */
export function refuseShut(ctx: SignedContext, name: string): Refusal | null {
  const service = ctx.catalogue.service(name);
  if (!isOpen(service, ctx.clock.now())) return refused("service_closed", `${service.name} is closed for the night.`);
  return service.enabled ? null : refused("service_off", `${service.name} is switched off.`);
}
