import type { Account } from "../../accounts/account.ts";
import { ANY } from "../../providers/routing/routing.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import type { RechargeProviderService } from "./provider-service.ts";

const WAIT_MILLISECONDS = 3_000;
// A provider that did not answer is not asked again for a while, so that clients do not wait for it each time.
const REST_MILLISECONDS = 30_000;

type Query<Value> = (providerService: RechargeProviderService) => Promise<Value | null> | null;

/** Asks the providers of an account's recharges in turn. Null when none of them has an answer. */
export function createRechargeQueries(ctx: RechargeContext) {
  const restsUntil = new Map<string, number>();

  async function askOne<Value>(provider: string, query: Query<Value>): Promise<Value | null> {
    if ((restsUntil.get(provider) ?? 0) > ctx.clock.now()) return null;
    const providerService = ctx.providerServices.recharge(provider);
    const asked = providerService ? query(providerService) : null;
    try {
      return asked && (await withinTime(asked));
    } catch (error) {
      restsUntil.set(provider, ctx.clock.now() + REST_MILLISECONDS);
      ctx.log.warn({ err: error, service: SERVICE, provider }, "provider query failed; the built-in catalogue answers");
      return null;
    }
  }

  return async <Value>(account: Account, operator: string | null, query: Query<Value>): Promise<Value | null> => {
    for (const provider of providersOf(ctx, account, operator)) {
      const value = await askOne(provider, query);
      if (value !== null) return value;
    }
    return null;
  };
}

/** The providers of an operator's routes, or of all routes when the operator is not known yet; best first. */
function providersOf(ctx: RechargeContext, { sandbox, accountId: reference }: Account, operator: string | null): readonly string[] {
  const { own } = ctx.providerRegistry.reach({ service: SERVICE, sandbox });
  const ofOperator = operator === null ? undefined : own.get(operator);
  if (ofOperator) return ofOperator;
  const general = ctx.providerRegistry.providersFor({ service: SERVICE, operator: ANY, sandbox, reference });
  return operator === null ? [...new Set([...general, ...[...own.values()].flat()])] : general;
}

async function withinTime<Value>(asked: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${WAIT_MILLISECONDS} ms`)), WAIT_MILLISECONDS);
  });
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
