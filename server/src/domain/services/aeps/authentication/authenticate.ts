import { z } from "zod";
import { indiaDate } from "../../../../platform/core/india-time.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { FAILURE_SENTENCES, formatFailure } from "../../../shared/failure.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { askOutletProvider, liveBank } from "../ask-provider.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { aadhaarField, bankIinField, okReply, outletIdField, pidField, placeFields } from "../fields.ts";
import { endOfDay, type Outlet, outletNotFound, refuseUse } from "../outlets/outlet.ts";
import { changeState, countOwnerAuthentication, findOutlet, noteDailyAuth, noteUse, type OutletKey } from "../outlets/outlet-store.ts";
import { type Person, readAadhaar } from "./aadhaar.ts";
import { type Authenticated, insertAuthentication } from "./authentication-store.ts";
import type { KeyHolder } from "./key.ts";
import { refusePid } from "./pid.ts";

/** For each outlet and day in India. */
const MAX_WRONG_NUMBERS = 10;
const TXN_MILLISECONDS = 5 * 60 * 1000;
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

const input = z
  .object({
    outlet_id: outletIdField,
    type: z.enum(["DAILY", "TXN"], "must be DAILY or TXN"),
    aadhaar_enc: aadhaarField,
    pid: pidField,
    ...placeFields,
    bank_iin: bankIinField.optional().describe("Of a TXN authentication, which needs it"),
  })
  .refine((asked) => asked.type === "DAILY" || asked.bank_iin !== undefined, { path: ["bank_iin"], error: "is required with TXN" });
type Input = z.infer<typeof input>;

export function authenticate(ctx: AepsContext, unsealKey: KeyHolder): Route {
  return route({
    method: "POST",
    path: "/aeps/auth",
    service: SERVICE,
    kind: "plain",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary: "Authenticates the outlet's owner for the day, or the owner or a customer for one transaction with a bank",
    input,
    reply: okReply.extend({ auth_ref: z.string(), valid_until: z.number().int() }),
    refusals: [
      "outlet_not_found",
      "outlet_not_active",
      "rekyc_required",
      "bank_not_live",
      "invalid_aadhaar",
      "invalid_pid",
      "device_not_registered",
    ],
    handle: async ({ account, input: asked }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const outlet = await findOutlet(ctx.sql, { accountId: account.accountId, outletId: asked.outlet_id });
      if (!outlet) return outletNotFound();
      const key = await unsealKey();
      const person = await check(ctx, outlet, asked, () => readAadhaar(key, account.accountId, asked.aadhaar_enc));
      return person.kind === "refused" ? person : await decide(ctx, outlet, asked, person);
    },
  });
}

async function check(ctx: AepsContext, outlet: Outlet, asked: Input, read: () => Person | Refusal): Promise<Person | Refusal> {
  const refusal = refuseUse(outlet, ctx.clock.now());
  if (refusal) return refusal;
  const bank = asked.type === "TXN" ? await liveBank(ctx, outlet, asked.bank_iin ?? "") : null;
  if (bank?.kind === "refused") return bank;
  const person = read();
  if (person.kind === "refused") return person;
  // Only the owner can authenticate for the day; a single transaction may also be authenticated by its customer.
  const other = asked.type === "DAILY" ? await refuseOthers(ctx, outlet, person) : null;
  return other ?? refusePid(asked.pid, outlet.deviceSerial) ?? person;
}

/** After too many wrong numbers the right one is refused alike, so that the owner's number cannot be found by trying. */
async function refuseOthers(ctx: AepsContext, outlet: Outlet, person: Person): Promise<Refusal | null> {
  const isWrong = !person.digest.equals(outlet.ownerDigest);
  const day = indiaDate(ctx.clock.now());
  if (!(await countOwnerAuthentication(ctx.sql, outlet, { day, isWrong, maxWrong: MAX_WRONG_NUMBERS }))) {
    return refused("invalid_aadhaar", "Too many wrong Aadhaar numbers were sent for this outlet today. Try again tomorrow.");
  }
  return isWrong ? refused("invalid_aadhaar", "The Aadhaar number is not that of the outlet's owner.") : null;
}

async function decide(ctx: AepsContext, outlet: Outlet, asked: Input, person: Person): Promise<Answer> {
  const { type, pid, latitude, longitude } = asked;
  const bankIin = type === "TXN" ? (asked.bank_iin ?? null) : null;
  const given = { type, bankIin, pid, latitude, longitude, aadhaar: person.digits };
  const verdict = await askOutletProvider(ctx, outlet, (providerService, known) => providerService.authenticate({ ...given, ...known }));
  if (verdict.kind === "refused") return verdict;
  const now = ctx.clock.now();
  if (verdict.kind === "rejected") {
    const reason = formatFailure({ code: "outlet_suspended", words: verdict.reason });
    await changeState(ctx.sql, outlet, { from: "ACTIVE", to: "SUSPENDED", reason, at: new Date(now) });
    return refused("outlet_not_active", FAILURE_SENTENCES.outlet_suspended);
  }
  const validUntil = type === "DAILY" ? endOfDay(now) : now + TXN_MILLISECONDS;
  const authRef = `AU${ctx.ids.request()}`;
  const providerAuthRef = verdict.authRef ?? "";
  const kept = await store(ctx, outlet, { authRef, type, bankIin, personDigest: person.digest, validUntil, providerAuthRef });
  return kept ?? { kind: "record", fields: { ok: true, auth_ref: authRef, valid_until: Math.floor(validUntil / 1000) } };
}

type Stored = Omit<Authenticated, keyof OutletKey>;

/** Stores the authentication. Returns a refusal when the outlet was suspended while the provider was queried. */
async function store(ctx: AepsContext, outlet: Outlet, one: Stored): Promise<Refusal | null> {
  const { accountId, outletId } = outlet;
  const at = new Date(ctx.clock.now());
  return await ctx.sql.begin(async (tx) => {
    const active = one.type === "DAILY" ? await noteDailyAuth(tx, outlet, new Date(one.validUntil), at) : await noteUse(tx, outlet, at);
    if (!active) return refused("outlet_not_active", "The outlet is no longer active.");
    await insertAuthentication(tx, { accountId, outletId, ...one }, new Date(at.getTime() - KEPT_MILLISECONDS));
    return null;
  });
}
