import type { QueryInput } from "@corprail/connector";
import type { Queryable } from "../../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import type { OtpSubject } from "../../signed/one-time-passwords.ts";
import { askWithinLimit } from "../../signed/otp-limits.ts";
import { findOpenOtp, type SentOtp, storeProviderOtp } from "../../signed/provider-otp.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { unsealNumber } from "../beneficiaries/account-number.ts";
import type { Beneficiary } from "../beneficiaries/beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import type { FoundProvider } from "../find-provider.ts";
import { beneficiaryOtp, newOtpRef, senderOf, senderOtp } from "../otp.ts";
import type { TransfersProviderService } from "../provider-service.ts";
import { invalidBeneficiary, refuseSender, verifySenderAgain } from "../refusals.ts";
import {
  forgetSenderRegistration,
  readBeneficiaryRegistrations,
  readSenderRegistrations,
  saveBeneficiaryRegistration,
  saveSenderRegistration,
} from "./registration-store.ts";
import type { SenderDetails, SenderStatus } from "./sender-store.ts";

/** What a provider says about a sender: its decision, or the one-time password that it has sent. */
export type SenderRegistration = { readonly kind: "registered"; readonly status: SenderStatus; readonly sent: SentOtp | null };

export function senderInput(sender: SenderDetails): QueryInput<"transfers.sender.register"> {
  const { mobile, firstName, lastName, pincode } = sender;
  return { mobile, first_name: firstName, last_name: lastName ?? "", pincode, latitude: "", longitude: "" };
}

/** Registers a sender with a provider that keeps senders. Nothing is written; asking again is safe. */
export async function askToRegister(
  ctx: TransfersContext,
  { providerService: { senders } }: FoundProvider,
  sender: SenderDetails,
): Promise<SenderRegistration | Refusal> {
  if (!senders) return { kind: "registered", status: "VERIFIED", sent: null };
  const asked = await askProvider(ctx, SERVICE, () => senders.register(senderInput(sender)));
  if (asked.kind === "refused") return asked;
  const result = asked.value;
  if (result.kind === "refused") {
    if (result.code === "blocked" || result.code === "rejected") return { kind: "registered", status: "BLOCKED", sent: null };
    ctx.log.warn({ reason: result.reason }, "a provider does not register a sender");
    return refused("sender_not_verified", "The provider does not accept the sender's details.");
  }
  const { status, otp_ref, length } = result.value;
  return status === "OTP_SENT"
    ? { kind: "registered", status: "OTP_PENDING", sent: { otp_ref, length } }
    : { kind: "registered", status, sent: null };
}

/** Null when the provider keeps the sender or needs none. A provider that has not seen the sender yet is asked to register it. */
export async function requireSender(
  ctx: TransfersContext,
  accountId: string,
  found: FoundProvider,
  sender: SenderDetails,
): Promise<Refusal | null> {
  if (!found.providerService.senders) return null;
  const { mobile } = sender;
  const { provider } = found;
  const known = (await readSenderRegistrations(ctx.sql, { accountId, mobile })).get(provider);
  if (known === "VERIFIED" || known === "BLOCKED") return refuseSender(known);
  const subject = senderOtp(accountId, mobile);
  // A password is on its way already; every request for a quote would send another.
  if (await findOpenOtp(ctx, ctx.sql, subject, provider)) return verifySenderAgain();
  const registered = await askWithinLimit(ctx, senderOf(found), { accountId, mobile }, () => askToRegister(ctx, found, sender));
  if (registered.kind === "refused") return registered;
  const { status, sent } = registered;
  await ctx.sql.begin(async (tx) => {
    await saveSenderRegistration(tx, { accountId, mobile }, { provider, status }, new Date(ctx.clock.now()));
    if (sent) await storeSent(ctx, tx, subject, mobile, { ...sent, provider });
  });
  return status === "OTP_PENDING" ? verifySenderAgain() : refuseSender(status);
}

export type AddedBeneficiary = {
  readonly kind: "added";
  readonly status: "OTP_PENDING" | "ACTIVE";
  readonly ref: string;
  readonly sent: SentOtp | null;
};

