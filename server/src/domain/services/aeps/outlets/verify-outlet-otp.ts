import { z } from "zod";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { otpField, recordField } from "../../signed/fields.ts";
import { useOtp } from "../../signed/one-time-passwords.ts";
import { checkAtProvider, findProviderOtp, type GivenOtp, otpVerdict, refuseLength } from "../../signed/provider-otp.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { askProvider, providerNamed } from "../ask-provider.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { okReply, outletIdField, outletReply } from "../fields.ts";
import { type Outlet, outletNotFound, outletRecord } from "./outlet.ts";
import { changeState, findOutlet, lockOutlet, type OutletKey } from "./outlet-store.ts";
import { otpSubject, refuseOtpStep } from "./send-outlet-otp.ts";

export function verifyOutletOtp(ctx: AepsContext): Route {
  return route({
    method: "POST",
    path: "/aeps/outlets/otp_verify",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Verifies the outlet's mobile with the one-time password; the owner's biometric is next",
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

async function verify(ctx: AepsContext, key: OutletKey, given: GivenOtp): Promise<Refusal | null> {
  const tooLong = await refuseLength(ctx.sql, key.accountId, given);
  if (tooLong) return tooLong;
  const minted = await findProviderOtp(ctx.sql, otpSubject(key), given.otpRef);
  return minted ? await verifyThere(ctx, key, given) : await verifyHere(ctx, key, given);
}

/** For a password that we minted, or that nobody needs. Commits also when it refuses, because a wrong attempt counts. */
async function verifyHere(ctx: AepsContext, key: OutletKey, given: GivenOtp): Promise<Refusal | null> {
  return await ctx.sql.begin(async (tx) => {
    const refusal = refuseStep(ctx, await lockOutlet(tx, key), given) ?? (await useOtp(ctx, tx, otpSubject(key), given));
    if (!refusal) await toBiometric(ctx, tx, key);
    return refusal;
  });
}

/** For one that the outlet's provider minted and checks. */
async function verifyThere(ctx: AepsContext, key: OutletKey, given: GivenOtp): Promise<Refusal | null> {
  const outlet = await findOutlet(ctx.sql, key);
  const refusal = refuseStep(ctx, outlet, given);
  if (!outlet || refusal) return refusal;
  return await checkAtProvider<object>(ctx, {
    subject: otpSubject(key),
    given,
    ask: async ({ providerOtpRef }) => {
      const named = providerNamed(ctx, outlet);
      if (named.kind === "refused") return named;
      const { outletOtps } = named.providerService;
      if (!outletOtps) return refused("busy", "The provider cannot verify outlets at the moment. Try again later.");
      const question = { agent_code: outlet.agentCode ?? "", mobile: outlet.mobile, otp: given.code, otp_ref: providerOtpRef };
      const asked = await askProvider(ctx, async () => otpVerdict<object>(await outletOtps.verify(question)));
      return asked.kind === "refused" ? asked : { kind: "asked", value: asked.value };
    },
    apply: (tx) => toBiometric(ctx, tx, key),
  });
}

function refuseStep(ctx: AepsContext, outlet: Outlet | null, given: GivenOtp): Refusal | null {
  if (!outlet) return outletNotFound();
  const named = providerNamed(ctx, outlet);
  if (named.kind === "refused") return named;
  const refusal = refuseOtpStep(outlet, ctx.clock.now());
  if (refusal) return refusal;
  return outlet.otpRef === given.otpRef ? null : refused("otp_invalid", "This is not the one-time password that was sent last.");
}

async function toBiometric(ctx: AepsContext, tx: Transaction, key: OutletKey): Promise<void> {
  await changeState(tx, key, { from: "OTP_PENDING", to: "BIOMETRIC_PENDING", reason: "", at: new Date(ctx.clock.now()) });
}

/** The outlet's current state. */
export async function answerOutlet(ctx: AepsContext, key: OutletKey): Promise<Answer> {
  const outlet = await findOutlet(ctx.sql, key);
  return outlet ? { kind: "record", fields: { ok: true, outlet: outletRecord(outlet, ctx.clock.now()) } } : outletNotFound();
}
