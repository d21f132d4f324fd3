import type { QueryInput, QueryResult } from "@corprail/connector";
import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import type { AadhaarCipher } from "./aeps-key.ts";
import { type Queries, type Read, read, readAll, resultOf } from "./ask.ts";
import type { Session } from "./client.ts";
import { type CorprailTransaction, detailsOf, filled, type Transactions, unwritable, written } from "./transaction.ts";

// `agent_code` is the other installation's outlet_id.
const details = z.object({
  agent_code: filled,
  bank_iin: filled,
  aadhaar: filled,
  pid: filled,
  latitude: filled,
  longitude: filled,
  auth_ref: z.string().default(""),
});

const block = z.object({
  type: z.string(),
  customer_balance: z.string().nullable(),
  entries: z.array(z.object({ date: z.string(), type: z.enum(["DR", "CR"]), amount: z.string(), narration: z.string() })),
});

export function aepsTransactions(cipher: AadhaarCipher): Transactions {
  return {
    "aeps.cash_withdrawal": transaction(cipher, "cash_withdrawal", true),
    "aeps.aadhaar_pay": transaction(cipher, "aadhaar_pay", true),
    "aeps.balance_enquiry": transaction(cipher, "balance_enquiry", false),
    "aeps.mini_statement": transaction(cipher, "mini_statement", false),
  };
}

function transaction(cipher: AadhaarCipher, operation: string, moves: boolean): CorprailTransaction {
  return {
    statusPath: "/aeps/transactions",
    referenceName: "request_id",
    credit: true,
    write: async (session, request) => {
      const given = detailsOf(request, details);
      if (!given) return unwritable("the order does not say which outlet, bank, customer and capture it is for");
      const encrypted = await cipher.encrypt(session, given.aadhaar);
      if (encrypted.kind !== "answered")
        return {
          kind: "not_sent",
          why: `the provider's AEPS key could not be fetched: ${failureReason(encrypted)}`,
          failure: "unavailable",
        };
      const { agent_code, aadhaar: _, auth_ref, ...rest } = given;
      return written(`/aeps/${operation}`, {
        request_id: request.reference,
        outlet_id: agent_code,
        customer_mobile: request.target,
        aadhaar_enc: encrypted.value,
        ...rest,
        consent: "Y",
        ...(moves ? { amount: formatMoney(request.amount) } : {}),
        ...(auth_ref === "" ? {} : { auth_ref }),
      });
    },
    result: (body) => {
      const said = block.safeParse(body["aeps"]);
      if (!said.success || said.data.type !== operation) return null;
      const { customer_balance: balance, entries } = said.data;
      return { entries, ...(balance === null ? {} : { customer_balance: balance }) };
    },
  };
}

function failureReason(reply: Exclude<Read<string>, { readonly kind: "answered" }>): string {
  return reply.kind === "refused" ? reply.reason : reply.why;
}

const PAGE = 200;
const OTP_LENGTH = 6;

const bank = z.object({ bank_iin: z.string(), name: z.string(), status: z.enum(["live", "not_live"]), txn_auth_required: z.boolean() });
const STATUSES = ["OTP_PENDING", "BIOMETRIC_PENDING", "ACTIVE", "REKYC_REQUIRED", "SUSPENDED", "REJECTED"] as const;
const outletReply = z.object({ outlet: z.object({ outlet_id: z.string().min(1), status: z.enum(STATUSES), reason: z.string() }) });
type OutletReply = z.infer<typeof outletReply>;
const otpReply = z.object({ otp_ref: z.string().min(1) });
const authReply = z.object({ auth_ref: z.string().min(1) });

