import { z } from "zod";
import { OUTCOMES, RECONCILIATION_STATES } from "../../../domain/reconciliation/reconciliation.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { jobFieldsOutput } from "../jobs/outputs.ts";
import { orderHistoryOutput } from "../orders/outputs.ts";

const column = z.string().nullable();
const words = z.array(z.string()).readonly();

const proposal = z.strictObject({
  reference: column.describe("The column of our order id."),
  provider_reference: column,
  amount: column,
  status: column,
  success: words,
  failed: words,
  pending: words,
});

/** Which column has which meaning, and what the words of the status column mean. */
const mapping = proposal.extend({ amount: z.string(), status: z.string() });

const sums = z.strictObject({
  count: z.int(),
  there: moneyText.describe("The sum in the provider's file."),
  here: moneyText.describe("The sum of our orders."),
});

/** The reconciliation of a provider's daily file with our orders. */
export const reconciliationOutput = z
  .strictObject({
    reconciliation_id: z.string(),
    provider: z.string(),
    day: z.string().describe("YYYY-MM-DD in India."),
    name: z.string().describe("The file's name."),
    bytes: z.int(),
    rows: z.int(),
    state: z.enum(RECONCILIATION_STATES).describe("uploaded, or the state of the latest run."),
    job_id: z.string().nullable(),
    counts: z
      .strictObject({
        matched: sums,
        differing: sums,
        missing_here: sums,
        missing_there: sums,
        archived: sums.describe("Lines whose order has left the database with its month."),
        duplicate: sums,
        unclear: sums,
      })
      .nullable()
      .describe("Null before the first finished run."),
    open: z.int().describe("Differences that are not resolved."),
    mapping: mapping.nullable(),
    same_as: z.string().nullable().describe("An earlier reconciliation of an identical file."),
    created_by: z.string(),
    created_at: timeText,
    finished_at: timeText.nullable(),
  })
  .meta({ id: "Reconciliation" });

/** A reconciliation with its job and the orders that it could settle. */
export const reconciliationDetailOutput = reconciliationOutput
  .extend({
    job: jobFieldsOutput.nullable(),
    to_settle: z.strictObject({ count: z.int(), amount: moneyText }),
  })
  .meta({ id: "ReconciliationDetail" });

/** The file's first rows and a proposed mapping of its columns. */
export const reconciliationPreviewOutput = z
  .strictObject({
    reconciliation_id: z.string(),
    columns: z
      .array(
        z.strictObject({
          name: z.string(),
          words: words.nullable().describe("All different values; null if there are too many for a status column."),
        }),
      )
      .readonly(),
    examples: z.array(z.strictObject({ line: z.int(), cells: z.array(z.string()).readonly() })).readonly(),
    delimiter: z.string(),
    rows: z.int(),
    proposal,
    known: z.boolean().describe("Whether an earlier file of this provider has a mapping."),
  })
  .meta({ id: "ReconciliationPreview" });

const orderState = z.enum(["pending", "SUCCESS", "FAILED"]);

/** A line of the file, or an order that is missing in the file. */
export const reconciliationItemOutput = z
  .strictObject({
    item: z.int(),
    line: z.int().nullable().describe("The line's number; null for an order that is missing in the file."),
    outcome: z.enum(OUTCOMES),
    why: z.string().nullable(),
    reference: z.string().nullable(),
    provider_reference: z.string().nullable(),
    amount: moneyText.nullable().describe("In the file."),
    status: orderState.nullable().describe("In the file."),
    account_id: z.string().nullable(),
    order_id: z.string().nullable(),
    here_amount: moneyText.nullable(),
    here_status: orderState.nullable(),
    taken_back: z.boolean(),
    can_settle: z.boolean().describe("Whether the order is pending here and final in the file."),
    resolved_at: timeText.nullable(),
    resolved_by: z.string().nullable(),
    note: z.string().nullable(),
    settled_at: timeText.nullable(),
  })
  .meta({ id: "ReconciliationItem" });

/** An item with its line of the file and the current state of our order. */
export const reconciliationItemDetailOutput = reconciliationItemOutput
  .extend({
    line_cells: z
      .array(z.strictObject({ column: z.string(), value: z.string() }))
      .readonly()
      .nullable()
      .describe("Null if the file has no such line."),
    account_name: z.string().nullable(),
    here: orderHistoryOutput.nullable(),
  })
  .meta({ id: "ReconciliationItemDetail" });

export const deletedOutput = z.strictObject({ deleted: z.literal(true) });

export const resolvedOutput = z.strictObject({ resolved: z.int().describe("The number of items that were resolved.") });
