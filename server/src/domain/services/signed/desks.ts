import type { Clock } from "../../../platform/core/clock.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { noProvider } from "./refuse-shut.ts";

/** What providers do for a service beside its transactions, by the provider's name. */
export type Desks<Desk> = Readonly<Record<string, Desk>>;

export type DeskOptions = {
  readonly clock: Clock;
  /** When the simulator's later results come. */
  readonly simulatorDelayMilliseconds: number;
};

export type DeskQuestion = {
  readonly service: string;
  /** Our code of whoever serves it: a biller, a bank, a bus operator. */
  readonly operator: string;
  readonly account: Account;
  readonly reference: string;
};

/** The desk of the provider that a transaction would go to. */
export function chooseDesk<Desk>(
  ctx: SignedContext,
  desks: Desks<Desk>,
  question: DeskQuestion,
): { readonly kind: "desk"; readonly desk: Desk; readonly provider: string } | Refusal {
  const { service, operator, account, reference } = question;
  const providers = ctx.upstreams.providersFor({ service, operator, sandbox: account.sandbox, reference });
  const able = providers.find((provider) => Object.hasOwn(desks, provider));
  const desk = able === undefined ? undefined : desks[able];
  return able === undefined || desk === undefined ? noProvider(ctx, service) : { kind: "desk", desk, provider: able };
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
