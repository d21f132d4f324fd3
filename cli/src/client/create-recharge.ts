import { randomBytes } from "node:crypto";
import type { Outcome } from "../outcome.ts";
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

/** Calling it again with the same --urid is safe: one urid makes one order. */
export async function createRecharge(ctx: ClientContext, options: CreateOptions): Promise<Outcome> {
  const urid = options.urid ?? `cli-${randomBytes(8).toString("hex")}`;
  // Said first: whatever happens from here on, this is what it is found by.
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
