import { z } from "zod";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import {
  type NewOtp,
  newCode,
  OTP_MILLISECONDS,
  type OtpSubject,
  resendSeconds,
  storeOtp,
  storeUnsentOtp,
} from "../../signed/one-time-passwords.ts";
import { storeProviderOtp } from "../../signed/provider-otp.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { askProvider, providerNamed } from "../ask-provider.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { okReply, outletIdField } from "../fields.ts";
import type { AepsProviderService, OutletOtps } from "../provider-service.ts";
import { type Outlet, outletNotFound, refuseUse } from "./outlet.ts";
import { findOutlet, lockOutlet, noteOtp, noteSending, type OutletKey } from "./outlet-store.ts";

export function sendOutletOtp(ctx: AepsContext): Route {
  return route({
    method: "POST",
    path: "/aeps/outlets/otp",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Sends a one-time password to the outlet's mobile; earlier ones become invalid",
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
      const { providerService } = named;
      const kept = providerService.outletOtps
        ? await sendTheirs(ctx, outlet, providerService.outletOtps)
        : await sendOurs(ctx, outlet, providerService);
      if (kept.kind === "refused") return kept;
      return { kind: "record", fields: { ok: true, otp_ref: kept.otpRef, valid_until: kept.validUntil } };
    },
  });
}

/** Sends a password that we mint. A provider that does not send ours needs none, and the step goes on without a message. */
async function sendOurs(ctx: AepsContext, outlet: Outlet, providerService: AepsProviderService): Promise<Stored | Refusal> {
  const { sendOtp } = providerService;
  const code = sendOtp ? newCode(providerService) : null;
  const kept = await store(ctx, outlet, (tx, otp) => (code === null ? storeUnsentOtp(ctx, tx, otp) : storeOtp(ctx, tx, { ...otp, code })));
  if (kept.kind === "refused" || !sendOtp || code === null) return kept;
  const sent = await askProvider(ctx, () => sendOtp({ mobile: outlet.mobile, code, purpose: PURPOSE }));
  return sent.kind === "refused" ? sent : kept;
}

/** Has the provider send its own. The time of sending is marked first, so that of two requests one sends. */
async function sendTheirs(ctx: AepsContext, outlet: Outlet, otps: OutletOtps): Promise<Stored | Refusal> {
  const claimed = await ctx.sql.begin(async (tx) => {
    const current = await lockOutlet(tx, outlet);
    const refusal = current ? refuseSending(ctx, current) : outletNotFound();
    if (!refusal) await noteSending(tx, outlet, new Date(ctx.clock.now()));
    return refusal;
  });
  if (claimed) return claimed;
  const { agentCode, mobile, latitude, longitude, provider } = outlet;
  const asked = await askProvider(ctx, () => otps.send({ agent_code: agentCode ?? "", mobile, latitude, longitude }));
  if (asked.kind === "refused" || asked.value.kind === "refused") {
    await noteSending(ctx.sql, outlet, outlet.otpSentAt === null ? null : new Date(outlet.otpSentAt));
    return asked.kind === "refused" ? asked : notReady(outlet);
  }
  const sent = { ...asked.value.value, provider };
  return await ctx.sql.begin((tx) => write(ctx, tx, outlet, (otp) => storeProviderOtp(ctx, tx, otp, sent)));
}

function notReady({ onboardingUrl }: Outlet): Refusal {
  const next = onboardingUrl === null ? "Try again later." : "Its owner must finish on the page at onboarding_url first.";
  return refused("outlet_not_active", `The provider does not verify the outlet's mobile yet. ${next}`);
}

const PURPOSE = "aeps outlet";

export function otpSubject(key: OutletKey): OtpSubject {
  return { accountId: key.accountId, purpose: PURPOSE, subject: key.outletId };
}

type Stored = { readonly kind: "kept"; readonly otpRef: string; readonly validUntil: number };

type UnsentOtp = Omit<NewOtp, "code">;

async function store(
  ctx: AepsContext,
  key: OutletKey,
  keep: (tx: Transaction, otp: UnsentOtp) => Promise<void>,
): Promise<Stored | Refusal> {
  return await ctx.sql.begin(async (tx) => {
    const outlet = await lockOutlet(tx, key);
    const refusal = outlet ? refuseSending(ctx, outlet) : outletNotFound();
    if (!outlet || refusal) return refusal ?? outletNotFound();
    return await write(ctx, tx, outlet, (otp) => keep(tx, otp));
  });
}

async function write(ctx: AepsContext, tx: Transaction, outlet: Outlet, keep: (otp: UnsentOtp) => Promise<void>): Promise<Stored> {
  const { mobile } = outlet;
  const otpRef = `OTP${ctx.ids.request()}`;
  const now = ctx.clock.now();
  await keep({ ...otpSubject(outlet), otpRef, mobile });
  await noteOtp(tx, outlet, otpRef, new Date(now));
  return { kind: "kept", otpRef, validUntil: Math.floor((now + OTP_MILLISECONDS) / 1000) };
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
