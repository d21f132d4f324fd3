import { z } from "zod";
import { moneyText, timeText } from "../../sites/output-fields.ts";

/** Limits and fees of money transfers. */
export const transferSettingsOutput = z
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
export const transferSettingsImpactOutput = z
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
