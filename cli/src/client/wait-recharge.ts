import type { Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createClient } from "./credentials.ts";
import { type ReferenceOptions, rechargeReference } from "./get-recharge.ts";
import { transactionOutcome } from "./transaction-outcome.ts";
import { type PaceOptions, waiting } from "./waiting.ts";

export async function waitRecharge(ctx: ClientContext, options: ReferenceOptions & PaceOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  const { more, pace } = waiting(ctx, options);
  // Unlike after a reply that said pending, nothing is known yet: the first look is at once.
  const client = await createClient(ctx, options, more);
  return transactionOutcome(await client.recharge.waitForFinal(reference, { firstCheckAfterMs: 0, ...pace }));
}
