import { z } from "zod";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { mobileField, recordField } from "../../signed/fields.ts";
import { newCode, refuseResend, storeOtp } from "../../signed/one-time-passwords.ts";
import { askWithinLimit, refuseSending } from "../../signed/otp-limits.ts";
import {
  claimResend,
  findProviderOtp,
  type ProviderOtp,
  releaseResend,
  type SentOtp,
  storeProviderOtp,
} from "../../signed/provider-otp.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { otpRefReply, recordReply } from "../fields.ts";
import { type FoundProvider, findNamed, findProvider } from "../find-provider.ts";
import { sendCode, senderOf, senderOtp } from "../otp.ts";
import { senderNotFound } from "../refusals.ts";
import { done } from "../views.ts";
import { askToRegister, senderInput } from "./register-at-provider.ts";
import { findSender, type Sender } from "./sender-store.ts";

const input = z.object({ mobile: mobileField, otp_ref: recordField });

export function resendSenderOtp(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/senders/otp",
    service: SERVICE,
    kind: "plain",
    summary: "Resends a sender's one-time password, at most every 30 seconds",
    input,
    reply: recordReply({ otp_ref: otpRefReply }),
    refusals: ["sender_not_found", "sender_not_verified", "otp_invalid", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? resend(ctx, account, asked),
  });
}

async function resend(ctx: TransfersContext, account: Account, asked: z.infer<typeof input>): Promise<Answer> {
  const { accountId } = account;
  const sender = await findSender(ctx.sql, accountId, asked.mobile);
  if (!sender) return senderNotFound();
  const minted = await findProviderOtp(ctx.sql, senderOtp(accountId, asked.mobile), asked.otp_ref);
  const against = minted
    ? await resendProviderOtp(ctx, accountId, sender, asked.otp_ref, minted)
    : await resendOwnOtp(ctx, account, sender.mobile, asked.otp_ref);
  return against ?? done({ otp_ref: asked.otp_ref });
}

/** For a one-time password that this service made. */
async function resendOwnOtp(ctx: TransfersContext, account: Account, mobile: string, otpRef: string): Promise<Refusal | null> {
  const found = findProvider(ctx, account, mobile);
  if (found.kind === "refused") return found;
  const subject = senderOtp(account.accountId, mobile);
  const otp = { ...subject, otpRef, mobile, code: newCode(found.providerService) };
  const against = await ctx.sql.begin(async (tx) => {
    const allowed = await refuseResend(ctx, tx, subject, otpRef);
    if (allowed.kind === "refused") return allowed;
    const limited = await refuseSending(ctx, tx, found.providerService, otp);
    if (!limited) await storeOtp(ctx, tx, otp);
    return limited;
  });
  if (!against) await sendCode(ctx, found.providerService, otp);
  return against;
}

/** For a one-time password that a provider made. The new one keeps our reference and its count of wrong codes. */
async function resendProviderOtp(
  ctx: TransfersContext,
  accountId: string,
  sender: Sender,
  otpRef: string,
  { provider, providerOtpRef }: ProviderOtp,
): Promise<Refusal | null> {
  const found = findNamed(ctx, accountId, provider);
  if (found.kind === "refused") return found;
  const { mobile } = sender;
  const subject = senderOtp(accountId, mobile);
  const claimed = await ctx.sql.begin(async (tx) => {
    const allowed = await refuseResend(ctx, tx, subject, otpRef);
    return allowed.kind === "refused" ? allowed : await claimResend(tx, subject, otpRef, ctx.clock.now());
  });
  if ("kind" in claimed) return claimed;
  const resent = await askWithinLimit(ctx, senderOf(found), { accountId, mobile }, () => askToResend(ctx, found, sender, providerOtpRef));
  if (resent.kind === "refused") {
    await releaseResend(ctx.sql, subject, otpRef, claimed);
    return resent;
  }
  await storeProviderOtp(ctx, ctx.sql, { ...subject, otpRef, mobile }, { ...resent.sent, provider });
  return null;
}

type Resent = { readonly kind: "sent"; readonly sent: SentOtp };

async function askToResend(ctx: TransfersContext, found: FoundProvider, sender: Sender, providerOtpRef: string): Promise<Resent | Refusal> {
  const resendOtp = found.providerService.senders?.resendOtp;
  if (resendOtp) {
    const asked = await askProvider(ctx, SERVICE, () => resendOtp({ ...senderInput(sender), otp_ref: providerOtpRef }));
    if (asked.kind === "refused") return asked;
    return asked.value.kind === "answered" ? { kind: "sent", sent: asked.value.value } : notSent();
  }
  const registered = await askToRegister(ctx, found, sender);
  if (registered.kind === "refused") return registered;
  return registered.sent ? { kind: "sent", sent: registered.sent } : notSent();
}

function notSent(): Refusal {
  return refused("otp_invalid", "The provider sends no new one-time password. Register the sender again.");
}
