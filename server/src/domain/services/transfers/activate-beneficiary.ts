import { z } from "zod";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { otpField, recordField } from "../signed/fields.ts";
import { useOtp } from "../signed/one-time-passwords.ts";
import { refuseUnserved } from "../signed/service-refusals.ts";
import { findBeneficiary, moveStatus } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { beneficiaryShape, recordReply } from "./fields.ts";
import { beneficiaryOtp } from "./otp.ts";
import { beneficiaryNotFound } from "./refusals.ts";
import { beneficiaryFields, done } from "./views.ts";

const input = z.object({ beneficiary_id: recordField, otp_ref: recordField, otp: otpField });

export function activateBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/beneficiaries/verify_otp",
    service: SERVICE,
    kind: "plain",
    summary: "Make a beneficiary active with the one-time password that the sender got",
    input,
    reply: recordReply({ beneficiary: beneficiaryShape }),
    refusals: ["beneficiary_not_found", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? activate(ctx, account.accountId, asked),
  });
}

async function activate(ctx: TransfersContext, accountId: string, asked: z.infer<typeof input>): Promise<Answer> {
  const key = { accountId, beneficiaryId: asked.beneficiary_id };
  if (!(await findBeneficiary(ctx.sql, accountId, key.beneficiaryId))) return beneficiaryNotFound();
  const given = { otpRef: asked.otp_ref, code: asked.otp };
  // Committed also when it is refused, because a wrong code counts.
  const wrong = await ctx.sql.begin(async (tx) => {
    const refusal = await useOtp(ctx, tx, beneficiaryOtp(accountId, key.beneficiaryId), given);
    if (!refusal) await moveStatus(tx, key, "OTP_PENDING", "ACTIVE");
    return refusal;
  });
  if (wrong) return wrong;
  const one = await findBeneficiary(ctx.sql, accountId, key.beneficiaryId);
  return one ? done({ beneficiary: beneficiaryFields(one) }) : beneficiaryNotFound();
}
