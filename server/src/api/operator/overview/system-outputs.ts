import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";

const process = z.strictObject({
  process_id: z.string(),
  this_one: z.boolean().describe("Whether it is the process that answers."),
  alive: z.boolean(),
  host: z.string(),
  pid: z.int(),
  started_at: timeText,
  seen_at: timeText,
  version: z.string().nullable().describe("Null before its first report, like the fields below."),
  node: z.string().nullable(),
  memory_bytes: z.int().nullable(),
  ledger_violations: z.int().nullable(),
  ledger_checked_at: timeText.nullable(),
  open_breakers: z
    .array(z.strictObject({ provider: z.string(), operator: z.string() }))
    .readonly()
    .nullable(),
  clock_behind_ms: z.number().nullable().describe("How far its clock is behind the database's."),
  failing_jobs: z.array(z.string()).readonly().nullable(),
});

const job = z.strictObject({
  name: z.string(),
  every_seconds: z.number(),
  ran_at: timeText.nullable(),
  took_ms: z.int().nullable(),
  succeeded_at: timeText.nullable(),
  failures: z.int().describe("Consecutive failures."),
  error: z.string().nullable(),
});

const database = z.strictObject({
  version: z.string(),
  size_bytes: z.int(),
  connections: z.int(),
  max_connections: z.int(),
  oldest_transaction_seconds: z.int().nullable(),
  migrations: z
    .array(z.strictObject({ version: z.int(), name: z.string(), applied_at: timeText }))
    .readonly()
    .describe("Newest first."),
  missing_migrations: z.array(z.string()).readonly(),
});

const masterKey = z.strictObject({
  key_id: z.string(),
  since: timeText,
  age_days: z.int(),
  rotation: z.enum(["none", "running", "unfinished"]),
});

/** The processes, the database and the settings of the installation. */
export const systemOutput = z
  .strictObject({
    at: timeText,
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    uptime_seconds: z.int(),
    process_id: z.string(),
    mode: z.enum(["trial", "live"]),
    mode_conflict: z.string().nullable().describe("Why the mode differs from the configured one."),
    trial_money: z
      .strictObject({ accounts: z.int(), amount: moneyText })
      .nullable()
      .describe("The balance that accounts could spend if the installation went live now; null once it is live."),
    parts: z
      .array(z.strictObject({ name: z.string(), state: z.enum(["good", "attention", "bad"]), says: z.string() }))
      .readonly()
      .describe("The state of each part of the system, in one sentence."),
    processes: z.array(process).readonly(),
    jobs: z.array(job).readonly().describe("The periodic jobs of the process that answers."),
    database,
    master_key: masterKey.nullable(),
    settings: z
      .array(z.strictObject({ name: z.string(), value: z.string().nullable() }))
      .readonly()
      .describe("Of a secret only whether it is set."),
  })
  .meta({ id: "System" });
