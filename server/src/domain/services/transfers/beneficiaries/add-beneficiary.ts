import { z } from "zod";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import type { Account } from "../../../accounts/account.ts";
import { refuseRetiredKey } from "../../../accounts/account-change.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { ifscField, mobileField, nameField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { findRecorded, type OperationReference, oncePerReference, type Recorded } from "../../signed/once-per-reference.ts";
import { hasOpenOtp, type NewOtp } from "../../signed/one-time-passwords.ts";
import { findOpenOtp } from "../../signed/provider-otp.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { bankAccountField, beneficiaryShape, otpRefReply, recordReply } from "../fields.ts";
import { type FoundBank, findBank } from "../find-provider.ts";
import { beneficiaryOtp, newOtp, sendCode, storeUnlessFresh } from "../otp.ts";
import { needsRegistration } from "../provider-service.ts";
import { refuseSender, senderNotFound } from "../refusals.ts";
import { type AddedBeneficiary, askToAdd, requireSender, storeSent } from "../senders/register-at-provider.ts";
import { readBeneficiaryRegistrations, saveBeneficiaryRegistration } from "../senders/registration-store.ts";
import { findSender, lockSender } from "../senders/sender-store.ts";
import { beneficiaryFields, done } from "../views.ts";
import { maskAccount, numberDigests, sealNumber } from "./account-number.ts";
import {
  type Beneficiary,
  findBeneficiary,
  findByNumber,
  holdKeys,
  insertBeneficiary,
  moveStatus,
  renameWaiting,
} from "./beneficiary-store.ts";

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
    summary: "Adds a sender's beneficiary and sends a one-time password to the sender",
    input,
    reply: recordReply({
      beneficiary: beneficiaryShape,
      otp_ref: otpRefReply.describe("Empty when nothing was sent: the beneficiary is active"),
    }),
    refusals: ["sender_not_found", "sender_not_verified", "beneficiary_exists"],
    handle: ({ account, input: asked }) => add(ctx, account, asked),
  });
}

async function add(ctx: TransfersContext, account: Account, asked: Input): Promise<Answer> {
  const { accountId } = account;
  // The fingerprint excludes the number, because a plain hash of it can be guessed. Its keyed digest is compared below.
  const fingerprint = fingerprintOf({ ...asked, account: undefined });
  const reference = { accountId, operation: PATH, requestId: asked.request_id, fingerprint };
  const known = await findRecorded(ctx, reference);
  if (known) return await answer(ctx, accountId, asked, known);
  const against = refuseClosedService(ctx, account, SERVICE);
  if (against) return against;
  const prepared = await prepare(ctx, account, asked);
  if (prepared.kind === "refused") return await answerRefused(ctx, reference, asked, prepared);
  let sent: NewOtp | null = null;
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    const made = await make(ctx, tx, account, asked, prepared);
    if (made.kind === "refused") return made;
    sent = made.toSend;
    return `${made.beneficiaryId} ${made.otpRef}`;
  });
  if (recorded.kind === "recorded" && recorded.made && sent) await sendCode(ctx, prepared.found.providerService, sent);
  return await answer(ctx, accountId, asked, recorded);
}

/** The refusal may be a consequence of a concurrent request with the same reference that came first. */
async function answerRefused(ctx: TransfersContext, reference: OperationReference, asked: Input, refusal: Refusal): Promise<Answer> {
  return await answer(ctx, reference.accountId, asked, (await findRecorded(ctx, reference)) ?? refusal);
}

async function answer(ctx: TransfersContext, accountId: string, asked: Input, recorded: Recorded | Refusal): Promise<Answer> {
  if (recorded.kind === "refused") return recorded;
  const [beneficiaryId = "", otpRef = ""] = recorded.record.split(" ");
  const one = await findBeneficiary(ctx.sql, accountId, beneficiaryId);
  if (!one) throw new Error("The beneficiary was added but cannot be found.");
  if (!recorded.made && !isSameNumber(ctx, one, asked.account)) {
    return refused("duplicate_reference", "This request_id was used before with other details.");
  }
  return done({ beneficiary: beneficiaryFields(one), otp_ref: otpRef }, asked.request_id);
}

type Prepared = {
  readonly kind: "prepared";
  readonly found: FoundBank;
  /** What the provider answered, or the password that it sent less than 30 seconds ago. */
  readonly added: AddedBeneficiary | { readonly kind: "sent before"; readonly otpRef: string };
};

