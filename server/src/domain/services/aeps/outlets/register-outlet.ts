import { z } from "zod";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { requestIdField } from "../../signed/fields.ts";
import { fingerprintWithIdentities } from "../../signed/fingerprint.ts";
import { oncePerReference } from "../../signed/once-per-reference.ts";
import { chooseProviderService } from "../../signed/provider-services.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { askProvider, providerNamed } from "../ask-provider.ts";
import { masked, type Person, readAadhaar } from "../authentication/aadhaar.ts";
import type { KeyHolder } from "../authentication/key.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { okReply, outletFields, outletReply } from "../fields.ts";
import type { NewOutlet } from "../provider-service.ts";
import { type Outlet, outletRecord } from "./outlet.ts";
import { findOutlet, insertOutlet, type NewOutletRow, type OutletKey, storeRegistration } from "./outlet-store.ts";

const CALL = "/aeps/outlets";
const input = z.object({ request_id: requestIdField, ...outletFields });
type Input = z.infer<typeof input>;

export function registerOutlet(ctx: AepsContext, unsealKey: KeyHolder): Route {
  return route({
    method: "POST",
    path: CALL,
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Registers an outlet; its mobile and its owner's biometric are verified in the next steps",
    input,
    reply: okReply.extend({ request_id: z.string(), urid: z.string(), outlet: outletReply }),
    refusals: ["invalid_aadhaar"],
    handle: async ({ account, input: asked }) => {
      const key = await unsealKey();
      const read = () => readAadhaar(key, account.accountId, asked.aadhaar_enc);
      const outletKey = await recordOutlet(ctx, account, asked, read);
      if ("kind" in outletKey) return outletKey;
      const refusal = await registerWithProvider(ctx, outletKey, asked, read);
      return refusal ?? (await answer(ctx, outletKey, asked));
    },
  });
}

/** The record is written before the provider is called, so that a retry finds it and completes what a crash interrupted. */
async function recordOutlet(ctx: AepsContext, account: Account, asked: Input, read: () => Person | Refusal): Promise<OutletKey | Refusal> {
  const { accountId } = account;
  const outletId = `OUT${ctx.ids.entry(ctx.clock.now())}`;
  const reference = { accountId, operation: CALL, requestId: asked.request_id, fingerprint: fingerprintOfOutlet(ctx, accountId, asked) };
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    const owner = refuseClosedService(ctx, account, SERVICE) ?? read();
    if (owner.kind === "refused") return owner;
    const chosen = chooseProviderService(ctx, ctx.providerServices.aeps, { service: SERVICE, operator: "", account, reference: outletId });
    if (chosen.kind === "refused") return chosen;
    await insertOutlet(tx, newRow(ctx, { accountId, outletId }, asked, owner, chosen.provider));
    return outletId;
  });
  return recorded.kind === "refused" ? recorded : { accountId, outletId: recorded.record };
}

function fingerprintOfOutlet(ctx: AepsContext, accountId: string, asked: Input): string {
  const { pan, bank_account: bankAccount, ...details } = asked;
  return fingerprintWithIdentities(ctx, { accountId, requestId: asked.request_id, details, identities: [pan, bankAccount] });
}

function newRow(ctx: AepsContext, key: OutletKey, asked: Input, owner: Person, provider: string): NewOutletRow {
  return {
    ...key,
    provider,
    mobile: asked.mobile,
    email: asked.email,
    firstName: asked.first_name,
    lastName: asked.last_name,
    shopName: asked.shop_name,
    shopType: asked.shop_type,
    panMasked: masked(asked.pan),
    aadhaarLast4: owner.last4,
    ownerDigest: owner.digest,
    address: asked.address,
    bankAccountMasked: masked(asked.bank_account),
    ifsc: asked.ifsc,
    deviceModel: asked.device.model,
    deviceSerial: asked.device.serial,
    latitude: asked.latitude,
    longitude: asked.longitude,
    createdAt: ctx.clock.now(),
  };
}

/** Registers the outlet with the provider unless that is done. Clear values come from this request only. */
async function registerWithProvider(ctx: AepsContext, key: OutletKey, asked: Input, read: () => Person | Refusal): Promise<Refusal | null> {
  const outlet = await foundOutlet(ctx, key);
  if (outlet.agentCode !== null) return null;
  const owner = read();
  if (owner.kind === "refused") return owner;
  const named = providerNamed(ctx, outlet);
  if (named.kind === "refused") return named;
  const code = await askProvider(ctx, () => named.providerService.registerWithProvider(newOutlet(key, asked, owner)));
  if (code.kind === "refused") return code;
  const registered = typeof code.value === "string" ? { agentCode: code.value, onboardingUrl: null } : code.value;
  await storeRegistration(ctx.sql, key, registered);
  return null;
}

function newOutlet({ outletId }: OutletKey, asked: Input, owner: Person): NewOutlet {
  const { mobile, email, pan, address, ifsc, device, latitude, longitude } = asked;
  return {
    outletId,
    mobile,
    email,
    firstName: asked.first_name,
    lastName: asked.last_name,
    shopName: asked.shop_name,
    shopType: asked.shop_type,
    pan,
    aadhaar: owner.digits,
    address,
    bankAccount: asked.bank_account,
    ifsc,
    device,
    latitude,
    longitude,
  };
}

async function foundOutlet(ctx: AepsContext, key: OutletKey): Promise<Outlet> {
  const outlet = await findOutlet(ctx.sql, key);
  if (!outlet) throw new Error(`The outlet ${key.outletId} was recorded but cannot be found.`);
  return outlet;
}

async function answer(ctx: AepsContext, key: OutletKey, asked: Input): Promise<Answer> {
  const outlet = outletRecord(await foundOutlet(ctx, key), ctx.clock.now());
  return { kind: "record", fields: { ok: true, request_id: asked.request_id, urid: asked.request_id, outlet } };
}
