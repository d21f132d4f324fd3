import { z } from "zod";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import {
  changeSettings,
  differences,
  faultsOf,
  type SettingsChange,
  settingsFields,
  withChange,
} from "../../../domain/services/transfers/settings/change-settings.ts";
import { IMPACT_DAYS, readSettingsImpact } from "../../../domain/services/transfers/settings/settings-impact.ts";
import { readSettings } from "../../../domain/services/transfers/settings/settings-store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney, parseMoney } from "../../../platform/core/money.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, MONEY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { type Held, heldOrRefusal } from "../approvals/held.ts";
import type { Caller } from "../caller.ts";
import { SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { reason } from "../fields.ts";
import { percent } from "../pricing/fields.ts";
import { type Refusal, wrongFields } from "../refusal.ts";

/** Limits and fees of money transfers. */
const transferSettingsOutput = z
  .strictObject({
    min_amount: moneyText,
    max_amount: moneyText,
    month_limit: moneyText.describe("The most that one sender may send in a month."),
    fee_percent: z.string().meta({ description: "A decimal with two places.", example: "1.00" }),
    fee_least: moneyText.describe("The least fee of a transfer."),
    penny_drop_fee: moneyText.describe("The fee for verifying a beneficiary's account."),
  })
  .meta({ id: "TransferSettings" });

/** The effect that other limits and fees would have had on the transfers of the last days. */
const transferSettingsImpactOutput = z
  .strictObject({
    days: z.int(),
    since: timeText,
    complete: z.boolean().describe("False if there were too many orders to count all of these days."),
    transfers: z.int(),
    accounts: z.int(),
    refused: z.int().describe("Transfers that the proposed limits would have refused."),
    senders_over_limit: z.int().describe("Senders who have already sent more than the proposed limit this month."),
    fees: moneyText.describe("With the proposed settings."),
    current_fees: moneyText,
  })
  .meta({ id: "TransferSettingsImpact" });

function amount(least: bigint, words: string) {
  return z
    .string()
    .transform((text, ctx) => {
      const money = parseMoney(text);
      if (money !== null && money >= least) return money;
      ctx.addIssue(words);
      return z.NEVER;
    })
    .optional();
}

const aboveZero = amount(1n, "Must be an amount greater than zero, such as 5000.00.");
const orZero = amount(0n, "Must be an amount, such as 10.00, or 0.");

const settings = {
  min_amount: aboveZero,
  max_amount: aboveZero,
  month_limit: aboveZero,
  fee_percent: percent.optional(),
  fee_least: orZero,
  penny_drop_fee: orZero,
};
const impactBody = z.strictObject(settings);
const changeBody = z.strictObject({ ...settings, reason });

const showSettings = action({
  path: "GET /services/transfers/settings",
  summary: "Shows the limits and fees of money transfers.",
  roles: EVERYBODY,
  output: transferSettingsOutput,
  handler: async ({ deps }) => settingsFields(await readSettings(deps.sql)),
});

const updateSettings = action({
  path: "POST /services/transfers/settings",
  summary: "Changes limits and fees of money transfers. They apply to the next quote.",
  roles: MONEY,
  proof: "recent",
  body: changeBody,
  output: transferSettingsOutput,
  approval: { kinds: ["transfer_settings"], ask: ({ deps, caller, body }) => askForSettings(deps, caller, body) },
  handler: async ({ deps, actor, body }) => {
    const result = await changeSettings(deps, actor, { change: toChange(body), reason: body.reason });
    return result.kind === "done" ? settingsFields(result.settings) : wrongFields(result.fields);
  },
});

const showImpact = action({
  path: "POST /services/transfers/settings/impact",
  summary: "Shows what other limits and fees would have meant for recent transfers. Nothing is changed.",
  roles: MONEY,
  body: impactBody,
  output: transferSettingsImpactOutput,
  cells: SUMMED,
  handler: async ({ deps, body }) => {
    const current = await readSettings(deps.sql);
    const proposed = withChange(current, toChange(body));
    const faults = faultsOf(proposed);
    if (Object.keys(faults).length > 0) return wrongFields(faults);
    const impact = await readSettingsImpact(deps.sql, { current, proposed }, deps.clock.now());
    return {
      days: IMPACT_DAYS,
      since: indiaDateTime(impact.since),
      complete: impact.complete,
      transfers: impact.transfers,
      accounts: impact.accounts,
      refused: impact.refused,
      senders_over_limit: impact.sendersOverLimit,
      fees: formatMoney(impact.fees),
      current_fees: formatMoney(impact.currentFees),
    };
  },
});

/** They need approval wherever fee and commission rules do, unless nothing would change. */
async function askForSettings(
  deps: OperatorApiDependencies,
  caller: Caller,
  body: z.output<typeof changeBody>,
): Promise<Held | Refusal | null> {
  const before = await readSettings(deps.sql);
  const after = withChange(before, toChange(body));
  const faults = faultsOf(after);
  if (Object.keys(faults).length > 0) return wrongFields(faults);
  const changes = differences({ before, after });
  if (Object.keys(changes).length === 0) return null;
  const input = { changes, ...(body.reason === undefined ? {} : { reason: body.reason }) };
  const asked = { kind: "transfer_settings", about: "transfer settings", input, amount: null, accountId: null, orderId: null } as const;
  return heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
}

function toChange(body: z.infer<typeof impactBody>): SettingsChange {
  return {
    minAmount: body.min_amount,
    maxAmount: body.max_amount,
    monthLimit: body.month_limit,
    feeBasisPoints: body.fee_percent,
    feeLeast: body.fee_least,
    pennyDropFee: body.penny_drop_fee,
  };
}

/** Installation-wide limits and fees of money transfers. */
export const transferSettingsActions: readonly Action[] = [showSettings, updateSettings, showImpact];
