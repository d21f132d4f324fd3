import { z } from "zod";
import { indiaMidnight, parseTimeOfDay } from "../../platform/core/india-time.ts";
import { formatMoney, parseMoney } from "../../platform/core/money.ts";
import { MAX_ALLOWLIST_ENTRIES, parseAllowlist } from "../accounts/allowlist.ts";
import { STAFF_ROLES } from "../auth/user.ts";
import { USUAL_ROUTE } from "../providers/routing/save-route.ts";
import type { ConfigurationKind } from "./configuration.ts";

// Amounts and lists become their stored form, so that a file with another spelling shows no difference.
const money = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,4})?$/, 'Must be an amount in quotes, such as "2500.00".')
  .transform((text, ctx) => {
    const amount = parseMoney(text);
    if (amount !== null) return formatMoney(amount);
    ctx.addIssue('Must be an amount in quotes, such as "2500.00".');
    return z.NEVER;
  });
const percent = z
  .string()
  .regex(
    /^(?:100(?:\.0{1,2})?|[1-9]?[0-9](?:\.[0-9]{1,2})?)$/,
    'Must be a percentage in quotes from 0 to 100 with at most two places, such as "1.25".',
  )
  .transform((text) => {
    const [whole = "0", fraction = ""] = text.split(".");
    return `${whole}.${fraction.padEnd(2, "0")}`;
  });
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be an id of letters, digits, _ and -.");
const idOrAny = z.string().regex(/^(?:\*|[A-Za-z0-9_-]{1,64})$/, "Must be a name or *.");
const place = z.int().min(1).max(1000);
const timeOfDay = z
  .string()
  .refine((text) => parseTimeOfDay(text) !== null, "Must be a time HH:MM in quotes.")
  .nullable();
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "Must be a day YYYY-MM-DD in India.")
  .refine((text) => indiaMidnight(text) !== null, "There is no such day.");
const threshold = (least: number, most: number) => z.int().min(least).max(most).nullable().optional();
const count = (least: number, most: number) => z.int().min(least).max(most).optional();

const rate = z
  .strictObject({
    percent: percent.default("0.00"),
    flat: money.default("0.0000"),
    min: money.nullable().default(null),
    max: money.nullable().default(null),
  })
  .default({ percent: "0.00", flat: "0.0000", min: null, max: null });

const allowlist = z
  .array(z.string().max(64))
  .max(MAX_ALLOWLIST_ENTRIES)
  .transform((entries, ctx) => {
    const parsed = parseAllowlist(entries);
    if (parsed.ok) return parsed.list.entries.toSorted();
    ctx.addIssue(`${parsed.wrong} is neither an address nor a CIDR range.`);
    return z.NEVER;
  });

/** Where a secret is: in a variable or in a file of the machine that applies. Null removes the secret. */
const secretReference = z
  .union([z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }), z.strictObject({ file: z.string().min(1) })], {
    error: "Must be { env: NAME } or { file: PATH }, never the secret itself.",
  })
  .nullable();
export type SecretReference = z.output<typeof secretReference>;

const definition = z
  .record(z.string(), z.json())
  .describe("The provider's description: provider-description.schema.json, or name and connector with its settings.");

/** The schema of one item of each kind of configuration file. An absent optional field is not managed by the files. */
export const ITEM_SCHEMAS = {
  services: z.strictObject({
    service: id,
    enabled: z.boolean().optional(),
    opens_at: timeOfDay.optional(),
    closes_at: timeOfDay.optional(),
  }),
  operators: z.strictObject({ operator: id, enabled: z.boolean().optional() }),
  transfer_settings: z.strictObject({
    min_amount: money.optional(),
    max_amount: money.optional(),
    month_limit: money.optional(),
    fee_percent: percent.optional(),
    fee_least: money.optional(),
    penny_drop_fee: money.optional(),
  }),
  providers: z.strictObject({
    provider: id,
    enabled: z.boolean().default(true),
    definition,
    secrets: z.record(z.string().max(64), secretReference).default({}),
  }),
  routes: z.strictObject({
    service: idOrAny,
    operator: idOrAny,
    provider: id,
    priority: place.default(USUAL_ROUTE.priority),
    weight: place.default(USUAL_ROUTE.weight),
    enabled: z.boolean().default(USUAL_ROUTE.enabled),
  }),
  prices: z.strictObject({
    account_id: id.nullable().default(null),
    service: id.nullable().default(null),
    operator: z.string().trim().min(1).max(120).nullable().default(null),
    fee: rate,
    commission: rate,
    valid_from: day.optional(),
  }),
  clients: z.strictObject({
    account_id: id,
    standing: z.enum(["active", "paused", "inactive"]).optional(),
    kyc: z.enum(["verified", "pending"]).optional(),
    agreement: z.enum(["signed", "pending"]).optional(),
    wallet: z.enum(["active", "suspended"]).optional(),
    signing_required: z.boolean().optional(),
    money_per_minute: count(1, 1_000_000),
    get_per_minute: count(1, 1_000_000),
    daily_limit: money.nullable().optional(),
    services: z
      .array(id)
      .transform((names) => [...new Set(names)].toSorted())
      .optional(),
    allowlist: allowlist.optional(),
    callback_url: z.string().nullable().optional(),
    complaint_callback_url: z.string().nullable().optional(),
    callback_version: z.literal([2, 3]).optional(),
  }),
  roles: z.strictObject({
    email: z
      .string()
      .max(320)
      .transform((text) => text.trim().toLowerCase()),
    role: z.enum(STAFF_ROLES),
    disabled: z.boolean().default(false),
  }),
  alert_rules: z.strictObject({
    provider_success_percent: threshold(1, 100),
    provider_success_orders: count(1, 100_000),
    breaker_open: z.boolean().optional(),
    pending_orders: threshold(0, 100_000),
    human_tasks: threshold(1, 100_000),
    callback_minutes: threshold(1, 10_080),
    job_failures: threshold(1, 1_000),
    failed_jobs: threshold(1, 1_000),
    provider_balance: threshold(0, 1_000_000_000),
    provider_float: z.boolean().optional(),
    clock_seconds: threshold(1, 3_600),
    close_seconds: count(0, 3_600),
  }),
  approval_rules: z.strictObject({
    wallet_threshold: money.nullable().optional(),
    order_threshold: money.nullable().optional(),
    keys_included: z.boolean().optional(),
    pricing_included: z.boolean().optional(),
    providers_included: z.boolean().optional(),
    expire_hours: count(1, 720),
    new_person_hours: count(0, 8760),
  }),
} as const satisfies Readonly<Record<ConfigurationKind, z.ZodType>>;

/** The JSON Schema of a file of this kind, for editors. */
export function fileJsonSchema(kind: ConfigurationKind): object {
  const file = z.strictObject({ kind: z.literal(kind), items: z.array(ITEM_SCHEMAS[kind]) });
  const { $schema, ...schema } = z.toJSONSchema(file, { io: "input" });
  return { $schema, title: `Corprail configuration: ${kind}`, ...schema };
}
