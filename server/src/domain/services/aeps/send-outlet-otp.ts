import { z } from "zod";
import { type Route, route } from "../../client-api/route.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { newCode, OTP_MILLISECONDS, type OtpSubject, resendSeconds, storeOtp } from "../signed/one-time-passwords.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { askProvider, providerNamed } from "./ask-provider.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "./context.ts";
import { okReply, outletIdField } from "./fields.ts";
import { type Outlet, outletNotFound, refuseUse } from "./outlet.ts";
import { findOutlet, lockOutlet, noteOtp, type OutletKey } from "./outlet-store.ts";

export function sendOutletOtp(ctx: AepsContext): Route {
  return route({
    method: "POST",
    path: "/aeps/outlets/otp",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Sends a one-time password to the outlet's mobile; the one before opens nothing any more",
    input: z.object({ outlet_id: outletIdField }),
    reply: okReply.extend({ otp_ref: z.string(), valid_until: z.number().int() }),
    refusals: ["outlet_not_found", "outlet_not_active", "otp_invalid"],
    handle: async ({ account, input: { outlet_id: outletId } }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const { accountId } = account;
      const key = { accountId, outletId };
      const outlet = await findOutlet(ctx.sql, key);
      if (!outlet) return outletNotFound();
      const named = providerNamed(ctx, outlet);
      if (named.kind === "refused") return named;
      const code = newCode(named.providerService);
      const kept = await store(ctx, key, code);
      if (kept.kind === "refused") return kept;
      const message = { mobile: outlet.mobile, code, purpose: PURPOSE };
      const sent = await askProvider(ctx, () => named.providerService.sendOtp(message));
      if (sent.kind === "refused") return sent;
      return { kind: "record", fields: { ok: true, otp_ref: kept.otpRef, valid_until: kept.validUntil } };
    },
  });
}

const PURPOSE = "aeps outlet";

export function otpSubject(key: OutletKey): OtpSubject {
  return { accountId: key.accountId, purpose: PURPOSE, subject: key.outletId };
}

type Stored = { readonly kind: "kept"; readonly otpRef: string; readonly validUntil: number };

async function store(ctx: AepsContext, key: OutletKey, code: string): Promise<Stored | Refusal> {
  return await ctx.sql.begin(async (tx) => {
    const outlet = await lockOutlet(tx, key);
    const refusal = outlet ? refuseSending(ctx, outlet) : outletNotFound();
    if (!outlet || refusal) return refusal ?? outletNotFound();
    const otpRef = `OTP${ctx.ids.request()}`;
    const now = ctx.clock.now();
    await storeOtp(ctx, tx, { ...otpSubject(key), otpRef, mobile: outlet.mobile, code });
    await noteOtp(tx, key, otpRef, new Date(now));
    return { kind: "kept", otpRef, validUntil: Math.floor((now + OTP_MILLISECONDS) / 1000) };
  });
}

function refuseSending(ctx: AepsContext, outlet: Outlet): Refusal | null {
  const refusal = refuseOtpStep(outlet, ctx.clock.now());
  if (refusal) return refusal;
  if (outlet.agentCode === null) {
    return refused("busy", "The provider has not registered the outlet yet. Send POST /aeps/outlets again with the same request_id.");
  }
  const seconds = resendSeconds(outlet.otpSentAt ?? 0, ctx.clock.now());
  return seconds > 0 ? refused("rate_limited", `A new one-time password can be sent in ${seconds} s.`) : null;
}

/** The mobile is verified once, and not for an outlet that is suspended or rejected. */
export function refuseOtpStep(outlet: Outlet, now: number): Refusal | null {
  if (outlet.state === "OTP_PENDING") return null;
  if (outlet.state === "REJECTED" || outlet.state === "SUSPENDED") return refuseUse(outlet, now);
  return refused("otp_invalid", "The outlet's mobile is already verified. It needs no one-time password.");
}
