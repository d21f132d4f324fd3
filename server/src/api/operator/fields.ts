import { z } from "zod";
import { accountName } from "../../domain/accounts/account-name.ts";
import { MAX_ALLOWLIST_ENTRIES } from "../../domain/accounts/allowlist.ts";
import { ROLES, STAFF_ROLES } from "../../domain/auth/user.ts";
import { SHOWN_STATES } from "../../domain/callbacks/queries/read-callbacks.ts";
import { COMPLAINT_STATUSES } from "../../domain/complaints/complaint.ts";
import { CANCELLATION_OUTCOMES } from "../../domain/services/bus/cancellations/settle-cancellation.ts";
import { indiaMidnight, indiaMoment, parseTimeOfDay } from "../../platform/core/india-time.ts";
import { moneyOf, parseMoney } from "../../platform/core/money.ts";
import { isReference } from "../../platform/core/reference.ts";

// Matches every possible id. Anything else is unknown.
export const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const accountParams = z.object({ account_id: id });
export const keyParams = z.object({ key_id: id });
export const orderParams = z.object({ order_id: id });
export const callbackParams = z.object({ callback_id: id });
export const complaintParams = z.object({ complaint_ref: id });
export const operatorParams = z.object({ operator: id });
export const providerParams = z.object({ provider: id });
export const serviceParams = z.object({ service: id });

export const reason = z.string().max(500).optional();

const name = z.string().transform((text, ctx) => {
  const accepted = accountName(text);
  if (accepted !== null) return accepted;
  ctx.addIssue("Must have 1 to 120 characters, none of them a control character.");
  return z.NEVER;
});

export const amount = z.string().transform((text, ctx) => {
  const money = parseMoney(text);
  if (money !== null && money > 0n) return money;
  ctx.addIssue("Must be an amount greater than zero, such as 2500.00, or null.");
  return z.NEVER;
});

// Negative for a debit.
const signedAmount = z.string().transform((text, ctx) => {
  const money = parseMoney(text.replace(/^-/, ""));
  if (money !== null && money > 0n) return moneyOf(text.startsWith("-") ? -money : money);
  ctx.addIssue("Must be an amount other than zero, such as 2500.00 or -50.00.");
  return z.NEVER;
});

const reference = z.string().refine(isReference, "Must be 1 to 64 characters of A-Z a-z 0-9 . _ : -");
const givenReason = z.string().trim().min(1).max(500);

const timeOfDay = z
  .string()
  .refine((text) => parseTimeOfDay(text) !== null, "Must be a time HH:MM, or null.")
  .nullable()
  .optional();

const WRONG_MOMENT = "Must be a time YYYY-MM-DD HH:MM:SS or a day YYYY-MM-DD in India, or Unix seconds.";

export const moment = z.union([z.string(), z.int().min(0).max(9_999_999_999)], WRONG_MOMENT).transform((value, ctx) => {
  const milliseconds = typeof value === "string" ? indiaMoment(value) : value * 1000;
  // Times before 1970 do not occur, and PostgreSQL has no year 0.
  if (milliseconds !== null && milliseconds >= 0) return milliseconds;
  ctx.addIssue(WRONG_MOMENT);
  return z.NEVER;
});

const DAY_MILLISECONDS = 86_400_000;

function dayMoment(more: number) {
  return z.string().transform((text, ctx) => {
    const midnight = indiaMidnight(text);
    if (midnight !== null && midnight >= 0) return new Date(midnight + more);
    ctx.addIssue("Must be a day YYYY-MM-DD.");
    return z.NEVER;
  });
}
/** A day in India as a filter: the start of the day, or of the next day. */
export const firstMoment = dayMoment(0);
export const lastMoment = dayMoment(DAY_MILLISECONDS);

const MAX_KEY_ADDRESSES = 50;
const perMinute = z.int().min(1).max(1_000_000).optional();

