import { z } from "zod";
import type { ArchivedMonth } from "../../domain/ledger/archived-months.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { RefusalOf } from "./actions/refusal.ts";
import { timeText } from "./outputs/output-fields.ts";

/** A month whose orders and ledger entries are in the archive and no longer in the database. */
export const archivedMonthOutput = z
  .strictObject({
    month: z.string().meta({ description: "YYYY-MM. Its balances and monthly sums are kept.", example: "2026-03" }),
    archived_at: timeText,
  })
  .meta({ id: "ArchivedMonth" });

export function archivedMonthView({ month, archivedAt }: ArchivedMonth): z.output<typeof archivedMonthOutput> {
  return { month, archived_at: indiaDateTime(archivedAt.getTime()) };
}

/** The refusal of a file whose lines are in the archive, with the command that finds them there. */
export function archivedFile(accountId: string, month: string): RefusalOf<"not_found"> {
  const command = `corprail archive find FOLDER --account ${accountId} --month ${month}`;
  return new RefusalOf(
    "not_found",
    `The entries of ${month} are archived; the monthly statement still has their sums. Ask an administrator for them: ${command}`,
  );
}
