import { z } from "zod";
import { anyObject, timeText } from "../../sites/output-fields.ts";

/** An entry of the audit trail. */
export const auditEntryOutput = z
  .strictObject({
    seq: z.int(),
    at: timeText,
    actor: z.string(),
    action: z.string(),
    subject_kind: z.string(),
    subject_id: z.string(),
    details: anyObject.describe("What was changed and why; its fields depend on the action."),
    hash: z.string().describe("Hash of this entry and of the one before it, in hexadecimal digits."),
  })
  .meta({ id: "AuditEntry" });

/** Whether the audit trail is consistent. */
export const auditCheckOutput = z
  .strictObject({
    ok: z.boolean(),
    entries: z.string().nullable().describe("The number of entries, if all are consistent."),
    broken_at: z.string().nullable().describe("The number of the first entry that was changed or is missing."),
    why: z.string().nullable(),
  })
  .meta({ id: "AuditCheck" });
