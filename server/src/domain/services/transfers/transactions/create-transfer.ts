import { z } from "zod";
import { indiaMonth } from "../../../../platform/core/india-time.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Route, route } from "../../../client-api/route.ts";
import type { Order } from "../../../orders/order.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { otpField, recordField, requestIdField } from "../../signed/fields.ts";
import { knowsReference } from "../../signed/find-order.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { findProviderOtp, refuseLength } from "../../signed/provider-otp.ts";
import { answerTransaction, type Prepared } from "../../signed/transaction.ts";
import { findBeneficiary } from "../beneficiaries/beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { transferReply } from "../fields.ts";
import { findLiveBank, findLiveBankAt } from "../find-provider.ts";
import { transferOtp } from "../otp.ts";
import { beneficiaryNotFound, refuseOverLimit, refuseUse, refuseUsed, transferRefNotFound } from "../refusals.ts";
import { findSender } from "../senders/sender-store.ts";
import { readSettings } from "../settings/settings-store.ts";
import { transferBlock } from "../views.ts";
import { destinationOf, partiesFor } from "./destination.ts";
import { findQuote, lockQuote, readUsed, useQuote } from "./quote-store.ts";
import { useTransferOtp } from "./transfer-otp.ts";

const input = z.object({ request_id: requestIdField, transfer_ref: recordField, otp: otpField });
type Input = z.infer<typeof input>;

export function createTransfer(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers",
    service: SERVICE,
    kind: "transaction",
    summary: "Sends a quoted transfer; a retry with the same request_id returns the first result",
    input,
    reply: transferReply,
    refusals: [
      "transfer_ref_not_found",
      "transfer_ref_used",
      "transfer_ref_expired",
      "sender_not_verified",
      "beneficiary_not_active",
      "bank_down",
      "sender_limit_exceeded",
      "otp_invalid",
      "otp_attempts_exceeded",
    ],
    knows: async (accountId, reference, body) =>
      (await knowsReference(ctx, SERVICE)(accountId, reference)) || (await used(ctx, accountId, body["transfer_ref"])) !== null,
    handle: async ({ account, input: asked }) => {
      const tooLong = await refuseLength(ctx.sql, account.accountId, { otpRef: asked.transfer_ref, code: asked.otp });
      if (tooLong) return tooLong;
      return await answerTransaction(ctx, {
        service: SERVICE,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOf(asked),
        sent: {},
        used: () => used(ctx, account.accountId, asked.transfer_ref),
        prepare: () => prepare(ctx, account, asked),
        block: (order) => transferBlock(ctx, order),
      });
    },
  });
}

async function used(ctx: TransfersContext, accountId: string, transferRef: unknown): Promise<Refusal | null> {
  const quote = typeof transferRef === "string" ? await findQuote(ctx.sql, accountId, transferRef) : null;
  return quote ? refuseUsed(quote) : null;
}

async function prepare(ctx: TransfersContext, account: Account, asked: Input): Promise<Prepared | Refusal> {
  const { accountId } = account;
  const quote = await findQuote(ctx.sql, accountId, asked.transfer_ref);
  if (!quote) return transferRefNotFound();
  const against = refuseUse(quote, ctx.clock.now());
  if (against) return against;
  const [one, sender] = await Promise.all([
    findBeneficiary(ctx.sql, accountId, quote.beneficiaryId),
    findSender(ctx.sql, accountId, quote.sender),
  ]);
  if (!one || !sender) return beneficiaryNotFound();
  const found =
    quote.provider === null
      ? await findLiveBank(ctx, account, { sender: quote.sender, beneficiaryId: one.beneficiaryId }, one.ifsc)
      : await findLiveBankAt(ctx, accountId, quote.provider, one.ifsc);
  if (found.kind === "refused") return found;
  const minted = await findProviderOtp(ctx.sql, transferOtp(accountId, quote.transferRef), quote.transferRef);
  return {
    kind: "prepared",
    amount: quote.amount,
    amountText: quote.amountText,
    fee: quote.fee,
    quoted: true,
    target: one.accountMasked,
    operator: one.bank,
    // Another provider is tried only when we have checked the code ourselves.
    ...(quote.provider !== null && (minted || !found.providerService.sendOtp)
      ? { provider: quote.provider }
      : destinationOf(ctx, quote.provider, found.among)),
    details: {
      mode: quote.mode,
      ...(await partiesFor(ctx, sender, one, quote.provider)),
      ...(minted ? { otp: asked.otp, otp_ref: minted.providerOtpRef } : {}),
    },
    guard: (tx, order) => take(ctx, tx, order, asked),
  };
}

/**
 * Uses the quote for this order while the account's wallet is locked, so that the monthly limit holds. The password is checked
 * last, so that a refusal for another reason leaves it usable.
 */
async function take(ctx: TransfersContext, tx: Transaction, order: Order, asked: Input): Promise<Refusal | null> {
  const { accountId } = order;
  const quote = await lockQuote(tx, accountId, asked.transfer_ref);
  if (!quote) return transferRefNotFound();
  const month = indiaMonth(ctx.clock.now());
  const against =
    refuseUse(quote, ctx.clock.now()) ??
    refuseOverLimit(await readSettings(tx), await readUsed(tx, accountId, quote.sender, month), quote.amount) ??
    (await useTransferOtp(ctx, tx, accountId, { otpRef: quote.transferRef, code: asked.otp }));
  if (against) return against;
  await useQuote(tx, quote.transferRef, order, month);
  return null;
}
