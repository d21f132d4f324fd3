import { z } from "zod";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { otpField, recordField } from "../../signed/fields.ts";
import { useOtp } from "../../signed/one-time-passwords.ts";
import { checkAtProvider, findProviderOtp, type GivenOtp, otpVerdict, refuseLength } from "../../signed/provider-otp.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseUnserved } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { beneficiaryShape, recordReply } from "../fields.ts";
import { findNamed } from "../find-provider.ts";
import { beneficiaryOtp } from "../otp.ts";
import { beneficiaryNotFound } from "../refusals.ts";
import { beneficiaryInput } from "../senders/register-at-provider.ts";
import { readBeneficiaryRegistrations, saveBeneficiaryRegistration } from "../senders/registration-store.ts";
import { beneficiaryFields, done } from "../views.ts";
import { type Beneficiary, type BeneficiaryKey, findBeneficiary, moveStatus } from "./beneficiary-store.ts";

const input = z.object({ beneficiary_id: recordField, otp_ref: recordField, otp: otpField });

export function activateBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/beneficiaries/verify_otp",
    service: SERVICE,
    kind: "plain",
    summary: "Activates a beneficiary with the sender's one-time password",
    input,
    reply: recordReply({ beneficiary: beneficiaryShape }),
    refusals: ["beneficiary_not_found", "otp_invalid", "otp_expired", "otp_attempts_exceeded"],
    handle: ({ account, input: asked }) => refuseUnserved(ctx, account, SERVICE) ?? activate(ctx, account.accountId, asked),
  });
}

async function activate(ctx: TransfersContext, accountId: string, asked: z.infer<typeof input>): Promise<Answer> {
  const key = { accountId, beneficiaryId: asked.beneficiary_id };
  const given = { otpRef: asked.otp_ref, code: asked.otp };
  const tooLong = await refuseLength(ctx.sql, accountId, given);
  if (tooLong) return tooLong;
  const waiting = await findBeneficiary(ctx.sql, accountId, key.beneficiaryId);
  if (!waiting) return beneficiaryNotFound();
  const minted = await findProviderOtp(ctx.sql, beneficiaryOtp(accountId, key.beneficiaryId), asked.otp_ref);
  const wrong = minted ? await activateThere(ctx, waiting, given) : await activateHere(ctx, key, given);
  if (wrong) return wrong;
  const one = await findBeneficiary(ctx.sql, accountId, key.beneficiaryId);
  return one ? done({ beneficiary: beneficiaryFields(one) }) : beneficiaryNotFound();
}

/** For a one-time password that we minted. Committed also when it is refused, because a wrong code counts. */
function activateHere(ctx: TransfersContext, key: BeneficiaryKey, given: GivenOtp): Promise<Refusal | null> {
  return ctx.sql.begin(async (tx) => {
    const refusal = await useOtp(ctx, tx, beneficiaryOtp(key.accountId, key.beneficiaryId), given);
    if (!refusal) await moveStatus(tx, key, "OTP_PENDING", "ACTIVE");
    return refusal;
  });
}

/** For one that a provider minted: it checks the code, and may give its own id of the beneficiary only now. */
function activateThere(ctx: TransfersContext, one: Beneficiary, given: GivenOtp): Promise<Refusal | null> {
  return checkAtProvider<{ readonly beneficiary_ref: string }>(ctx, {
    subject: beneficiaryOtp(one.accountId, one.beneficiaryId),
    given,
    ask: async ({ provider, providerOtpRef }) => {
      const found = findNamed(ctx, one.accountId, provider);
      if (found.kind === "refused") return found;
      const { beneficiaries } = found.providerService;
      if (!beneficiaries) return refused("busy", "The provider cannot verify beneficiaries at the moment. Try again later.");
      const ref = (await readBeneficiaryRegistrations(ctx.sql, one)).get(provider)?.ref ?? "";
      const question = { ...(await beneficiaryInput(ctx, one)), beneficiary_ref: ref, otp: given.code, otp_ref: providerOtpRef };
      return await askProvider(ctx, SERVICE, async () => otpVerdict(await beneficiaries.verify(question)));
    },
    apply: async (tx, { beneficiary_ref: ref }, provider) => {
      await saveBeneficiaryRegistration(tx, one, { provider, status: "ACTIVE", ref }, new Date(ctx.clock.now()));
      await moveStatus(tx, one, "OTP_PENDING", "ACTIVE");
    },
  });
}
