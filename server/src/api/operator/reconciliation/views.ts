import type { z } from "zod";
import { splitRecord } from "../../../domain/reconciliation/file/csv-reader.ts";
import type { Mapping } from "../../../domain/reconciliation/file/mapping.ts";
import { proposeMapping } from "../../../domain/reconciliation/file/propose-mapping.ts";
import type { Item } from "../../../domain/reconciliation/item.ts";
import type { Counts, Reconciliation, Sums } from "../../../domain/reconciliation/reconciliation.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type {
  reconciliationItemDetailOutput,
  reconciliationItemOutput,
  reconciliationOutput,
  reconciliationPreviewOutput,
} from "./outputs.ts";

type ReconciliationFields = z.output<typeof reconciliationOutput>;

// JSON representations of reconciliations.

export function reconciliationView(one: Reconciliation): ReconciliationFields {
  return {
    reconciliation_id: one.reconciliationId,
    provider: one.provider,
    day: one.day,
    name: one.name,
    bytes: one.bytes,
    rows: one.shape.rows,
    state: one.state,
    job_id: one.jobId,
    counts: one.counts && countsView(one.counts),
    open: one.open,
    mapping: one.mapping,
    same_as: one.sameAs,
    created_by: one.createdBy,
    created_at: indiaDateTime(one.createdAt),
    finished_at: one.finishedAt === null ? null : indiaDateTime(one.finishedAt),
  };
}

function countsView(counts: Counts): ReconciliationFields["counts"] {
  return {
    matched: sumsView(counts.matched),
    differing: sumsView(counts.differing),
    missing_here: sumsView(counts.missing_here),
    missing_there: sumsView(counts.missing_there),
    archived: sumsView(counts.archived),
    duplicate: sumsView(counts.duplicate),
    unclear: sumsView(counts.unclear),
  };
}

function sumsView({ count, there, here }: Sums) {
  return { count, there: money(there), here: money(here) };
}

function money(units: string): string {
  return formatMoney(BigInt(units));
}

/** The file's first rows and suggested column mappings. */
export function previewView(one: Reconciliation, last: Mapping | null): z.output<typeof reconciliationPreviewOutput> {
  const { columns, examples, delimiter, rows } = one.shape;
  return {
    reconciliation_id: one.reconciliationId,
    columns,
    examples,
    delimiter,
    rows,
    proposal: one.mapping ?? proposeMapping(one.shape, last),
    known: last !== null,
  };
}

export function itemView(item: Item): z.output<typeof reconciliationItemOutput> {
  return {
    item: item.item,
    line: item.lineText === null ? null : item.item,
    outcome: item.outcome,
    why: item.why,
    reference: item.reference,
    provider_reference: item.providerReference,
    amount: item.amount === null ? null : formatMoney(item.amount),
    status: item.status,
    account_id: item.accountId,
    order_id: item.orderId,
    here_amount: item.hereAmount === null ? null : formatMoney(item.hereAmount),
    here_status: item.hereStatus,
    taken_back: item.takenBack,
    can_settle: item.canSettle,
    resolved_at: time(item.resolvedAt),
    resolved_by: item.resolvedBy,
    note: item.note,
    settled_at: time(item.settledAt),
  };
}

/** The line by column; null if the file has no such line. */
export function lineView(
  { shape }: Reconciliation,
  { item, lineText }: Item,
): z.output<typeof reconciliationItemDetailOutput>["line_cells"] {
  if (lineText === null) return null;
  const cells = splitRecord(lineText, shape.delimiter, item);
  return shape.columns.map(({ name }, place) => ({ column: name, value: cells[place] ?? "" }));
}

function time(at: Date | null): string | null {
  return at && indiaDateTime(at.getTime());
}
