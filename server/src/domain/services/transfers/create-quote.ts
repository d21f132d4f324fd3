import { z } from "zod";
import { indiaMonth } from "../../../platform/core/india-time.ts";
import { add, formatMoney, requireMoney } from "../../../platform/core/money.ts";
import { rateOf } from "../../../platform/core/rate.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { amountField, replyAmount } from "../fields.ts";
import { mobileField, recordField, requestIdField } from "../signed/fields.ts";
import { fingerprintOf } from "../signed/fingerprint.ts";
import { oncePerReference } from "../signed/once-per-reference.ts";
import { type NewOtp, newCode, storeOtp } from "../signed/one-time-passwords.ts";
import { refuseClosedService } from "../signed/service-refusals.ts";
import { findBeneficiary } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { recordReply } from "./fields.ts";
import { findLiveBank } from "./find-provider.ts";
import { limitLeft } from "./month.ts";
import { sendCode, transferOtp } from "./otp.ts";
import type { TransfersProviderService } from "./provider-service.ts";
import { findQuote, insertQuote, MODES, type NewQuote, type Quote, readUsed } from "./quote-store.ts";
import { refuseAmount, refuseBeneficiary, refuseOverLimit, refuseSender, senderNotFound } from "./refusals.ts";
import { findSender } from "./sender-store.ts";
import { readSettings } from "./settings-store.ts";
import { done } from "./views.ts";

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
    summary: "What a transfer would cost; a one-time password goes to the sender. Valid for five minutes",
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
  const prepared = await prepare(ctx, account, asked);
  const reference = { accountId, call: PATH, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    const against = refuseClosedService(ctx, account, SERVICE);
    if (against) return against;
    return prepared.kind === "refused" ? prepared : await write(ctx, tx, prepared);
  });
  if (recorded.kind === "refused") return recorded;
  if (recorded.made && prepared.kind === "prepared") await sendCode(ctx, prepared.providerService, prepared.otp);
  const made = await findQuote(ctx.sql, accountId, recorded.record);
  if (!made) throw new Error("The quote was created but cannot be found.");
  return done(await quoteFields(ctx, made), asked.request_id);
}

type PreparedQuote = {
  readonly kind: "prepared";
  readonly providerService: TransfersProviderService;
  readonly quote: NewQuote;
  readonly otp: NewOtp;
};

/** Checks in the order of contract section 2: sender, beneficiary, bank, amount, limit. */
async function prepare(ctx: TransfersContext, account: Account, asked: Input): Promise<PreparedQuote | Refusal> {
  const { accountId } = account;
  const sender = await findSender(ctx.sql, accountId, asked.sender);
  if (!sender) return senderNotFound();
  const one = await findBeneficiary(ctx.sql, accountId, asked.beneficiary_id);
  const against = refuseSender(sender.status) ?? refuseBeneficiary(one, asked.sender);
  if (against) return against;
  const found = await findLiveBank(ctx, account, asked.sender, one?.ifsc ?? "");
  if (found.kind === "refused") return found;
  const settings = await readSettings(ctx.sql);
  const amount = requireMoney(asked.amount);
  const used = await readUsed(ctx.sql, accountId, asked.sender, indiaMonth(ctx.clock.now()));
  const tooMuch = refuseAmount(settings, amount) ?? refuseOverLimit(settings, used, amount);
  if (tooMuch) return tooMuch;
  const now = ctx.clock.now();
  const agreed = ctx.pricing.agree(accountId, SERVICE, one?.bank ?? "", amount, now);
  const transferRef = `TRF${ctx.ids.entry(now)}`;
  const { sender: mobile, beneficiary_id: beneficiaryId, mode, amount: amountText } = asked;
  const times = { createdAt: now, expiresAt: now + VALID_MILLISECONDS };
  const made = {
    accountId,
    transferRef,
    sender: mobile,
    beneficiaryId,
    mode,
    amount,
    amountText,
    fee: add(rateOf(amount, settings.fee), agreed.fee),
    ...times,
  };
  const otp = { ...transferOtp(accountId, transferRef), otpRef: transferRef, mobile, code: newCode(found.providerService) };
  return { kind: "prepared", providerService: found.providerService, quote: made, otp };
}

async function write(ctx: TransfersContext, tx: Transaction, prepared: PreparedQuote): Promise<string> {
  await insertQuote(tx, prepared.quote);
  await storeOtp(ctx, tx, prepared.otp);
  return prepared.quote.transferRef;
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
