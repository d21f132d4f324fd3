import type { ProviderRequest, Unsuitable } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";

/** Who is asked to carry an order out, best first; `against` says why others that a route leads to cannot take it. */
export type ProviderPlan = { readonly providers: readonly string[]; readonly against: readonly Against[] };
export type Against = Unsuitable & { readonly provider: string };

export type PlanQuestion = {
  readonly request: ProviderRequest;
  readonly sandbox: boolean;
  /** The only provider that can do it, where something of it was arranged there before. */
  readonly provider: string | undefined;
};

/** Decided before anything is charged or sent: an order that a provider cannot be sent is no silence of that provider's. */
export function chooseProviders(ctx: OrdersContext, { request, sandbox, provider: pinned }: PlanQuestion): ProviderPlan {
  const against: Against[] = [];
  const accepts = (provider: string): boolean => {
    const found = ctx.providerRegistry.connector(provider)?.unsuitable?.(request) ?? null;
    if (found) against.push({ provider, ...found });
    return found === null;
  };
  if (pinned !== undefined)
    return { providers: ctx.providerRegistry.mayServe(pinned, sandbox) && accepts(pinned) ? [pinned] : [], against };
  const { service, operator, reference } = request;
  return { providers: ctx.providerRegistry.providersFor({ service, operator, sandbox, reference, accepts }), against };
}
