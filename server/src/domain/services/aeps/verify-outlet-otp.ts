import { z } from "zod";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { otpField, recordField } from "../signed/fields.ts";
import { useOtp } from "../signed/one-time-passwords.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { providerNamed } from "./ask-provider.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "./context.ts";
import { okReply, outletIdField, outletReply } from "./fields.ts";
import { outletNotFound, outletRecord } from "./outlet.ts";
import { changeState, findOutlet, lockOutlet, type OutletKey } from "./outlet-store.ts";
import { otpSubject, refuseOtpStep } from "./send-outlet-otp.ts";

export function verifyOutletOtp(ctx: AepsContext): Route {
  return route({
    method: "POST",
    path: "/aeps/outlets/otp_verify",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Verifies the outlet's mobile; its owner's biometric comes next",
    input: z.object({ outlet_id: outletIdField, otp_ref: recordField, otp: otpField }),
    reply: okReply.extend({ outlet: outletReply }),
    refusals: ["outlet_not_found", "outlet_not_active", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: async ({ account, input: { outlet_id: outletId, otp_ref: otpRef, otp } }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const { accountId } = account;
      const key = { accountId, outletId };
      const refusal = await verify(ctx, key, { otpRef, code: otp });
      return refusal ?? (await answerOutlet(ctx, key));
    },
  });
}

/** Commits also when it refuses, because a wrong attempt counts. */
async function verify(
  ctx: AepsContext,
  key: OutletKey,
  given: { readonly otpRef: string; readonly code: string },
): Promise<Refusal | null> {
  return await ctx.sql.begin(async (tx) => {
    const outlet = await lockOutlet(tx, key);
    if (!outlet) return outletNotFound();
    const named = providerNamed(ctx, outlet);
    if (named.kind === "refused") return named;
    const now = ctx.clock.now();
    const refusal = refuseOtpStep(outlet, now);
    if (refusal) return refusal;
    if (outlet.otpRef !== given.otpRef) return refused("otp_invalid", "This is not the one-time password that was sent last.");
    const wrong = await useOtp(ctx, tx, otpSubject(key), given);
    if (wrong) return wrong;
    await changeState(tx, key, { from: "OTP_PENDING", to: "BIOMETRIC_PENDING", reason: "", at: new Date(now) });
    return null;
  });
}

/** The outlet's current state. */
export async function answerOutlet(ctx: AepsContext, key: OutletKey): Promise<Answer> {
  const outlet = await findOutlet(ctx.sql, key);
  return outlet ? { kind: "record", fields: { ok: true, outlet: outletRecord(outlet, ctx.clock.now()) } } : outletNotFound();
}
