import { formatMoney } from "../../../platform/core/money.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { type NewOtp, newCode, storeUnsentOtp, useOtp } from "../signed/one-time-passwords.ts";
import { refuseSending } from "../signed/otp-limits.ts";
import { findProviderOtp, type GivenOtp, passOnOtp, type SentOtp, storeProviderOtp } from "../signed/provider-otp.ts";
import { askProvider } from "../signed/provider-services.ts";
import { unsealNumber } from "./account-number.ts";
import type { Beneficiary } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import type { FoundProvider } from "./find-provider.ts";
import { storeUnlessFresh, transferOtp } from "./otp.ts";
import type { NewQuote } from "./quote-store.ts";
import { lockSender } from "./sender-store.ts";

/** The one-time password of a transfer: sent by the provider that minted it, to be sent by us, or none at all. */
export type TransferOtp =
  | { readonly kind: "theirs"; readonly provider: string; readonly sent: SentOtp }
  | { readonly kind: "ours"; readonly otp: NewOtp }
  | { readonly kind: "none" };

/** Decides who mints a transfer's password. A provider that mints its own sends it now, before the quote is written. */
export async function arrangeTransferOtp(
  ctx: TransfersContext,
  { provider, providerService }: FoundProvider,
  quote: NewQuote,
  one: Beneficiary,
  beneficiaryRef: string,
): Promise<TransferOtp | Refusal> {
  const { accountId, transferRef, sender, mode } = quote;
  const { sendTransferOtp, sendOtp } = providerService;
  if (sendTransferOtp) {
    const limited = await refuseSending(ctx, ctx.sql, providerService, { accountId, mobile: sender });
    if (limited) return limited;
    const account = await unsealNumber(ctx, one, one.number);
    const amount = formatMoney(quote.amount);
    const question = { reference: transferRef, sender, beneficiary_ref: beneficiaryRef, account, ifsc: one.ifsc, amount, mode };
    const asked = await askProvider(ctx, SERVICE, () => sendTransferOtp(question));
    if (asked.kind === "refused") return asked;
    if (asked.value.kind === "answered") return { kind: "theirs", provider, sent: asked.value.value };
    ctx.log.warn({ provider, reason: asked.value.reason }, "a provider sends no one-time password for a transfer");
    return refused("beneficiary_not_active", "The provider does not accept this transfer. Nothing was created.");
  }
  if (!sendOtp) return { kind: "none" };
  const subject = transferOtp(accountId, transferRef);
  return { kind: "ours", otp: { ...subject, otpRef: transferRef, mobile: sender, code: newCode(providerService) } };
}

/** A transfer_ref is also the reference of its password, so that every quote has its own. */
export async function storeTransferOtp(
  ctx: TransfersContext,
  tx: Transaction,
  { providerService }: FoundProvider,
  quote: NewQuote,
  otp: TransferOtp,
): Promise<Refusal | null> {
  if (otp.kind === "ours") {
    // So that quotes at once do not pass the limit together.
    await lockSender(tx, quote.accountId, quote.sender);
    const stored = await storeUnlessFresh(ctx, tx, providerService, otp.otp);
    return typeof stored === "string" ? null : stored;
  }
  const one = { ...transferOtp(quote.accountId, quote.transferRef), otpRef: quote.transferRef, mobile: quote.sender };
  if (otp.kind === "theirs") await storeProviderOtp(ctx, tx, one, { ...otp.sent, provider: otp.provider });
  else await storeUnsentOtp(ctx, tx, one);
  return null;
}

/** Uses the password in the transaction that accepts the order. A provider's own is checked when the money is sent. */
export async function useTransferOtp(ctx: TransfersContext, tx: Transaction, accountId: string, given: GivenOtp): Promise<Refusal | null> {
  const subject = transferOtp(accountId, given.otpRef);
  const minted = await findProviderOtp(tx, subject, given.otpRef);
  return minted ? await passOnOtp(ctx, tx, subject, given) : await useOtp(ctx, tx, subject, given);
}