export const noBody = z.strictObject({ reason });
export const reasonBody = z.strictObject({ reason: givenReason });
export const walletBody = z.strictObject({ amount: signedAmount, reference, note: z.string().max(500).optional(), reason });
export const settleBody = z.strictObject({
  status: z.enum(["SUCCESS", "FAILED"]),
  operator_ref: z.string().trim().min(1).max(64).optional(),
  reason: givenReason,
});
export const settleCancellationBody = z.strictObject({
  cancel_id: reference,
  outcome: z.enum(CANCELLATION_OUTCOMES).describe('What the provider has told staff. "cancelled" pays the quoted refund.'),
  reason: givenReason,
});
export const complaintStatus = z.enum(COMPLAINT_STATUSES).optional();
export const clearBody = z.strictObject({ decision: z.enum(["stands", "refund"]), reason: givenReason });
// For queries, where every value is text.
export const momentText = z.string().transform((text, ctx) => {
  const milliseconds = indiaMoment(text);
  if (milliseconds !== null && milliseconds >= 0) return milliseconds;
  ctx.addIssue("Must be a time YYYY-MM-DD HH:MM:SS or a day YYYY-MM-DD in India.");
  return z.NEVER;
});
export const callbackFilter = {
  account_id: id.optional(),
  state: z.enum(SHOWN_STATES).optional(),
  kind: z.enum(["status", "complaint"]).optional(),
  /** The id of a callback or an order, or the client's reference. */
  search: z.string().trim().refine(isReference, "Must be an id or a reference.").optional(),
  since: momentText.optional(),
};
/** Without `account_id` it applies to all accounts. `all_accounts` says so explicitly and excludes `account_id`. */
export const recoveryBody = z
  .strictObject({ account_id: id.optional(), all_accounts: z.literal(true).optional(), since: moment, reason })
  .refine((body) => body.account_id === undefined || body.all_accounts === undefined, {
    path: ["all_accounts"],
    message: "Must not be combined with account_id.",
  });
export const recoverBody = z.strictObject({ account_id: id, since: moment, reason });
export const newAccountBody = z.strictObject({ name, sandbox: z.boolean().default(false), reason });
export const invitationBody = z.strictObject({ email: z.string().max(320), role: z.enum(ROLES).default("owner"), reason });
/** A key without a role may make every call. Without source addresses it works from everywhere. */
export const newKeyBody = z.strictObject({
  name,
  role: z.enum(STAFF_ROLES).nullish(),
  expires_at: moment.nullish(),
  source_addresses: z.array(z.string().max(64)).max(MAX_KEY_ADDRESSES).optional(),
  reason,
});
/** The catalogue decides which names are services. */
export const servicesBody = z.object({ reason }).catchall(z.boolean());
export const allowlistBody = z.strictObject({ entries: z.array(z.string().max(64)).max(MAX_ALLOWLIST_ENTRIES), reason });
export const operatorBody = z.strictObject({ enabled: z.boolean(), reason });
export const serviceBody = z.strictObject({ enabled: z.boolean().optional(), opens_at: timeOfDay, closes_at: timeOfDay, reason });

export const accountBody = z.strictObject({
  standing: z.enum(["active", "paused", "inactive"]).optional(),
  kyc: z.enum(["verified", "pending"]).optional(),
  agreement: z.enum(["signed", "pending"]).optional(),
  wallet: z.enum(["active", "suspended"]).optional(),
  signing_required: z.boolean().optional(),
  money_per_minute: perMinute,
  get_per_minute: perMinute,
  daily_limit: amount.nullable().optional(),
  callback_url: z.string().nullable().optional(),
  complaint_callback_url: z.string().nullable().optional(),
  callback_version: z.literal([2, 3]).optional(),
  reason,
});
const search = z
  .string()
  .max(120)
  .regex(/^\P{Cc}*$/u, "Must not contain control characters.")
  .transform((text) => text.trim() || undefined);
export const accountFilter = {
  search: search.optional(),
  standing: accountBody.shape.standing,
  sandbox: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
};
export type AccountBody = z.infer<typeof accountBody>;
