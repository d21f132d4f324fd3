import { z } from "zod";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { mobileField, otpField, recordField } from "../../signed/fields.ts";
import { reopenOtp, useOtp } from "../../signed/one-time-passwords.ts";
import { checkAtProvider, findProviderOtp, type GivenOtp, type OtpVerdict, otpVerdict, refuseLength } from "../../signed/provider-otp.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { recordReply, senderShape } from "../fields.ts";
import { findNamed, findProvider } from "../find-provider.ts";
import { senderOtp } from "../otp.ts";
import type { ProviderSenders } from "../provider-service.ts";
import { senderNotFound } from "../refusals.ts";
import { done, senderFields } from "../views.ts";
import { senderInput } from "./register-at-provider.ts";
import { saveSenderRegistration } from "./registration-store.ts";
import { decideSender, findSender, nameOf, type Sender } from "./sender-store.ts";

const input = z.object({ mobile: mobileField, otp_ref: recordField, otp: otpField });

export function verifySender(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/senders/verify",
    service: SERVICE,
    kind: "plain",
    summary: "Verifies a sender's mobile with the one-time password; the provider then admits or blocks the sender",
    input,
    reply: recordReply({ sender: senderShape }),
    refusals: ["sender_not_found", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? verify(ctx, account, asked),
  });
}

async function verify(ctx: TransfersContext, account: Account, asked: z.infer<typeof input>): Promise<Answer> {
  const { accountId } = account;
  const given = { otpRef: asked.otp_ref, code: asked.otp };
  const tooLong = await refuseLength(ctx.sql, accountId, given);
  if (tooLong) return tooLong;
  const sender = await findSender(ctx.sql, accountId, asked.mobile);
  if (!sender) return senderNotFound();
  const minted = await findProviderOtp(ctx.sql, senderOtp(accountId, asked.mobile), asked.otp_ref);
  const against = minted ? await verifyThere(ctx, accountId, sender, given) : await verifyHere(ctx, account, sender, given);
  if (against) return against;
  const decided = (await findSender(ctx.sql, accountId, asked.mobile)) ?? sender;
  return done({ sender: await senderFields(ctx, accountId, decided) });
}

/** For a one-time password that we minted. */
async function verifyHere(ctx: TransfersContext, account: Account, sender: Sender, given: GivenOtp): Promise<Refusal | null> {
  const { accountId } = account;
  const { mobile } = sender;
  const found = findProvider(ctx, account, mobile);
  if (found.kind === "refused") return found;
  // Committed also when it is refused, because a wrong code counts.
  const wrong = await ctx.sql.begin((tx) => useOtp(ctx, tx, senderOtp(accountId, mobile), given));
  if (wrong) return wrong;
  const check = { mobile, name: nameOf(sender), pincode: sender.pincode };
  const status = await askProvider(ctx, SERVICE, () => found.providerService.checkSender(check));
  if (status.kind === "refused") {
    await reopenOtp(ctx.sql, senderOtp(accountId, mobile), given.otpRef);
    return status;
  }
  await decideSender(ctx.sql, accountId, mobile, status.value);
  return null;
}

/** For a one-time password that a provider minted: it checks the code and decides about the sender at once. */
function verifyThere(ctx: TransfersContext, accountId: string, sender: Sender, given: GivenOtp): Promise<Refusal | null> {
  const { mobile } = sender;
  return checkAtProvider<"VERIFIED" | "BLOCKED">(ctx, {
    subject: senderOtp(accountId, mobile),
    given,
    ask: async ({ provider, providerOtpRef }) => {
      const found = findNamed(ctx, accountId, provider);
      if (found.kind === "refused") return found;
      const { senders } = found.providerService;
      if (!senders) return refused("busy", "The provider cannot verify senders at the moment. Try again later.");
      const question = { ...senderInput(sender), otp: given.code, otp_ref: providerOtpRef };
      return await askProvider(ctx, SERVICE, async () => decisionOf(await senders.verify(question)));
    },
    apply: async (tx, status, provider) => {
      await saveSenderRegistration(tx, { accountId, mobile }, { provider, status }, new Date(ctx.clock.now()));
      await decideSender(tx, accountId, mobile, status);
    },
  });
}

/** A provider may also refuse the person, which is not a wrong code. */
function decisionOf(result: Awaited<ReturnType<ProviderSenders["verify"]>>): OtpVerdict<"VERIFIED" | "BLOCKED"> {
  if (result.kind === "refused" && (result.code === "blocked" || result.code === "rejected")) return { kind: "right", value: "BLOCKED" };
  const verdict = otpVerdict(result);
  return verdict.kind === "right" ? { kind: "right", value: verdict.value.status } : verdict;
}
