import { z } from "zod";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { otpField, recordField } from "../../signed/fields.ts";
import { reopenOtp, useOtp } from "../../signed/one-time-passwords.ts";
import { askWithinLimit } from "../../signed/otp-limits.ts";
import {
  checkAtProvider,
  findOpenOtp,
  findProviderOtp,
  type GivenOtp,
  otpVerdict,
  refuseLength,
  type SentOtp,
} from "../../signed/provider-otp.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { beneficiaryShape, otpRefReply, recordReply } from "../fields.ts";
import { type FoundProvider, findNamed, findProvider } from "../find-provider.ts";
import { deletionOtp, newOtp, sendCode, senderOf, storeUnlessFresh } from "../otp.ts";
import type { TransfersProviderService } from "../provider-service.ts";
import { beneficiaryNotFound, refuseInactive } from "../refusals.ts";
import { beneficiaryInput, storeSent } from "../senders/register-at-provider.ts";
import { readBeneficiaryRegistrations } from "../senders/registration-store.ts";
import { lockSender } from "../senders/sender-store.ts";
import { beneficiaryFields, done } from "../views.ts";
import { type Beneficiary, findBeneficiary, moveStatus } from "./beneficiary-store.ts";

const required = { error: "is required" };
const input = z
  .object({ beneficiary_id: recordField, otp_ref: recordField.optional(), otp: otpField.optional() })
  .refine((asked) => asked.otp === undefined || asked.otp_ref !== undefined, { path: ["otp_ref"], ...required })
  .refine((asked) => asked.otp_ref === undefined || asked.otp !== undefined, { path: ["otp"], ...required });

export function deleteBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/beneficiaries/delete",
    service: SERVICE,
    kind: "plain",
    summary: "Deletes a beneficiary: the first call sends a one-time password, the second confirms with it",
    input,
    reply: recordReply({ otp_ref: otpRefReply.optional(), beneficiary: beneficiaryShape.optional() }),
    refusals: ["beneficiary_not_found", "beneficiary_not_active", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: async ({ account, input: asked }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const { otp_ref: otpRef, otp: code } = asked;
      const given = otpRef === undefined || code === undefined ? null : { otpRef, code };
      // The body is checked before the record is looked for.
      const wrongLength = given && (await refuseLength(ctx.sql, account.accountId, given));
      if (wrongLength) return wrongLength;
      const one = await findBeneficiary(ctx.sql, account.accountId, asked.beneficiary_id);
      if (!one) return beneficiaryNotFound();
      const against = refuseInactive(one.status);
      if (against) return against;
      return given ? await deleteWith(ctx, one, given) : await askForCode(ctx, account, one);
    },
  });
}

async function askForCode(ctx: TransfersContext, account: Account, one: Beneficiary): Promise<Answer> {
  const found = findProvider(ctx, account, one.sender);
  if (found.kind === "refused") return found;
  if (!found.providerService.sendOtp) return await deleteAtProvider(ctx, found, one);
  const otp = newOtp(ctx, found.providerService, deletionOtp(one.accountId, one.beneficiaryId), one.sender);
  const otpRef = await ctx.sql.begin(async (tx) => {
    await lockSender(tx, one.accountId, one.sender);
    return await storeUnlessFresh(ctx, tx, found.providerService, otp);
  });
  if (typeof otpRef !== "string") return otpRef;
  if (otpRef === otp.otpRef) await sendCode(ctx, found.providerService, otp);
  return done({ otp_ref: otpRef });
}

/** A provider that sends no codes of ours may send one of its own. Without any code the beneficiary is deleted at once. */
async function deleteAtProvider(ctx: TransfersContext, found: FoundProvider, one: Beneficiary): Promise<Answer> {
  const { provider, providerService } = found;
  const { accountId, sender: mobile } = one;
  const subject = deletionOtp(accountId, one.beneficiaryId);
  const open = await findOpenOtp(ctx, ctx.sql, subject, provider);
  if (open?.isFresh) return done({ otp_ref: open.otpRef });
  const asked = await askWithinLimit(ctx, senderOf(found), { accountId, mobile }, () => removeAt(ctx, provider, providerService, one));
  if (asked.kind === "refused") return asked;
  if (asked.sent) {
    return done({ otp_ref: await storeSent(ctx, ctx.sql, subject, mobile, { ...asked.sent, provider }) });
  }
  return (await removeElsewhere(ctx, one, provider)) ?? (await deleteHere(ctx.sql, one)) ?? deleted(one);
}

