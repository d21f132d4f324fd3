import type { Money } from "../../platform/core/money.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { ManualChangeContext } from "./change-manually.ts";

export type TopUpRequest = {
  readonly accountId: string;
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
  /** The reason for the audit log; the note is for the client's statement. */
  readonly reason?: string | undefined;
};

export type TopUpResult =
  | { readonly kind: "done"; readonly balance: Money; readonly entryId: string }
  | { readonly kind: "conflict"; readonly reason: string };

export const INSUFFICIENT_FUNDS = "The wallet does not hold that much.";

/** Credits a wallet, or debits it when the amount is negative; once for each reference. */
export async function topUp(ctx: Pick<ManualChangeContext, "writer">, actor: string, request: TopUpRequest): Promise<TopUpResult> {
  const { reason, ...move } = request;
  const { accountId, amount, reference, note } = move;
  const written = await ctx.writer.write({
    kind: "topup",
    ...move,
    audit: {
      actor,
      action: amount < 0n ? "wallet.debited" : "wallet.topped_up",
      subject: { kind: "account", id: accountId },
      details: { amount: formatMoney(amount), reference, note, ...(reason === undefined ? {} : { reason }) },
    },
  });
  if (written.kind === "insufficient funds") return { kind: "conflict", reason: INSUFFICIENT_FUNDS };
  if (written.kind !== "topped up") throw new Error(`A top-up was answered ${written.kind}.`);
  if (!written.sameAmount) return { kind: "conflict", reason: `The reference ${reference} was used for another amount.` };
  return { kind: "done", balance: written.available, entryId: written.entry };
}
