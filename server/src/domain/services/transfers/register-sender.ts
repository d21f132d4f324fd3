import { z } from "zod";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { consentField, mobileField, nameField, pincodeField, requestIdField } from "../signed/fields.ts";
import { fingerprintOf } from "../signed/fingerprint.ts";
import { oncePerReference } from "../signed/once-per-reference.ts";
import { storeOtp } from "../signed/one-time-passwords.ts";
import { refuseClosedService } from "../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { otpRefReply, recordReply, senderShape } from "./fields.ts";
import { findProvider } from "./find-provider.ts";
import { newOtp, sendCode, senderOtp } from "./otp.ts";
import { findSender, saveSender } from "./sender-store.ts";
import { done, senderFields } from "./views.ts";

const PATH = "/transfers/senders";

const input = z.object({
  request_id: requestIdField,
  mobile: mobileField,
  first_name: nameField,
  last_name: nameField.optional(),
  pincode: pincodeField,
  consent: consentField,
});

export function registerSender(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: PATH,
    service: SERVICE,
    kind: "plain",
    summary: "Register whose money is sent; a one-time password goes to the mobile unless it was verified before",
    input,
    reply: recordReply({
      sender: senderShape,
      otp_ref: otpRefReply.describe("Empty when nothing was sent: the sender is decided already"),
    }),
    handle: ({ account, input: asked }) => register(ctx, account, asked),
  });
}

async function register(ctx: TransfersContext, account: Account, asked: z.infer<typeof input>): Promise<Answer> {
  const { accountId } = account;
  const found = findProvider(ctx, account, asked.mobile);
  const otp = found.kind === "found" ? newOtp(ctx, found.providerService, senderOtp(accountId, asked.mobile), asked.mobile) : null;
  const reference = { accountId, call: PATH, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    const against = refuseClosedService(ctx, account, SERVICE);
    if (against) return against;
    if (found.kind === "refused" || !otp) return found.kind === "refused" ? found : "";
    const details = { mobile: asked.mobile, firstName: asked.first_name, lastName: asked.last_name ?? null, pincode: asked.pincode };
    const sender = await saveSender(tx, accountId, details, new Date(ctx.clock.now()));
    if (sender.status !== "OTP_PENDING") return "";
    await storeOtp(ctx, tx, otp);
    return otp.otpRef;
  });
  if (recorded.kind === "refused") return recorded;
  if (found.kind === "found" && otp?.otpRef === recorded.record) await sendCode(ctx, found.providerService, otp);
  const sender = await findSender(ctx.sql, accountId, asked.mobile);
  if (!sender) throw new Error("The sender was registered but cannot be found.");
  return done({ sender: await senderFields(ctx, accountId, sender), otp_ref: recorded.record }, asked.request_id);
}
