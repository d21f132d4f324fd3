import { randomBytes } from "node:crypto";
import type { RechargeReference } from "@corprail/sdk";
import { type Outcome, UsageFault } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { creationRefused, transactionOutcome } from "./transaction-outcome.ts";
import { type PaceOptions, waiting } from "./waiting.ts";

export type CreateOptions = ProfileOption &
  PaceOptions & {
    readonly account: string;
    readonly operator: string;
    readonly amount: string;
    readonly circle?: string;
    readonly urid?: string;
    readonly wait?: boolean;
  };

type ReferenceOptions = ProfileOption & { readonly urid?: string; readonly orderId?: string };

/** Calling it again with the same --urid is safe: one urid makes one order. */
export async function createRecharge(ctx: ClientContext, options: CreateOptions): Promise<Outcome> {
  const urid = options.urid ?? `cli-${randomBytes(8).toString("hex")}`;
  // Printed before the request is sent, so that the order can be found whatever happens next.
  if (options.urid === undefined) ctx.note(`Its reference is ${urid}.`);
  const { account, operator, amount, circle } = options;
  const input = { urid, account, operator, amount, circle };
  try {
    if (!options.wait) return transactionOutcome(await (await createClient(ctx, options)).recharge.create(input));
    const { more, pace } = waiting(ctx, options);
    return transactionOutcome(await (await createClient(ctx, options, more)).recharge.createAndSettle(input, pace));
  } catch (error) {
    return creationRefused(error);
  }
}

export async function waitRecharge(ctx: ClientContext, options: ReferenceOptions & PaceOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  const { more, pace } = waiting(ctx, options);
  // Nothing is known about the order yet, so its status is requested at once.
  const client = await createClient(ctx, options, more);
  return transactionOutcome(await client.recharge.waitForFinal(reference, { firstCheckAfterMs: 0, ...pace }));
}

export async function getRecharge(ctx: ClientContext, options: ReferenceOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  return transactionOutcome(await (await createClient(ctx, options)).recharge.get(reference));
}

function rechargeReference({ urid, orderId }: ReferenceOptions): RechargeReference {
  if (urid !== undefined && orderId === undefined) return { urid };
  if (orderId !== undefined && urid === undefined) return { orderId };
  throw new UsageFault("Give --urid or --order-id, one of them.");
}
