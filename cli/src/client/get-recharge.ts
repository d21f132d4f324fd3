import type { RechargeReference } from "@corprail/sdk";
import { type Outcome, UsageFault } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { transactionOutcome } from "./transaction-outcome.ts";

export type ReferenceOptions = ProfileOption & { readonly urid?: string; readonly orderId?: string };

export async function getRecharge(ctx: ClientContext, options: ReferenceOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  return transactionOutcome(await (await createClient(ctx, options)).recharge.get(reference));
}

export function rechargeReference({ urid, orderId }: ReferenceOptions): RechargeReference {
  if (urid !== undefined && orderId === undefined) return { urid };
  if (orderId !== undefined && urid === undefined) return { orderId };
  throw new UsageFault("Give --urid or --order-id, one of them.");
}
