import { z } from "zod";
import type { Account } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { otpField, recordField } from "../signed/fields.ts";
import { storeOtp, useOtp } from "../signed/one-time-passwords.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { type Beneficiary, findBeneficiary, moveStatus } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { beneficiaryShape, otpRefReply, recordReply } from "./fields.ts";
import { findProvider } from "./find-provider.ts";
import { deletionOtp, newOtp, sendCode } from "./otp.ts";
import { beneficiaryNotFound, refuseInactive } from "./refusals.ts";
import { beneficiaryFields, done } from "./views.ts";

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
  const otp = newOtp(ctx, found.providerService, deletionOtp(one.accountId, one.beneficiaryId), one.sender);
  await storeOtp(ctx, ctx.sql, otp);
  await sendCode(ctx, found.providerService, otp);
  return done({ otp_ref: otp.otpRef });
}

type Given = { readonly otpRef: string; readonly code: string };

async function deleteWith(ctx: TransfersContext, one: Beneficiary, given: Given): Promise<Answer> {
  const wrong = await ctx.sql.begin(async (tx): Promise<Refusal | null> => {
    const refusal = await useOtp(ctx, tx, deletionOtp(one.accountId, one.beneficiaryId), given);
    if (refusal) return refusal;
    return (await moveStatus(tx, one, "ACTIVE", "DELETED")) ? null : refuseInactive("DELETED");
  });
  return wrong ?? done({ beneficiary: beneficiaryFields({ ...one, status: "DELETED" }) });
}
