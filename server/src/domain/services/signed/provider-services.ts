import type { Clock } from "../../../platform/core/clock.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { noProvider } from "./refuse-shut.ts";

/** What providers do for a service beside its transactions, by the provider's name. */
export type ProviderServices<Service> = Readonly<Record<string, Service>>;

export type ProviderServiceOptions = {
  readonly clock: Clock;
  /** When the simulator's later results come. */
  readonly simulatorDelayMilliseconds: number;
};

export type ProviderServiceQuestion = {
  readonly service: string;
  /** Our code of whoever serves it: a biller, a bank, a bus operator. */
  readonly operator: string;
  readonly account: Account;
  readonly reference: string;
};

/** The provider service of the provider that a transaction would go to. */
export function chooseProviderService<Service>(
  ctx: SignedContext,
  providerServices: ProviderServices<Service>,
  question: ProviderServiceQuestion,
): { readonly kind: "found"; readonly providerService: Service; readonly provider: string } | Refusal {
  const { service, operator, account, reference } = question;
  const providers = ctx.providerRegistry.providersFor({ service, operator, sandbox: account.sandbox, reference });
  const able = providers.find((provider) => Object.hasOwn(providerServices, provider));
  const providerService = able === undefined ? undefined : providerServices[able];
  return able === undefined || providerService === undefined
    ? noProvider(ctx, service)
    : { kind: "found", providerService, provider: able };
}

export type Asked<Value> = { readonly kind: "asked"; readonly value: Value } | Refusal;

/** What a provider answers. One that does not answer is the provider's trouble, which may pass: 503, never an internal error. */
export async function askProvider<Value>(ctx: { readonly log: Log }, service: string, ask: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { kind: "asked", value: await ask() };
  } catch (error) {
    ctx.log.warn({ err: error, service }, "a provider did not answer a question");
    return refused("busy", "The provider does not answer at the moment: try again with the same details.");
  }
}
