import { z } from "zod";
import { accountName } from "../accounts/account-name.ts";
import { MAX_ALLOWLIST_ENTRIES } from "../accounts/allowlist.ts";
import { SERVICE_NAMES, type ServiceName } from "../catalogue/definitions.ts";
import { parseTimeOfDay } from "../kernel/india-time.ts";
import { parseMoney } from "../kernel/money.ts";

// Whatever an id of ours could look like; anything else nobody has.
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const accountParams = z.object({ account_id: id });
export const keyParams = z.object({ key_id: id });
export const operatorParams = z.object({ operator: id });
export const serviceParams = z.object({ service: z.enum(SERVICE_NAMES as readonly [ServiceName, ...ServiceName[]]) });

const reason = z.string().max(500).optional();

const name = z.string().transform((text, ctx) => {
  const accepted = accountName(text);
  if (accepted !== null) return accepted;
  ctx.addIssue("Must have 1 to 120 characters, none of them a control character.");
  return z.NEVER;
});

const amount = z.string().transform((text, ctx) => {
  const money = parseMoney(text);
  if (money !== null && money > 0n) return money;
  ctx.addIssue("Must be an amount greater than zero, such as 2500.00, or null.");
  return z.NEVER;
});

const timeOfDay = z
  .string()
  .refine((text) => parseTimeOfDay(text) !== null, "Must be a time HH:MM, or null.")
  .nullable()
  .optional();

const perMinute = z.int().min(1).max(1_000_000).optional();
const switches = Object.fromEntries(SERVICE_NAMES.map((service) => [service, z.boolean().optional()]));

export const noBody = z.strictObject({ reason });
export const newAccountBody = z.strictObject({ name, sandbox: z.boolean().default(false), reason });
export const newKeyBody = z.strictObject({ name, reason });
export const servicesBody = z.strictObject({ ...(switches as Record<ServiceName, z.ZodOptional<z.ZodBoolean>>), reason });
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
export type AccountBody = z.infer<typeof accountBody>;
