import { z } from "zod";
import type { Transaction } from "../../../platform/db/connection.ts";
import type { Account } from "../../accounts/account.ts";
import { refuseRetiredKey } from "../../accounts/account-change.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { ifscField, mobileField, nameField, requestIdField } from "../signed/fields.ts";
import { fingerprintOf } from "../signed/fingerprint.ts";
import { oncePerReference } from "../signed/once-per-reference.ts";
import { hasOpenOtp, type NewOtp, storeOtp } from "../signed/one-time-passwords.ts";
import { refuseClosedService } from "../signed/service-refusals.ts";
import { maskAccount, numberDigests, sealNumber } from "./account-number.ts";
import { type Beneficiary, findBeneficiary, findByNumber, holdKeys, insertBeneficiary, renameWaiting } from "./beneficiary-store.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { bankAccountField, beneficiaryShape, otpRefReply, recordReply } from "./fields.ts";
import { type FoundBank, findBank } from "./find-provider.ts";
import { beneficiaryOtp, newOtp, sendCode } from "./otp.ts";
import { refuseSender, senderNotFound } from "./refusals.ts";
import { findSender, lockSender } from "./sender-store.ts";
import { beneficiaryFields, done } from "./views.ts";

const PATH = "/transfers/beneficiaries";

const input = z.object({
  request_id: requestIdField,
  sender: mobileField,
  name: nameField,
  account: bankAccountField,
  ifsc: ifscField,
  mobile: mobileField.optional(),
});
type Input = z.infer<typeof input>;

export function addBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: PATH,
    service: SERVICE,
    kind: "plain",
    summary: "Add a bank account that a sender sends to; a one-time password goes to the sender",
    input,
    reply: recordReply({ beneficiary: beneficiaryShape, otp_ref: otpRefReply }),
    refusals: ["sender_not_found", "sender_not_verified", "beneficiary_exists"],
    handle: ({ account, input: asked }) => add(ctx, account, asked),
  });
}

async function add(ctx: TransfersContext, account: Account, asked: Input): Promise<Answer> {
  const { accountId } = account;
  const found = await prepare(ctx, account, asked);
  // The fingerprint excludes the number, because a plain hash of it can be guessed. Its keyed digest is compared below.
  const fingerprint = fingerprintOf({ ...asked, account: undefined });
  let sent: NewOtp | null = null;
  const recorded = await oncePerReference(ctx, { accountId, call: PATH, requestId: asked.request_id, fingerprint }, async (tx) => {
    const against = refuseClosedService(ctx, account, SERVICE);
    if (against) return against;
    if (found.kind === "refused") return found;
    const made = await make(ctx, tx, account, asked, found);
    if (made.kind === "refused") return made;
    sent = made.otp;
    return `${made.otp.subject} ${made.otp.otpRef}`;
  });
  if (recorded.kind === "refused") return recorded;
  const [beneficiaryId = "", otpRef = ""] = recorded.record.split(" ");
  const one = await findBeneficiary(ctx.sql, accountId, beneficiaryId);
  if (!one) throw new Error("The beneficiary was added but cannot be found.");
  if (!recorded.made && !isSameNumber(ctx, one, asked.account)) {
    return refused("duplicate_reference", "This request_id was used before with other details.");
  }
  if (recorded.made && sent && found.kind === "found") await sendCode(ctx, found.providerService, sent);
  return done({ beneficiary: beneficiaryFields(one), otp_ref: otpRef }, asked.request_id);
}

async function prepare(ctx: TransfersContext, account: Account, asked: Input): Promise<FoundBank | Refusal> {
  const sender = await findSender(ctx.sql, account.accountId, asked.sender);
  if (!sender) return senderNotFound();
  return refuseSender(sender.status) ?? (await findBank(ctx, account, asked.sender, asked.ifsc));
}

type Made = { readonly kind: "made"; readonly otp: NewOtp };

/** Holds the sender's lock, so that of two requests for one bank account the second finds the first. */
async function make(ctx: TransfersContext, tx: Transaction, account: Account, asked: Input, found: FoundBank): Promise<Made | Refusal> {
  const { accountId } = account;
  await lockSender(tx, accountId, asked.sender);
  const digests = numberDigests(ctx, accountId, asked.account);
  const known = await findByNumber(tx, { accountId, sender: asked.sender, digests, ifsc: asked.ifsc });
  if (known && !(await isOtpUnusable(ctx, tx, known))) return refused("beneficiary_exists", "The sender already has this beneficiary.");
  const beneficiaryId = known?.beneficiaryId ?? `BEN${ctx.ids.entry(ctx.clock.now())}`;
  if (known) await renameWaiting(tx, known, asked.name, asked.mobile ?? null);
  else await insert(ctx, tx, { accountId, beneficiaryId }, asked, found);
  const otp = newOtp(ctx, found.providerService, beneficiaryOtp(accountId, beneficiaryId), asked.sender);
  await storeOtp(ctx, tx, otp);
  return { kind: "made", otp };
}

/** A beneficiary whose password is exhausted or expired gets a new one by being added again. */
async function isOtpUnusable(ctx: TransfersContext, tx: Transaction, known: Beneficiary): Promise<boolean> {
  return known.status === "OTP_PENDING" && !(await hasOpenOtp(ctx, tx, beneficiaryOtp(known.accountId, known.beneficiaryId)));
}

type Key = { readonly accountId: string; readonly beneficiaryId: string };

async function insert(ctx: TransfersContext, tx: Transaction, key: Key, asked: Input, { bank }: FoundBank): Promise<void> {
  const { keyId, sealed, digest } = sealNumber(ctx.vault.keyring(), key, asked.account);
  const one = {
    ...key,
    sender: asked.sender,
    name: asked.name,
    mobile: asked.mobile ?? null,
    bank: bank.bank,
    bankName: bank.name,
    ifsc: asked.ifsc,
    accountMasked: maskAccount(asked.account),
    number: { keyId, sealed },
    numberDigest: digest,
  };
  await insertBeneficiary(tx, one, new Date(ctx.clock.now()));
  await holdKeys(tx);
  await refuseRetiredKey(tx, keyId);
}

function isSameNumber(ctx: TransfersContext, one: Beneficiary, account: string): boolean {
  return numberDigests(ctx, one.accountId, account).some((digest) => digest.equals(one.numberDigest));
}