async function deleteWith(ctx: TransfersContext, one: Beneficiary, given: GivenOtp): Promise<Answer> {
  const subject = deletionOtp(one.accountId, one.beneficiaryId);
  if (await findProviderOtp(ctx.sql, subject, given.otpRef)) return (await deleteWithTheirs(ctx, one, given)) ?? deleted(one);
  const registrations = await readBeneficiaryRegistrations(ctx.sql, one);
  if (registrations.size === 0) {
    const wrong = await ctx.sql.begin(
      async (tx): Promise<Refusal | null> => (await useOtp(ctx, tx, subject, given)) ?? (await deleteHere(tx, one)),
    );
    return wrong ?? deleted(one);
  }
  // The providers are asked between two transactions, with the password already used.
  const wrong = await ctx.sql.begin((tx) => useOtp(ctx, tx, subject, given));
  if (wrong) return wrong;
  const busy = await removeElsewhere(ctx, one);
  if (busy) await reopenOtp(ctx.sql, subject, given.otpRef);
  return busy ?? (await deleteHere(ctx.sql, one)) ?? deleted(one);
}

/** The provider checks its own code and deletes the beneficiary; after that the deletion here can no longer be refused. */
async function deleteWithTheirs(ctx: TransfersContext, one: Beneficiary, given: GivenOtp): Promise<Refusal | null> {
  let keeper = "";
  const wrong = await checkAtProvider(ctx, {
    subject: deletionOtp(one.accountId, one.beneficiaryId),
    given,
    ask: async ({ provider, providerOtpRef }) => {
      const found = findNamed(ctx, one.accountId, provider);
      if (found.kind === "refused") return found;
      const remove = found.providerService.beneficiaries?.remove;
      if (!remove) return refused("busy", "The provider cannot delete beneficiaries at the moment. Try again later.");
      const ref = (await readBeneficiaryRegistrations(ctx.sql, one)).get(provider)?.ref ?? "";
      const question = { ...(await beneficiaryInput(ctx, one)), beneficiary_ref: ref, otp: given.code, otp_ref: providerOtpRef };
      return await askProvider(ctx, SERVICE, async () => {
        const result = await remove(question);
        // A provider that sends another code has not accepted this one.
        return result.kind === "answered" && result.value.status === "OTP_SENT" ? ({ kind: "wrong" } as const) : otpVerdict(result);
      });
    },
    apply: async (tx, _value, provider) => {
      keeper = provider;
      await moveStatus(tx, one, "ACTIVE", "DELETED");
    },
  });
  if (!wrong && (await removeElsewhere(ctx, one, keeper)))
    ctx.log.warn({}, "a deleted beneficiary stays at a provider that did not answer");
  return wrong;
}

async function deleteHere(sql: Queryable, one: Beneficiary): Promise<Refusal | null> {
  return (await moveStatus(sql, one, "ACTIVE", "DELETED")) ? null : refuseInactive("DELETED");
}

function deleted(one: Beneficiary): Answer {
  return done({ beneficiary: beneficiaryFields({ ...one, status: "DELETED" }) });
}

/** Deletes the beneficiary at every provider that keeps it and is running, except for one that was asked already. */
async function removeElsewhere(ctx: TransfersContext, one: Beneficiary, except = ""): Promise<Refusal | null> {
  for (const provider of (await readBeneficiaryRegistrations(ctx.sql, one)).keys()) {
    const providerService = provider === except ? null : ctx.providerServices.transfers(provider);
    const asked = providerService && (await removeAt(ctx, provider, providerService, one));
    if (asked?.kind === "refused") return asked;
    if (asked?.sent) ctx.log.warn({ provider }, "a beneficiary was not deleted: the provider wants a one-time password of its own");
  }
  return null;
}

type Removed = { readonly kind: "asked" /** The password that the provider wants first. */; readonly sent: SentOtp | null };

/** Deletes the beneficiary at one provider, if it is kept there. A refusal by the provider is final: it is not there any more. */
async function removeAt(
  ctx: TransfersContext,
  provider: string,
  { beneficiaries }: TransfersProviderService,
  one: Beneficiary,
): Promise<Removed | Refusal> {
  const kept = (await readBeneficiaryRegistrations(ctx.sql, one)).get(provider);
  const remove = beneficiaries?.remove;
  if (!kept || !remove) return { kind: "asked", sent: null };
  const question = { ...(await beneficiaryInput(ctx, one)), beneficiary_ref: kept.ref };
  const asked = await askProvider(ctx, SERVICE, () => remove(question));
  if (asked.kind === "refused") return asked;
  const result = asked.value;
  if (result.kind === "refused") ctx.log.warn({ provider, reason: result.reason }, "a beneficiary was not deleted");
  const wantsCode = result.kind === "answered" && result.value.status === "OTP_SENT";
  return { kind: "asked", sent: wantsCode ? { otp_ref: result.value.otp_ref, length: result.value.length } : null };
}
