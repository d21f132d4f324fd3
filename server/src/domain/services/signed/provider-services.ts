import type { Clock } from "../../../platform/core/clock.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { noProvider } from "./service-refusals.ts";

/** Finds a provider's queries for a service; undefined when it has none or is not running. */
export type ProviderServices<Service> = (provider: string) => Service | undefined;

/** Providers with the given names only. */
export function providersNamed<Service>(services: Readonly<Record<string, Service>>): ProviderServices<Service> {
  return (provider) => (Object.hasOwn(services, provider) ? services[provider] : undefined);
}

export type ProviderServiceOptions = {
  readonly clock: Clock;
  /** The delay of the simulator's later results. */
  readonly simulatorDelayMilliseconds: number;
};

export type ProviderServiceQuery = {
  readonly service: string;
  /** Our code of the biller, bank or bus operator. */
  readonly operator: string;
  readonly account: Account;
  readonly reference: string;
  /** The providers that have the biller or bank; absent when every provider may be asked. */
  readonly among?: readonly string[];
};

export type NamedService<Service> = { readonly kind: "found"; readonly providerService: Service; readonly provider: string };

/** The providers that a transaction could go to, best first, with their queries for the service. */
export function listProviderServices<Service>(
  ctx: SignedContext,
  providerServices: ProviderServices<Service>,
  question: ProviderServiceQuery,
): readonly NamedService<Service>[] {
  const { service, operator, account, reference, among } = question;
  const accepts = among ? (provider: string) => among.includes(provider) : undefined;
  const providers = ctx.providerRegistry.providersFor({
    ...{ service, operator, sandbox: account.sandbox, reference },
    ...(accepts ? { accepts } : {}),
  });
  return providers.flatMap((provider) => {
    const providerService = providerServices(provider);
    return providerService === undefined ? [] : [{ kind: "found", providerService, provider } as const];
  });
}

/** Chooses the provider that a transaction would go to, and returns its queries for the service. */
export function chooseProviderService<Service>(
  ctx: SignedContext,
  providerServices: ProviderServices<Service>,
  question: ProviderServiceQuery,
): NamedService<Service> | Refusal {
  const [first] = listProviderServices(ctx, providerServices, question);
  return first ?? noProvider(ctx, question.service);
}

export type Asked<Value> = { readonly kind: "asked"; readonly value: Value } | Refusal;

/** Queries a provider. A provider that does not answer leads to 503, not to an internal error. */
export async function askProvider<Value>(ctx: { readonly log: Log }, service: string, ask: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { kind: "asked", value: await ask() };
  } catch (error) {
    ctx.log.warn({ err: error, service }, "provider query failed");
    return refused("busy", "The provider is not responding. Try again with the same details.");
  }
}
