import { randomBytes } from "node:crypto";
import type { QueryInput, QueryResult, QueryValue } from "@corprail/connector";
import { z } from "zod";
import { type Queries, read, readAll, resultOf } from "./ask.ts";
import type { Session } from "./client.ts";
import { detailsOf, filled, type Transactions, unwritable, written } from "./transaction.ts";

const OTP_LENGTH = 6;
const PAGE = 200;

const confirmed = z.object({ otp: filled, otp_ref: filled });
const checked = z.object({ beneficiary_ref: filled });

export const transferTransactions: Transactions = {
  // The quote there, which sent the one-time password, knows sender, beneficiary, amount and mode.
  "transfers.send": {
    statusPath: "/transfers",
    referenceName: "request_id",
    write: async (_session, request) => {
      const given = detailsOf(request, confirmed);
      if (!given) return unwritable("the order has no one-time password of the provider");
      return written("/transfers", { request_id: request.reference, transfer_ref: given.otp_ref, otp: given.otp });
    },
  },
  "transfers.check_account": {
    statusPath: "/transfers",
    referenceName: "request_id",
    write: async (_session, request) => {
      const given = detailsOf(request, checked);
      if (!given) return unwritable("the provider does not know the beneficiary");
      return written("/transfers/beneficiaries/verify", { request_id: request.reference, beneficiary_id: given.beneficiary_ref });
    },
    result: ({ verified_name }) => ({ verified_name }),
  },
};

const bank = z.object({ bank: z.string(), name: z.string(), status: z.enum(["up", "down"]) });
const sender = z.object({ mobile: z.string(), status: z.enum(["OTP_PENDING", "VERIFIED", "BLOCKED"]) });
const beneficiary = z.object({
  beneficiary_id: z.string().min(1),
  account_masked: z.string(),
  ifsc: z.string(),
  status: z.enum(["OTP_PENDING", "ACTIVE", "DELETED"]),
});

const senderReply = z.object({ sender, otp_ref: z.string() });
const verifiedSender = z.object({ sender: sender.extend({ status: z.enum(["VERIFIED", "BLOCKED"]) }) });
const otpReply = z.object({ otp_ref: z.string().min(1) });
const addedReply = z.object({ beneficiary, otp_ref: z.string().min(1) });
const activeReply = z.object({ beneficiary: beneficiary.extend({ status: z.literal("ACTIVE") }) });
const deletedReply = z.object({ beneficiary: beneficiary.extend({ status: z.literal("DELETED") }) });
const quoteReply = z.object({ transfer_ref: z.string().min(1) });

export const transferQueries: Queries = {
  "transfers.banks": async (session) =>
    resultOf(await readAll(session, { path: "/transfers/banks", limit: PAGE, item: bank }), (banks) => ({ banks: [...banks] })),
  "transfers.sender.register": async (session, input) => {
    const { mobile, first_name, last_name, pincode } = input;
    const names = { first_name, ...(last_name === "" ? {} : { last_name }) };
    const body = { request_id: newRequestId(), mobile, ...names, pincode, consent: "Y" };
    const registered = await read(session.post("/transfers/senders", body), senderReply);
    if (registered.kind !== "answered") return resultOf(registered, () => ({}));
    const { sender: known, otp_ref: otpRef } = registered.value;
    if (known.mobile !== mobile) return { kind: "unavailable", why: "the reply is about another sender" };
    if (known.status !== "OTP_PENDING") return { kind: "answered", value: { status: known.status } };
    if (otpRef === "") return { kind: "unavailable", why: "the sender is not verified, and no one-time password was sent" };
    return { kind: "answered", value: { status: "OTP_SENT", ...sent(otpRef) } };
  },
  "transfers.sender.resend_otp": async (session, { mobile, otp_ref }) =>
    resultOf(await read(session.post("/transfers/senders/otp", { mobile, otp_ref }), otpReply), (reply) => sent(reply.otp_ref)),
  "transfers.sender.verify": async (session, { mobile, otp_ref, otp }) =>
    resultOf(await read(session.post("/transfers/senders/verify", { mobile, otp_ref, otp }), verifiedSender), (reply) => ({
      status: reply.sender.status,
    })),
  "transfers.beneficiary.add": (session, input) => addBeneficiary(session, input),
  "transfers.beneficiary.verify": async (session, { beneficiary_ref, otp_ref, otp }) =>
    resultOf(
      await read(session.post("/transfers/beneficiaries/verify_otp", { beneficiary_id: beneficiary_ref, otp_ref, otp }), activeReply),
      (reply) => ({ beneficiary_ref: reply.beneficiary.beneficiary_id }),
    ),
  "transfers.beneficiary.delete": async (session, { beneficiary_ref: beneficiary_id, otp = "", otp_ref = "" }) => {
    const path = "/transfers/beneficiaries/delete";
    if (otp === "")
      return resultOf(await read(session.post(path, { beneficiary_id }), otpReply), (reply) => ({
        status: "OTP_SENT",
        ...sent(reply.otp_ref),
      }));
    return resultOf(await read(session.post(path, { beneficiary_id, otp_ref, otp }), deletedReply), () => ({ status: "DELETED" }));
  },
  "transfers.send_otp": async (session, { reference, sender: from, beneficiary_ref, amount, mode }) => {
    const body = { request_id: reference, sender: from, beneficiary_id: beneficiary_ref, amount, mode };
    return resultOf(await read(session.post("/transfers/quote", body), quoteReply), (reply) => sent(reply.transfer_ref));
  },
};

function sent(otpRef: string): { otp_ref: string; length: number } {
  return { otp_ref: otpRef, length: OTP_LENGTH };
}

/** These calls have no reference of ours: asking again is a new request, for which a new one-time password is sent. */
function newRequestId(): string {
  return `Q${randomBytes(12).toString("hex")}`;
}

type Added = QueryResult<Partial<QueryValue<"transfers.beneficiary.add">>>;

async function addBeneficiary(session: Session, input: QueryInput<"transfers.beneficiary.add">): Promise<Added> {
  const { sender: from, name, account, ifsc, mobile } = input;
  const body = { request_id: newRequestId(), sender: from, name, account, ifsc, ...(mobile === "" ? {} : { mobile }) };
  const added = await read(session.post("/transfers/beneficiaries", body), addedReply);
  if (added.kind === "refused" && added.error === "beneficiary_exists") return await existingBeneficiary(session, input);
  return resultOf(added, ({ beneficiary: one, otp_ref }) => ({
    status: "OTP_SENT" as const,
    beneficiary_ref: one.beneficiary_id,
    ...sent(otp_ref),
  }));
}

/** The list shows only the last four digits of accounts, so two that look the same cannot be told apart. */
async function existingBeneficiary(session: Session, input: QueryInput<"transfers.beneficiary.add">): Promise<Added> {
  const query = [["sender", input.sender] as const];
  const listed = await readAll(session, { path: "/transfers/beneficiaries", query, limit: PAGE, item: beneficiary });
  if (listed.kind !== "answered") return resultOf(listed, () => ({}));
  const last = input.account.slice(-4);
  const same = listed.value.filter((one) => one.status !== "DELETED" && one.ifsc === input.ifsc && one.account_masked.endsWith(last));
  const [only, ...others] = same;
  if (!only || others.length > 0) return { kind: "refused", reason: "the sender has this beneficiary, which cannot be told from others" };
  if (only.status === "ACTIVE") return { kind: "answered", value: { status: "ACTIVE", beneficiary_ref: only.beneficiary_id } };
  return { kind: "refused", reason: "a one-time password was sent a short time ago; a new one can be sent after five minutes" };
}
