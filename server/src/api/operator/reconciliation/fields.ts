import { z } from "zod";
import { mapping } from "../../../domain/reconciliation/file/mapping.ts";
import { OUTCOMES, RECONCILIATION_STATES } from "../../../domain/reconciliation/reconciliation.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { numberListQuery, timeListQuery } from "../../sites/lists.ts";
import { id } from "../fields.ts";

const provider = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "Must be the name of a provider.");
const number = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number);
const note = z.string().trim().min(1, "Describe the result of the investigation.").max(500);
const reason = z.string().trim().min(1, "Say why.").max(500);
const search = z.string().trim().min(1).max(64).optional();

/** A file name, which appears in the audit log and in download names. */
const fileName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: excludes control characters
  .regex(/^[^\u0000-\u001f\u007f/\\]+$/, "Must be the name of a file, without folders.");

const day = z.string().refine((text) => indiaMidnight(text) !== null, "Must be a day YYYY-MM-DD.");
export const FUTURE_DAY = "Must not be in the future.";

export function isFutureDay(text: string, now: number): boolean {
  return text > indiaDate(now);
}

export const uploadQuery = z.object({ provider, day, name: fileName });

export const reconciliationParams = z.object({ reconciliation_id: id });
export const itemParams = z.object({ reconciliation_id: id, item: number });
export const reconciliationsQuery = timeListQuery.extend({
  provider: provider.optional(),
  state: z.enum(RECONCILIATION_STATES).optional(),
});
const yesOrNo = z
  .enum(["yes", "no"])
  .transform((word) => word === "yes")
  .optional();
export const itemsQuery = numberListQuery.extend({
  outcome: z.enum(OUTCOMES).optional(),
  resolved: yesOrNo,
  can_settle: z.literal("yes").optional(),
  search,
});
export const runBody = mapping;
export const resolveBody = z.strictObject({ note });
export const resolveAllBody = z.strictObject({ outcome: z.enum(OUTCOMES).exclude(["matched"]), note });
export const settleItemBody = z.strictObject({ reason });
export const settleAllBody = z.strictObject({ reason, status: z.enum(["SUCCESS", "FAILED"]).optional(), search });
export const exportBody = z.strictObject({ outcome: z.enum(OUTCOMES).optional() });
