import { z } from "zod";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { mobileField, recordField } from "../signed/fields.ts";
import { newCode, refuseResend, storeOtp } from "../signed/one-time-passwords.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { otpRefReply, recordReply } from "./fields.ts";
import { findProvider } from "./find-provider.ts";
import { sendCode, senderOtp } from "./otp.ts";
import { senderNotFound } from "./refusals.ts";
import { findSender } from "./sender-store.ts";
import { done } from "./views.ts";

const input = z.object({ mobile: mobileField, otp_ref: recordField });

export function resendSenderOtp(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/senders/otp",
    service: SERVICE,
    kind: "plain",
    summary: "Send a sender's one-time password anew, 30 seconds after the last one at the earliest",
    input,
    reply: recordReply({ otp_ref: otpRefReply }),
    refusals: ["sender_not_found", "otp_invalid", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? resend(ctx, account, asked),
  });
}

async function resend(ctx: TransfersContext, account: Account, asked: z.infer<typeof input>): Promise<Answer> {
  const { accountId } = account;
  if (!(await findSender(ctx.sql, accountId, asked.mobile))) return senderNotFound();
  const found = findProvider(ctx, account, asked.mobile);
  if (found.kind === "refused") return found;
  const subject = senderOtp(accountId, asked.mobile);
  const otp = { ...subject, otpRef: asked.otp_ref, mobile: asked.mobile, code: newCode(found.providerService) };
  const against = await ctx.sql.begin(async (tx) => {
    const allowed = await refuseResend(ctx, tx, subject, asked.otp_ref);
    if (allowed.kind === "refused") return allowed;
    await storeOtp(ctx, tx, otp);
    return null;
  });
  if (against) return against;
  await sendCode(ctx, found.providerService, otp);
  return done({ otp_ref: asked.otp_ref });
}
