import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { transactionOutput } from "../transactions/outputs.ts";
import { SIMULATED_RESULTS } from "./simulated-results.ts";

/** The settings that a sandbox takes over from its account. */
export const sandboxSettingsOutput = z
  .strictObject({
    allowlist: z.array(z.string()).readonly(),
    callback_url: z.string().nullable(),
    complaint_callback_url: z.string().nullable(),
  })
  .meta({ id: "SandboxSettings" });

const account = z
  .strictObject({ account_id: z.string(), balance: moneyText, held: moneyText, ...sandboxSettingsOutput.shape, created_at: timeText })
  .meta({ id: "SandboxAccount" });

/** The newest transactions. */
export const sandboxTransactionsOutput = z.array(transactionOutput).readonly();

export const DIGITS = SIMULATED_RESULTS.map(({ digits }) => digits);

/** The account's sandbox, its test numbers and its newest transactions. */
export const sandboxOutput = z
  .strictObject({
    sandbox_account: account.nullable(),
    endings: z.array(z.strictObject({ digits: z.enum(DIGITS), meaning: z.string() }).meta({ id: "SimulatedResult" })).readonly(),
    orders: sandboxTransactionsOutput,
  })
  .meta({ id: "Sandbox" });

/** A new sandbox and its token, which is shown once. */
export const newSandboxOutput = z.strictObject({ account_id: z.string(), api_token: z.string() }).meta({ id: "NewSandbox" });

export const sandboxTopUpOutput = z.strictObject({ balance: moneyText }).meta({ id: "SandboxTopUp" });

/** A transaction of the sandbox after a change. */
export const sandboxOrderOutput = z.strictObject({ transaction: transactionOutput }).meta({ id: "SandboxOrder" });
