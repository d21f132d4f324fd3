import type { ProviderRequest, Unsuitable } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";

/** The providers to try, best first. `unsuitable` lists routed providers that cannot take the order, with the reason. */
export type ProviderChoice = { readonly providers: readonly string[]; readonly unsuitable: readonly UnsuitableProvider[] };
export type UnsuitableProvider = Unsuitable & { readonly provider: string };

export type ProviderChoiceQuery = {
  readonly request: ProviderRequest;
  readonly sandbox: boolean;
  /** The only provider that can carry the order out, because an earlier step was arranged with it. */
  readonly provider: string | undefined;
  /** The providers that have the order's biller or bank; absent when every provider may be tried. */
  readonly among: readonly string[] | undefined;
};

/** Chooses before anything is charged or sent, so that an unsuitable order does not count unsuitable a provider's health. */
export function chooseProviders(ctx: OrdersContext, { request, sandbox, provider: pinned, among }: ProviderChoiceQuery): ProviderChoice {
  const unsuitable: UnsuitableProvider[] = [];
  const accepts = (provider: string): boolean => {
    if (among && !among.includes(provider)) return false;
    const found = ctx.providerRegistry.connector(provider)?.unsuitable?.(request) ?? null;
    if (found) unsuitable.push({ provider, ...found });
    return found === null;
  };
  if (pinned !== undefined)
    return { providers: ctx.providerRegistry.mayServe(pinned, sandbox) && accepts(pinned) ? [pinned] : [], unsuitable };
  const { service, operator, reference } = request;
  return { providers: ctx.providerRegistry.providersFor({ service, operator, sandbox, reference, accepts }), unsuitable };
}
