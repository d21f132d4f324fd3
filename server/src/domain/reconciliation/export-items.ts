import { z } from "zod";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { csvLines } from "../jobs/csv.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { type Item, listItems, sumItems } from "./item.ts";
import { OUTCOMES } from "./reconciliation.ts";
import { findReconciliation } from "./store.ts";

export const EXPORT_KIND = "reconcile_export";

export const exportInput = z.object({ reconciliation_id: z.string(), outcome: z.enum(OUTCOMES).nullable() });
const exportPlace = z.object({ after: z.number(), rows: z.number(), parts: z.number(), total: z.number() });

const COLUMNS = [
  ...["line", "outcome", "why", "reference", "provider_reference", "amount_there", "status_there", "order_id", "account_id"],
  ...["amount_here", "status_here", "taken_back", "resolved_at", "resolved_by", "note", "settled_at"],
];
const ITEMS_A_STEP = 5_000;

/** Writes the results of a run as CSV, in the order of the file. */
export async function exportItems(ctx: JobContext, job: Job, control: JobControl): Promise<JsonObject> {
  const { reconciliation_id: id, outcome } = exportInput.parse(job.input);
  const reconciliation = await findReconciliation(ctx.sql, id);
  if (!reconciliation) return { rows: 0, message: "The reconciliation was deleted in the meantime." };
  const filter = outcome === null ? {} : { outcome };
  let place =
    job.place === null ? { after: 0, rows: 0, parts: 0, total: (await sumItems(ctx.sql, id, filter)).count } : exportPlace.parse(job.place);
  for (let more = true; more && !control.stopped(); ) {
    const items = await listItems(ctx.sql, id, { ...filter, after: place.after, limit: ITEMS_A_STEP });
    const content = csvLines([...(place.parts === 0 ? [COLUMNS] : []), ...items.map(cells)]);
    const part = { number: place.parts, content };
    place = { ...place, after: items.at(-1)?.item ?? place.after, rows: place.rows + items.length, parts: place.parts + 1 };
    await control.save({ done: place.rows, total: Math.max(place.total, place.rows), place, part });
    more = items.length === ITEMS_A_STEP;
  }
  const which = outcome === null ? "" : `-${outcome.replaceAll("_", "-")}`;
  return { rows: place.rows, file: `reconciliation-${reconciliation.provider}-${reconciliation.day}${which}.csv` };
}

function cells(item: Item): readonly string[] {
  return [
    ...[item.lineText === null ? "" : String(item.item), item.outcome, item.why ?? "", item.reference ?? "", item.providerReference ?? ""],
    ...[amount(item.amount), item.status ?? "", item.orderId ?? "", item.accountId ?? ""],
    ...[amount(item.hereAmount), item.hereStatus ?? "", item.takenBack ? "yes" : ""],
    ...[time(item.resolvedAt), item.resolvedBy ?? "", item.note ?? "", time(item.settledAt)],
  ];
}

function amount(money: Money | null): string {
  return money === null ? "" : formatMoney(money);
}

function time(at: Date | null): string {
  return at === null ? "" : indiaDateTime(at.getTime());
}
