import { z } from "zod";
import { type AuditRow, listAudit } from "../../../domain/audit/list.ts";
import { verifyAudit } from "../../../domain/audit/verify.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { anyObject, pageOf, timeText } from "../../sites/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { firstMoment, lastMoment } from "../fields.ts";

/** An entry of the audit trail. */
const auditEntryOutput = z
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
const auditCheckOutput = z
  .strictObject({
    ok: z.boolean(),
    entries: z.string().nullable().describe("The number of entries, if all are consistent."),
    broken_at: z.string().nullable().describe("The number of the first entry that was changed or is missing."),
    why: z.string().nullable(),
  })
  .meta({ id: "AuditCheck" });

const word = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be a kind or an id.")
  .optional();
const auditQuery = numberListQuery.extend({
  subject_kind: word,
  subject_id: word,
  actor: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{1,80}$/, "Must be an actor, such as staff:U….")
    .optional(),
  action: z
    .string()
    .regex(/^[a-z0-9_.]{1,64}$/, "Must be an action or the start of one, such as account.changed.")
    .optional(),
  from: firstMoment.optional(),
  to: lastMoment.optional(),
});

const browseAudit = action({
  path: "GET /audit",
  summary: "Lists the audit trail, newest first.",
  roles: EVERYBODY,
  query: auditQuery,
  output: pageOf(auditEntryOutput),
  handler: async ({ deps, query: { limit, after, subject_kind: kind, subject_id: id, ...others } }) => {
    const rows = await listAudit(deps.sql, { before: after ?? null, limit: limit + 1, subject: { kind, id }, ...others });
    return toPage(rows, limit, auditView, (entry) => writeNumberCursor(entry.seq));
  },
});

const checkAudit = action({
  path: "POST /audit/verify",
  summary: "Checks that no entry of the audit trail was changed or removed.",
  roles: EVERYBODY,
  body: z.strictObject({}),
  output: auditCheckOutput,
  handler: async ({ deps }) => {
    const found = await verifyAudit(deps.sql);
    if (found.ok) return { ok: true, entries: found.count.toString(), broken_at: null, why: null };
    return { ok: false, entries: null, broken_at: found.seq.toString(), why: found.why };
  },
});

function auditView(entry: AuditRow): z.output<typeof auditEntryOutput> {
  return {
    seq: Number(entry.seq),
    at: indiaDateTime(entry.at.getTime()),
    actor: entry.actor,
    action: entry.action,
    subject_kind: entry.subject_kind,
    subject_id: entry.subject_id,
    details: JSON.parse(entry.details) as JsonObject,
    hash: entry.hash.toString("hex"),
  };
}

/** The audit trail. */
export const auditActions: readonly Action[] = [browseAudit, checkAudit];
