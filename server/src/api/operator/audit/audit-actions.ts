import { z } from "zod";
import { type AuditRow, listAudit, readAuditHead } from "../../../domain/audit/list.ts";
import { verifyAudit } from "../../../domain/audit/verify.ts";
import { cellName } from "../../../domain/cells/cell.ts";
import { cellOfId } from "../../../platform/core/ids.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { mergeChains, type Places, placesField } from "../../sites/chain-pages.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { anyObject, pageOf, timeText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { firstMoment, lastMoment } from "../fields.ts";

/** An entry of the audit log. */
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
    cell: z.int().optional().describe("With several cells: the cell whose chain has the entry. `seq` counts in it. 0 is home."),
  })
  .meta({ id: "AuditEntry" });

/** Whether the audit log is consistent. */
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
  after: placesField.optional(),
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

const NO_PLACES: Places = new Map();

const browseAudit = action({
  path: "GET /audit",
  summary: "Lists the audit log, newest first.",
  roles: EVERYBODY,
  query: auditQuery,
  output: pageOf(auditEntryOutput),
  cells: { kind: "list", merge: mergeAudit },
  handler: async ({ deps, query: { limit, after = NO_PLACES, subject_kind: kind, subject_id: id, ...others } }) => {
    const cell = cellOfId(deps.ids.order(0));
    const rows = await listAudit(deps.sql, { before: after.get(cell) ?? null, limit: limit + 1, subject: { kind, id }, ...others });
    const page = toPage(rows, limit, auditView, (entry) => writeNumberCursor(entry.seq));
    chainsOfPages.set(page, { cell, rows });
    return page;
  },
});

/** The entries that a cell's page was made from. Chains are merged by them, because each counts for itself. */
const chainsOfPages = new WeakMap<object, { readonly cell: number; readonly rows: readonly AuditRow[] }>();

function mergeAudit(pages: readonly object[], { limit, after = NO_PLACES }: z.output<typeof auditQuery>) {
  const chains = pages.flatMap((page) => chainsOfPages.get(page) ?? []);
  const { shown, next } = mergeChains(chains, limit, after);
  return { ok: true as const, items: shown.map(({ row, cell }) => ({ ...auditView(row), cell })), next };
}

const auditChainsOutput = z.strictObject({
  ok: z.literal(true),
  items: z
    .array(
      z.strictObject({
        cell: z.int().describe("0 is home. `GET /audit/export?cell=` exports the chain."),
        name: z.string(),
        entries: z.int().describe("The number of the newest entry."),
      }),
    )
    .readonly(),
});

const listChains = action({
  path: "GET /audit/chains",
  summary: "Lists the chains of the audit log: one, or with several cells one for each cell.",
  roles: EVERYBODY,
  output: auditChainsOutput,
  cells: {
    kind: "list",
    merge: (all: readonly z.output<typeof auditChainsOutput>[]) => ({ ok: true, items: all.flatMap(({ items }) => items) }),
  },
  handler: async ({ deps }) => {
    const cell = cellOfId(deps.ids.order(0));
    return { ok: true as const, items: [{ cell, name: cellName(cell), entries: Number(await readAuditHead(deps.sql)) }] };
  },
});

const checkAudit = action({
  path: "POST /audit/verify",
  summary: "Checks that no entry of the audit log was changed or removed.",
  roles: EVERYBODY,
  body: z.strictObject({}),
  output: auditCheckOutput,
  cells: { kind: "sum", merge: mergeChecks },
  handler: async ({ deps }) => {
    const found = await verifyAudit(deps.sql);
    if (found.ok) return { ok: true, entries: found.count.toString(), broken_at: null, why: null };
    return { ok: false, entries: null, broken_at: found.seq.toString(), why: found.why };
  },
});

/** Every cell has a chain. The first broken one is shown. */
function mergeChecks(checks: readonly z.output<typeof auditCheckOutput>[]): z.output<typeof auditCheckOutput> {
  const broken = checks.findIndex(({ ok }) => !ok);
  const found = checks[broken];
  if (found) return { ...found, why: `In chain ${broken + 1} of ${checks.length} (home is the first): ${found.why ?? ""}` };
  const entries = checks.reduce((sum, one) => sum + BigInt(one.entries ?? 0), 0n);
  return { ok: true, entries: entries.toString(), broken_at: null, why: null };
}

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

/** The audit log. */
export const auditActions: readonly Action[] = [browseAudit, listChains, checkAudit];
