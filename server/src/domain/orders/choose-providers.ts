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
  /** Other providers that may be tried too; with `provider` absent, the only ones. Absent: as the routes say. */
  readonly allows?: ((provider: string) => boolean) | undefined;
};

/** Chooses before anything is charged or sent, so that an unsuitable order does not count unsuitable a provider's health. */
export function chooseProviders(ctx: OrdersContext, query: ProviderChoiceQuery): ProviderChoice {
  const { request, sandbox, provider: pinned, allows } = query;
  const unsuitable: UnsuitableProvider[] = [];
  const accepts = (provider: string): boolean => {
    const version = ctx.providerRegistry.versionFor(provider, request.reference);
    const found = ctx.providerRegistry.connector(provider, version)?.unsuitable?.(request) ?? null;
    if (found) unsuitable.push({ provider, ...found });
    return found === null;
  };
  const first = pinned !== undefined && ctx.providerRegistry.mayServe(pinned, sandbox) && accepts(pinned) ? [pinned] : [];
  if (pinned !== undefined && !allows) return { providers: first, unsuitable };
  const { service, operator, reference } = request;
  const isOther = (provider: string) => provider !== pinned && (allows?.(provider) ?? true) && accepts(provider);
  const others = ctx.providerRegistry.providersFor({ service, operator, sandbox, reference, accepts: isOther });
  return { providers: [...first, ...others], unsuitable };
}