export function aepsQueries(cipher: AadhaarCipher): Queries {
  return {
    "aeps.banks": async (session) =>
      resultOf(await readAll(session, { path: "/aeps/banks", limit: PAGE, item: bank }), (banks) => ({
        banks: banks.map((one) => ({
          iin: one.bank_iin,
          name: one.name,
          live: one.status === "live",
          per_transaction: one.txn_auth_required,
        })),
      })),
    "aeps.outlet.register": (session, input) => register(cipher, session, input),
    "aeps.outlet.send_otp": async (session, { agent_code }) =>
      resultOf(await read(session.post("/aeps/outlets/otp", { outlet_id: agent_code }), otpReply), ({ otp_ref }) => ({
        otp_ref,
        length: OTP_LENGTH,
      })),
    "aeps.outlet.verify_otp": async (session, { agent_code, otp, otp_ref }) =>
      resultOf(await read(session.post("/aeps/outlets/otp_verify", { outlet_id: agent_code, otp_ref, otp }), outletReply), () => ({})),
    "aeps.outlet.biometric": async (session, { agent_code, pid, latitude, longitude }) => {
      const body = { outlet_id: agent_code, pid, latitude, longitude };
      const given = await read(session.post("/aeps/outlets/biometric", body), outletReply);
      if (given.kind === "answered") return verdictOf(given.value) ?? { kind: "answered", value: {} };
      return (await rejected(session, agent_code, given)) ?? resultOf(given, () => ({}));
    },
    "aeps.authenticate": (session, input) => authenticate(cipher, session, input),
  };
}

type Nothing = QueryResult<Record<string, never>>;

/** Our outlet's id is the reference there, so asking again registers no second outlet. */
async function register(
  cipher: AadhaarCipher,
  session: Session,
  input: QueryInput<"aeps.outlet.register">,
): Promise<QueryResult<{ agent_code?: string }>> {
  const { outlet_id: reference, aadhaar, device_model: model, device_serial: serial, ...rest } = input;
  const encrypted = await cipher.encrypt(session, aadhaar);
  if (encrypted.kind !== "answered") return resultOf(encrypted, () => ({}));
  const body = { request_id: reference, ...rest, aadhaar_enc: encrypted.value, device: { model, serial } };
  const made = await read(session.post("/aeps/outlets", body), outletReply);
  forgetAfter(cipher, made);
  return resultOf(made, ({ outlet }) => ({ agent_code: outlet.outlet_id }));
}

async function authenticate(
  cipher: AadhaarCipher,
  session: Session,
  input: QueryInput<"aeps.authenticate">,
): Promise<QueryResult<{ auth_ref?: string }>> {
  const { agent_code, type, aadhaar, pid, bank_iin, latitude, longitude } = input;
  const encrypted = await cipher.encrypt(session, aadhaar);
  if (encrypted.kind !== "answered") return resultOf(encrypted, () => ({}));
  const place = { latitude, longitude, ...(type === "TXN" ? { bank_iin } : {}) };
  const body = { outlet_id: agent_code, type, aadhaar_enc: encrypted.value, pid, ...place };
  const given = await read(session.post("/aeps/auth", body), authReply);
  forgetAfter(cipher, given);
  if (given.kind === "answered") return { kind: "answered", value: { auth_ref: given.value.auth_ref } };
  return (await rejected(session, agent_code, given)) ?? resultOf(given, () => ({}));
}

function forgetAfter(cipher: AadhaarCipher, reply: Read<unknown>): void {
  if (reply.kind === "refused" && reply.error === "invalid_aadhaar") cipher.forget();
}

/** A rejected or suspended outlet is a decision about the outlet; every other state is a step that is still missing. */
function verdictOf({ outlet }: OutletReply): Extract<Nothing, { readonly kind: "refused" }> | null {
  if (outlet.status !== "REJECTED" && outlet.status !== "SUSPENDED") return null;
  return { kind: "refused", code: "rejected", reason: `the outlet is ${outlet.status}: ${outlet.reason.slice(0, 200)}` };
}

/** Whether an outlet that is refused as not active was rejected; null when not. */
async function rejected(session: Session, outletId: string, refused: Read<unknown>) {
  if (refused.kind !== "refused" || refused.error !== "outlet_not_active") return null;
  const found = await read(session.get("/aeps/outlets", [["outlet_id", outletId]]), outletReply);
  return found.kind === "answered" ? verdictOf(found.value) : null;
}
