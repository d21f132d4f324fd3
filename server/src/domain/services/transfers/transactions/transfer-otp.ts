import type { QueryInput } from "@corprail/connector";
import { formatMoney } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { type NewOtp, newCode, storeUnsentOtp, useOtp } from "../../signed/one-time-passwords.ts";
import { askWithinLimit } from "../../signed/otp-limits.ts";
import { findProviderOtp, type GivenOtp, passOnOtp, type SentOtp, storeProviderOtp } from "../../signed/provider-otp.ts";
import type { Usable } from "../../signed/provider-queries.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { unsealNumber } from "../beneficiaries/account-number.ts";
import type { Beneficiary } from "../beneficiaries/beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import type { FoundProvider } from "../find-provider.ts";
import { senderOf, storeUnlessFresh, transferOtp } from "../otp.ts";
import type { NewQuote } from "./quote-store.ts";

/** The one-time password of a transfer: sent by the provider that minted it, to be sent by us, or none at all. */
export type TransferOtp =
  | { readonly kind: "theirs"; readonly provider: string; readonly sent: SentOtp }
  | { readonly kind: "ours"; readonly otp: NewOtp }
  | { readonly kind: "none" };

/** Decides who mints a transfer's password. A provider that mints its own sends it now, before the quote is written. */
export async function arrangeTransferOtp(
  ctx: TransfersContext,
  found: FoundProvider,
  quote: NewQuote,
  one: Beneficiary,
  beneficiaryRef: string,
): Promise<TransferOtp | Refusal> {
  const { accountId, transferRef, sender } = quote;
  const { providerService } = found;
  const { sendTransferOtp, sendOtp } = providerService;
  if (sendTransferOtp) {
    const question = await transferQuestion(ctx, quote, one, beneficiaryRef);
    const ask = () => askToSend(ctx, found.provider, () => sendTransferOtp(question));
    return await askWithinLimit(ctx, senderOf(found), { accountId, mobile: sender }, ask);
  }
  if (!sendOtp) return { kind: "none" };
  const subject = transferOtp(accountId, transferRef);
  return { kind: "ours", otp: { ...subject, otpRef: transferRef, mobile: sender, code: newCode(providerService) } };
}

async function transferQuestion(
  ctx: TransfersContext,
  { transferRef, sender, mode, amount }: NewQuote,
  one: Beneficiary,
  beneficiaryRef: string,
): Promise<QueryInput<"transfers.send_otp">> {
  const account = await unsealNumber(ctx, one, one.number);
  return { reference: transferRef, sender, beneficiary_ref: beneficiaryRef, account, ifsc: one.ifsc, amount: formatMoney(amount), mode };
}

async function askToSend(
  ctx: TransfersContext,
  provider: string,
  send: () => Promise<Usable<SentOtp>>,
): Promise<Extract<TransferOtp, { readonly kind: "theirs" }> | Refusal> {
  const asked = await askProvider(ctx, SERVICE, send);
  if (asked.kind === "refused") return asked;
  if (asked.value.kind === "answered") return { kind: "theirs", provider, sent: asked.value.value };
  ctx.log.warn({ provider, reason: asked.value.reason }, "a provider sends no one-time password for a transfer");
  return refused("beneficiary_not_active", "The provider does not accept this transfer. Nothing was created.");
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
