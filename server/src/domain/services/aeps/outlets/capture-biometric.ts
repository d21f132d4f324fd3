import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { formatFailure } from "../../../shared/failure.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { askOutletProvider, type Judged } from "../ask-provider.ts";
import { refusePid } from "../authentication/pid.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { okReply, outletIdField, outletReply, pidField, placeFields } from "../fields.ts";
import { type Outlet, outletNotFound, refuseUse } from "./outlet.ts";
import { changeState, findOutlet } from "./outlet-store.ts";
import { answerOutlet } from "./verify-outlet-otp.ts";

const input = z.object({ outlet_id: outletIdField, pid: pidField, ...placeFields });
type Input = z.infer<typeof input>;

export function captureBiometric(ctx: AepsContext): Route {
  return route({
    method: "POST",
    path: "/aeps/outlets/biometric",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Verifies the owner's biometric, which completes an outlet's KYC or renews it after 90 idle days",
    input,
    reply: okReply.extend({ outlet: outletReply }),
    refusals: ["outlet_not_found", "outlet_not_active", "invalid_pid", "device_not_registered"],
    handle: async ({ account, input: asked }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const { accountId } = account;
      const outlet = await findOutlet(ctx.sql, { accountId, outletId: asked.outlet_id });
      if (!outlet) return outletNotFound();
      const refusal = await check(ctx, outlet, asked);
      return refusal ?? (await answerOutlet(ctx, outlet));
    },
  });
}

async function check(ctx: AepsContext, outlet: Outlet, asked: Input): Promise<Refusal | null> {
  // For KYC, an idle outlet counts as active.
  const refusal = outlet.state === "ACTIVE" || outlet.state === "BIOMETRIC_PENDING" ? null : refuseUse(outlet, ctx.clock.now());
  if (refusal) return refusal;
  const wrong = refusePid(asked.pid, outlet.deviceSerial);
  if (wrong) return wrong;
  const verdict = await askOutletProvider(ctx, outlet, (providerService, known) =>
    providerService.checkBiometric({ pid: asked.pid, latitude: asked.latitude, longitude: asked.longitude, ...known }),
  );
  if (verdict.kind === "refused") return verdict;
  await apply(ctx, outlet, verdict);
  return null;
}

// Only an outlet that was never active can be rejected.
async function apply(ctx: AepsContext, outlet: Outlet, verdict: Judged): Promise<void> {
  const { state: from } = outlet;
  const at = new Date(ctx.clock.now());
  if (verdict.kind === "verified") return void (await changeState(ctx.sql, outlet, { from, to: "ACTIVE", reason: "", at }));
  const [to, code] = from === "ACTIVE" ? (["SUSPENDED", "outlet_suspended"] as const) : (["REJECTED", "outlet_rejected"] as const);
  await changeState(ctx.sql, outlet, { from, to, reason: formatFailure({ code, words: verdict.reason }), at });
}
