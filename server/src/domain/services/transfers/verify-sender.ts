import { z } from "zod";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { mobileField, otpField, recordField } from "../signed/fields.ts";
import { reopenOtp, useOtp } from "../signed/one-time-passwords.ts";
import { askProvider } from "../signed/provider-services.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { recordReply, senderShape } from "./fields.ts";
import { findProvider } from "./find-provider.ts";
import { senderOtp } from "./otp.ts";
import { senderNotFound } from "./refusals.ts";
import { decideSender, findSender, nameOf } from "./sender-store.ts";
import { done, senderFields } from "./views.ts";

const input = z.object({ mobile: mobileField, otp_ref: recordField, otp: otpField });

export function verifySender(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/senders/verify",
    service: SERVICE,
    kind: "plain",
    summary: "Prove a sender's mobile with the one-time password; the provider then admits or blocks the sender",
    input,
    reply: recordReply({ sender: senderShape }),
    refusals: ["sender_not_found", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? verify(ctx, account, asked),
  });
}

async function verify(ctx: TransfersContext, account: Account, asked: z.infer<typeof input>): Promise<Answer> {
  const { accountId } = account;
  const sender = await findSender(ctx.sql, accountId, asked.mobile);
  if (!sender) return senderNotFound();
  const found = findProvider(ctx, account, asked.mobile);
  if (found.kind === "refused") return found;
  const given = { otpRef: asked.otp_ref, code: asked.otp };
  // Committed also when it is refused, because a wrong code counts.
  const wrong = await ctx.sql.begin((tx) => useOtp(ctx, tx, senderOtp(accountId, asked.mobile), given));
  if (wrong) return wrong;
  const check = { mobile: sender.mobile, name: nameOf(sender), pincode: sender.pincode };
  const status = await askProvider(ctx, SERVICE, () => found.providerService.checkSender(check));
  if (status.kind === "refused") {
    await reopenOtp(ctx.sql, senderOtp(accountId, asked.mobile), asked.otp_ref);
    return status;
  }
  await decideSender(ctx.sql, accountId, asked.mobile, status.value);
  const decided = (await findSender(ctx.sql, accountId, asked.mobile)) ?? sender;
  return done({ sender: await senderFields(ctx, accountId, decided) });
}
