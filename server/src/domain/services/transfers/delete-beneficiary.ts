import { z } from "zod";
import type { Queryable } from "../../../platform/db/connection.ts";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { ownOtpField, recordField } from "../signed/fields.ts";
import { reopenOtp, storeOtp, useOtp } from "../signed/one-time-passwords.ts";
import { askProvider } from "../signed/provider-services.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { type Beneficiary, findBeneficiary, moveStatus } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { beneficiaryShape, otpRefReply, recordReply } from "./fields.ts";
import { findProvider } from "./find-provider.ts";
import { deletionOtp, newOtp, sendCode } from "./otp.ts";
import { beneficiaryNotFound, refuseInactive } from "./refusals.ts";
import { beneficiaryInput } from "./register-at-provider.ts";
import { readBeneficiaryRegistrations } from "./registration-store.ts";
import { beneficiaryFields, done } from "./views.ts";

const required = { error: "is required" };
const input = z
  .object({ beneficiary_id: recordField, otp_ref: recordField.optional(), otp: ownOtpField.optional() })
  .refine((asked) => asked.otp === undefined || asked.otp_ref !== undefined, { path: ["otp_ref"], ...required })
  .refine((asked) => asked.otp_ref === undefined || asked.otp !== undefined, { path: ["otp"], ...required });

export function deleteBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/beneficiaries/delete",
    service: SERVICE,
    kind: "plain",
    summary: "Delete a beneficiary: the first call sends a one-time password, the second brings it",
    input,
    reply: recordReply({ otp_ref: otpRefReply.optional(), beneficiary: beneficiaryShape.optional() }),
    refusals: ["beneficiary_not_found", "beneficiary_not_active", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: async ({ account, input: asked }) => {
      const unserved = refuseUnserved(ctx, account, SERVICE);
      if (unserved) return unserved;
      const one = await findBeneficiary(ctx.sql, account.accountId, asked.beneficiary_id);
      if (!one) return beneficiaryNotFound();
      const against = refuseInactive(one.status);
      if (against) return against;
      const { otp_ref: otpRef, otp: code } = asked;
      return otpRef === undefined || code === undefined
        ? await askForCode(ctx, account, one)
        : await deleteWith(ctx, one, { otpRef, code });
    },
  });
}

async function askForCode(ctx: TransfersContext, account: Account, one: Beneficiary): Promise<Answer> {
  const found = findProvider(ctx, account, one.sender);
  if (found.kind === "refused") return found;
  // A provider that sends no codes of ours has none for a deletion, so it is deleted at once.
  if (!found.providerService.sendOtp) return (await removeEverywhere(ctx, one)) ?? (await deleteHere(ctx.sql, one)) ?? deleted(one);
  const otp = newOtp(ctx, found.providerService, deletionOtp(one.accountId, one.beneficiaryId), one.sender);
  await storeOtp(ctx, ctx.sql, otp);
  await sendCode(ctx, found.providerService, otp);
  return done({ otp_ref: otp.otpRef });
}

type Given = { readonly otpRef: string; readonly code: string };

async function deleteWith(ctx: TransfersContext, one: Beneficiary, given: Given): Promise<Answer> {
  const subject = deletionOtp(one.accountId, one.beneficiaryId);
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
  const busy = await removeEverywhere(ctx, one);
  if (busy) await reopenOtp(ctx.sql, subject, given.otpRef);
  return busy ?? (await deleteHere(ctx.sql, one)) ?? deleted(one);
}

async function deleteHere(sql: Queryable, one: Beneficiary): Promise<Refusal | null> {
  return (await moveStatus(sql, one, "ACTIVE", "DELETED")) ? null : refuseInactive("DELETED");
}

function deleted(one: Beneficiary): Answer {
  return done({ beneficiary: beneficiaryFields({ ...one, status: "DELETED" }) });
}

/** Deletes the beneficiary at every provider that keeps it and is running. A refusal is final: it is not there any more. */
async function removeEverywhere(ctx: TransfersContext, one: Beneficiary): Promise<Refusal | null> {
  const question = await beneficiaryInput(ctx, one);
  for (const [provider, { ref }] of await readBeneficiaryRegistrations(ctx.sql, one)) {
    const remove = ctx.providerServices.transfers(provider)?.beneficiaries?.remove;
    const asked = remove && (await askProvider(ctx, SERVICE, () => remove({ ...question, beneficiary_ref: ref })));
    if (asked?.kind === "refused") return asked;
    if (asked?.value.kind === "refused") ctx.log.warn({ provider, reason: asked.value.reason }, "a beneficiary was not deleted");
  }
  return null;
}
