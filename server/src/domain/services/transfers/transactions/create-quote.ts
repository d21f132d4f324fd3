import { z } from "zod";
import { indiaMonth } from "../../../../platform/core/india-time.ts";
import { add, formatMoney, type Money, requireMoney } from "../../../../platform/core/money.ts";
import { rateOf } from "../../../../platform/core/rate.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { amountField, replyAmount } from "../../fields.ts";
import { mobileField, recordField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { findRecorded, oncePerReference, type Recorded, refuseForgotten } from "../../signed/once-per-reference.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { type Beneficiary, findBeneficiary } from "../beneficiaries/beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { recordReply } from "../fields.ts";
import { type FoundProvider, findLiveBank } from "../find-provider.ts";
import { sendCode } from "../otp.ts";
import { needsRegistration } from "../provider-service.ts";
import { beneficiaryNotFound, refuseAmount, refuseBeneficiary, refuseOverLimit, refuseSender, senderNotFound } from "../refusals.ts";
import { requireBeneficiary, requireSender } from "../senders/register-at-provider.ts";
import { findSender } from "../senders/sender-store.ts";
import { readSettings, type TransferSettings } from "../settings/settings-store.ts";
import { done } from "../views.ts";
import { limitLeft } from "./month.ts";
import { findQuote, insertQuote, MODES, type NewQuote, type Quote, readUsed } from "./quote-store.ts";
import { arrangeTransferOtp, storeTransferOtp, type TransferOtp } from "./transfer-otp.ts";

const PATH = "/transfers/quote";
const VALID_MILLISECONDS = 5 * 60 * 1000;

const input = z.object({
  request_id: requestIdField,
  sender: mobileField,
  beneficiary_id: recordField,
  amount: amountField,
  mode: z.enum(MODES, `must be one of ${MODES.join(", ")}`).default("IMPS"),
});
type Input = z.infer<typeof input>;

export function createQuote(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: PATH,
    service: SERVICE,
    kind: "plain",
    summary: "Quotes a transfer for five minutes and sends a one-time password to the sender",
    input,
    reply: recordReply({
      transfer_ref: z.string(),
      fee: replyAmount,
      total: replyAmount.describe("What the wallet pays: amount and fee"),
      limit_left: replyAmount.describe("What the sender may still send this month, this transfer not taken off"),
      valid_until: z.number().int(),
    }),
    refusals: [
      "sender_not_found",
      "sender_not_verified",
      "beneficiary_not_found",
      "beneficiary_not_active",
      "sender_limit_exceeded",
      "bank_down",
    ],
    handle: ({ account, input: asked }) => quote(ctx, account, asked),
  });
}

async function quote(ctx: TransfersContext, account: Account, asked: Input): Promise<Answer> {
  const { accountId } = account;
  const reference = { accountId, operation: PATH, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
  const known = await findRecorded(ctx, reference);
  if (known) return await answer(ctx, accountId, asked, known);
  const against = refuseClosedService(ctx, account, SERVICE);
  if (against) return against;
  const prepared = await prepare(ctx, account, asked);
  if (prepared.kind === "refused") return await answer(ctx, accountId, asked, (await findRecorded(ctx, reference)) ?? prepared);
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    await insertQuote(tx, prepared.quote);
    const limited = await storeTransferOtp(ctx, tx, prepared.found, prepared.quote, prepared.otp);
    return limited ?? prepared.quote.transferRef;
  });
  const { otp, found } = prepared;
  if (recorded.kind === "recorded" && recorded.made && otp.kind === "ours") await sendCode(ctx, found.providerService, otp.otp);
  return await answer(ctx, accountId, asked, recorded);
}

async function answer(ctx: TransfersContext, accountId: string, asked: Input, recorded: Recorded | Refusal): Promise<Answer> {
  if (recorded.kind === "refused") return recorded;
  const made = await findQuote(ctx.sql, accountId, recorded.record);
  if (!made) return refuseForgotten(recorded);
  return done(await quoteFields(ctx, made), asked.request_id);
}

type PreparedQuote = {
  readonly kind: "prepared";
  readonly found: FoundProvider;
  readonly quote: NewQuote;
  readonly otp: TransferOtp;
};

/** Checks in the order of contract section 2: sender, beneficiary, bank, amount, limit. The provider's own steps come last. */
async function prepare(ctx: TransfersContext, account: Account, asked: Input): Promise<PreparedQuote | Refusal> {
  const { accountId } = account;
  const sender = await findSender(ctx.sql, accountId, asked.sender);
  if (!sender) return senderNotFound();
  const one = await findBeneficiary(ctx.sql, accountId, asked.beneficiary_id);
  const against = refuseSender(sender.status) ?? refuseBeneficiary(one, asked.sender);
  if (against || !one) return against ?? beneficiaryNotFound();
  const found = await findLiveBank(ctx, account, { sender: asked.sender, beneficiaryId: one.beneficiaryId }, one.ifsc);
  if (found.kind === "refused") return found;
  const settings = await readSettings(ctx.sql);
  const amount = requireMoney(asked.amount);
  const used = await readUsed(ctx.sql, accountId, asked.sender, indiaMonth(ctx.clock.now()));
  const tooMuch = refuseAmount(settings, amount) ?? refuseOverLimit(settings, used, amount);
  if (tooMuch) return tooMuch;
  const unknown = await requireSender(ctx, accountId, found, sender);
  const kept = unknown ?? (await requireBeneficiary(ctx, found, one));
  if (kept.kind === "refused") return kept;
  const quote = newQuote(ctx, accountId, asked, { found, one, settings, amount });
  const otp = await arrangeTransferOtp(ctx, found, quote, one, kept.ref);
  return otp.kind === "refused" ? otp : { kind: "prepared", found, quote, otp };
}

type Agreed = {
  readonly found: FoundProvider;
  readonly one: Beneficiary;
  readonly settings: TransferSettings;
  readonly amount: Money;
};

function newQuote(ctx: TransfersContext, accountId: string, asked: Input, agreed: Agreed): NewQuote {
  const { provider, providerService } = agreed.found;
  const { one, settings, amount } = agreed;
  const now = ctx.clock.now();
  const priced = ctx.pricing.agree(accountId, SERVICE, one.bank, amount, now);
  const { sender, mode, amount: amountText } = asked;
  return {
    accountId,
    transferRef: `TRF${ctx.ids.entry(now)}`,
    sender,
    beneficiaryId: one.beneficiaryId,
    mode,
    amount,
    amountText,
    fee: add(rateOf(amount, settings.fee), priced.fee),
    provider: needsRegistration(providerService) || providerService.sendTransferOtp ? provider : null,
    createdAt: now,
    expiresAt: now + VALID_MILLISECONDS,
  };
}

async function quoteFields(ctx: TransfersContext, made: Quote) {
  const [{ monthLimit }, used] = await Promise.all([
    readSettings(ctx.sql),
    readUsed(ctx.sql, made.accountId, made.sender, indiaMonth(ctx.clock.now())),
  ]);
  return {
    transfer_ref: made.transferRef,
    fee: formatMoney(made.fee),
    total: formatMoney(add(made.amount, made.fee)),
    limit_left: formatMoney(limitLeft(monthLimit, used)),
    valid_until: Math.floor(made.expiresAt / 1000),
  };
}