/** The provider is asked before anything is written: a retry after a crash asks again. */
async function prepare(ctx: TransfersContext, account: Account, asked: Input): Promise<Prepared | Refusal> {
  const { accountId } = account;
  const sender = await findSender(ctx.sql, accountId, asked.sender);
  if (!sender) return senderNotFound();
  const found = refuseSender(sender.status) ?? (await findBank(ctx, account, { sender: asked.sender }, asked.ifsc));
  if (found.kind === "refused") return found;
  if (!needsRegistration(found.providerService)) return { kind: "prepared", found, added: NOT_KEPT };
  const known = await findKnown(ctx, ctx.sql, accountId, asked);
  const against = (await refuseExisting(ctx, ctx.sql, known, found)) ?? (await requireSender(ctx, accountId, found, sender));
  if (against) return against;
  const subject = known && beneficiaryOtp(accountId, known.beneficiaryId);
  const open = subject && (await findOpenOtp(ctx, ctx.sql, subject, found.provider));
  if (open?.isFresh) return { kind: "prepared", found, added: { kind: "sent before", otpRef: open.otpRef } };
  const { name, account: number, ifsc, mobile = "" } = asked;
  const added = await askToAdd(ctx, accountId, found, { sender: asked.sender, name, account: number, ifsc, mobile });
  return added.kind === "refused" ? added : { kind: "prepared", found, added };
}

/** For a provider that keeps no beneficiaries. */
const NOT_KEPT: AddedBeneficiary = { kind: "added", status: "ACTIVE", ref: "", sent: null };

function findKnown(ctx: TransfersContext, sql: Queryable, accountId: string, asked: Input): Promise<Beneficiary | null> {
  const digests = numberDigests(ctx, accountId, asked.account);
  return findByNumber(sql, { accountId, sender: asked.sender, digests, ifsc: asked.ifsc });
}

/** A beneficiary is added again when its password cannot be used any more, or when another provider must keep it now. */
async function refuseExisting(
  ctx: TransfersContext,
  sql: Queryable,
  known: Beneficiary | null,
  { provider, providerService }: FoundBank,
): Promise<Refusal | null> {
  if (!known) return null;
  const isWanted =
    known.status === "OTP_PENDING"
      ? !(await hasOpenOtp(ctx, sql, beneficiaryOtp(known.accountId, known.beneficiaryId)))
      : providerService.beneficiaries && (await readBeneficiaryRegistrations(sql, known)).get(provider)?.status !== "ACTIVE";
  return isWanted ? null : refused("beneficiary_exists", "The sender already has this beneficiary.");
}

type Made = { readonly kind: "made"; readonly beneficiaryId: string; readonly otpRef: string; readonly toSend: NewOtp | null };

/** Holds the sender's lock, so that of two requests for one bank account the second finds the first. */
async function make(
  ctx: TransfersContext,
  tx: Transaction,
  { accountId }: Account,
  asked: Input,
  { found, added }: Prepared,
): Promise<Made | Refusal> {
  await lockSender(tx, accountId, asked.sender);
  const known = await findKnown(ctx, tx, accountId, asked);
  const exists = await refuseExisting(ctx, tx, known, found);
  if (exists) return exists;
  const key = { accountId, beneficiaryId: known?.beneficiaryId ?? `BEN${ctx.ids.entry(ctx.clock.now())}` };
  if (known) await renameWaiting(tx, known, asked.name, asked.mobile ?? null);
  else await insert(ctx, tx, key, asked, found);
  if (added.kind === "sent before") return { kind: "made", beneficiaryId: key.beneficiaryId, otpRef: added.otpRef, toSend: null };
  return await arrangeOtp(ctx, tx, key, { asked, found, added, isActive: known?.status === "ACTIVE" });
}

type Arranging = { readonly asked: Input; readonly found: FoundBank; readonly added: AddedBeneficiary; readonly isActive: boolean };

/** The provider's password, or ours; without either the beneficiary is active at once. */
async function arrangeOtp(ctx: TransfersContext, tx: Transaction, key: Key, arranging: Arranging): Promise<Made | Refusal> {
  const { asked, found, added, isActive } = arranging;
  const { provider, providerService } = found;
  const { status, ref, sent } = added;
  const { beneficiaryId } = key;
  if (providerService.beneficiaries) await saveBeneficiaryRegistration(tx, key, { provider, status, ref }, new Date(ctx.clock.now()));
  const subject = beneficiaryOtp(key.accountId, beneficiaryId);
  if (sent) {
    const otpRef = await storeSent(ctx, tx, subject, asked.sender, { ...sent, provider });
    return { kind: "made", beneficiaryId, otpRef, toSend: null };
  }
  if (isActive || !providerService.sendOtp) {
    await moveStatus(tx, key, "OTP_PENDING", "ACTIVE");
    return { kind: "made", beneficiaryId, otpRef: "", toSend: null };
  }
  const otp = newOtp(ctx, providerService, subject, asked.sender);
  const otpRef = await storeUnlessFresh(ctx, tx, providerService, otp);
  if (typeof otpRef !== "string") return otpRef;
  return { kind: "made", beneficiaryId, otpRef, toSend: otpRef === otp.otpRef ? otp : null };
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
