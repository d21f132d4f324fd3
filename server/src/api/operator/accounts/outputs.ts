import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";

/** A wallet entry as its owner sees it. */
export const walletEntryOutput = z
  .strictObject({
    entry_id: z.string(),
    kind: z.string(),
    amount: moneyText,
    balance_after: moneyText,
    order_id: z.string().nullable(),
    urid: z.string().nullable(),
    service: z.string().nullable(),
    operator: z.string().nullable(),
    account: z.string().nullable(),
    note: z.string().nullable(),
    at: timeText,
  })
  .meta({ id: "WalletEntry" });

/** An account with its settings, its secrets' ids and its balance. */
export const accountOutput = z
  .strictObject({
    account_id: z.string(),
    name: z.string(),
    sandbox: z.boolean(),
    standing: z.enum(["active", "paused", "inactive"]),
    kyc: z.enum(["verified", "pending"]),
    agreement: z.enum(["signed", "pending"]),
    wallet: z.enum(["active", "suspended"]),
    signing_required: z.boolean(),
    money_per_minute: z.int().describe("Requests that move money, per minute."),
    get_per_minute: z.int().describe("Requests that only read, per minute."),
    daily_limit: moneyText.nullable(),
    services: z.record(z.string(), z.boolean()).describe("For each service, whether the account may use it."),
    allowlist: z.array(z.string()).readonly().describe("The addresses and CIDR ranges that requests may come from."),
    callback_url: z.string().nullable(),
    complaint_callback_url: z.string().nullable(),
    callback_version: z.literal([2, 3]),
    callbacks_paused: z.boolean(),
    signing_secrets: z
      .array(z.strictObject({ credential_id: z.string(), created_at: timeText, expires_at: timeText.nullable() }))
      .readonly(),
    callback_secret_set: z.boolean(),
    balance: moneyText,
    held: moneyText.describe("Reserved for pending orders."),
    created_at: timeText,
    closed_at: timeText.nullable(),
  })
  .meta({ id: "Account" });

export type AccountOutput = z.output<typeof accountOutput>;