export type BeneficiaryInput = QueryInput<"transfers.beneficiary.add">;

/** Adds a beneficiary at a provider that keeps beneficiaries. Nothing else is written, except that a lost sender is forgotten. */
export async function askToAdd(
  ctx: TransfersContext,
  accountId: string,
  found: FoundProvider,
  input: BeneficiaryInput,
): Promise<AddedBeneficiary | Refusal> {
  const { beneficiaries } = found.providerService;
  if (!beneficiaries) return { kind: "added", status: "ACTIVE", ref: "", sent: null };
  const recipient = { accountId, mobile: input.sender };
  return await askWithinLimit(ctx, senderOf(found), recipient, () => addAt(ctx, recipient, found.provider, beneficiaries, input));
}

async function addAt(
  ctx: TransfersContext,
  sender: { readonly accountId: string; readonly mobile: string },
  provider: string,
  beneficiaries: NonNullable<TransfersProviderService["beneficiaries"]>,
  input: BeneficiaryInput,
): Promise<AddedBeneficiary | Refusal> {
  const asked = await askProvider(ctx, SERVICE, () => beneficiaries.add(input));
  if (asked.kind === "refused") return asked;
  const result = asked.value;
  if (result.kind === "refused") {
    if (result.code !== "not_found") return invalidBeneficiary();
    await forgetSenderRegistration(ctx.sql, sender, provider);
    return verifySenderAgain();
  }
  const { status, beneficiary_ref: ref, otp_ref, length } = result.value;
  return status === "OTP_SENT"
    ? { kind: "added", status: "OTP_PENDING", ref, sent: { otp_ref, length } }
    : { kind: "added", status, ref, sent: null };
}

export async function beneficiaryInput(ctx: TransfersContext, one: Beneficiary): Promise<BeneficiaryInput> {
  const account = await unsealNumber(ctx, one, one.number);
  return { sender: one.sender, name: one.name, account, ifsc: one.ifsc, mobile: one.mobile ?? "" };
}

/** The provider's id of a beneficiary; empty for a provider without ids. One that it has not seen yet is added there. */
export async function requireBeneficiary(
  ctx: TransfersContext,
  found: FoundProvider,
  one: Beneficiary,
): Promise<{ readonly kind: "kept"; readonly ref: string } | Refusal> {
  if (!found.providerService.beneficiaries) return { kind: "kept", ref: "" };
  const { provider } = found;
  const known = (await readBeneficiaryRegistrations(ctx.sql, one)).get(provider);
  if (known?.status === "ACTIVE") return { kind: "kept", ref: known.ref };
  const subject = beneficiaryOtp(one.accountId, one.beneficiaryId);
  if (await findOpenOtp(ctx, ctx.sql, subject, provider)) return addBeneficiaryAgain();
  const added = await askToAdd(ctx, one.accountId, found, await beneficiaryInput(ctx, one));
  if (added.kind === "refused") return added;
  const { status, ref, sent } = added;
  await ctx.sql.begin(async (tx) => {
    await saveBeneficiaryRegistration(tx, one, { provider, status, ref }, new Date(ctx.clock.now()));
    if (sent) await storeSent(ctx, tx, subject, one.sender, { ...sent, provider });
  });
  return status === "ACTIVE" ? { kind: "kept", ref } : addBeneficiaryAgain();
}

/** Stores a password that a provider has sent, under a new reference of ours, which is returned. */
export async function storeSent(
  ctx: TransfersContext,
  sql: Queryable,
  subject: OtpSubject,
  mobile: string,
  sent: SentOtp & { readonly provider: string },
): Promise<string> {
  const otpRef = newOtpRef(ctx);
  await storeProviderOtp(ctx, sql, { ...subject, otpRef, mobile }, sent);
  return otpRef;
}

function addBeneficiaryAgain(): Refusal {
  return refused(
    "beneficiary_not_active",
    "The beneficiary must be confirmed again with a new one-time password. Add it again: POST /transfers/beneficiaries.",
  );
}
