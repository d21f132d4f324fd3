import { z } from "zod";
import { BULK_ACTIONS } from "../../../domain/bulk/selection.ts";
import { moneyText } from "../../sites/outputs/output-fields.ts";

/** What a bulk action would do. */
export const bulkPreviewOutput = z
  .strictObject({
    selection_id: z.string().describe("Names exactly these items when the action is started."),
    action: z.enum(BULK_ACTIONS),
    count: z.int().describe("The number of orders or callbacks."),
    amount: moneyText.describe("The sum of the orders' amounts; zero for callbacks."),
    accounts: z.int().describe("The number of accounts that they belong to."),
    skipped: z
      .array(z.strictObject({ reason: z.string(), count: z.int() }))
      .readonly()
      .describe("What is left out, and why."),
    has_more: z.boolean().describe("More match than one selection can hold. Start again afterwards for the rest."),
  })
  .meta({ id: "BulkPreview" });

/** One order or callback of a bulk action. */
export const bulkItemOutput = z
  .strictObject({
    item_id: z.string().describe("The order's or callback's id."),
    account_id: z.string(),
    amount: moneyText,
    state: z.enum(["waiting", "done", "skipped"]),
    detail: z.string().describe("What happened, or why it was skipped."),
  })
  .meta({ id: "BulkItem" });
