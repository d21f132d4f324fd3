import { z } from "zod";
import { HOME_CELL, orderIdAt } from "../../platform/core/ids.ts";
import { indiaMidnight } from "../../platform/core/india-time.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import type { Job } from "../jobs/job.ts";
import { cellsOfJob, type JobContext, type JobControl } from "../jobs/kind.ts";
import { readCsv } from "./file/csv-reader.ts";
import { type Row, rowReader } from "./file/read-row.ts";
import { type ArchivedOrder, findArchivedOrders, unsearchedWords } from "./find-archived.ts";
import {
  countDay,
  countMoves,
  type Day,
  type FoundOrder,
  findByMadeReference,
  findByOperatorRef,
  findByProviderRef,
  findOrders,
  type Referenced,
  scanDay,
} from "./find-orders.ts";
import {
  addMissingThere,
  clearItems,
  endRun,
  listNamedOrders,
  listReferences,
  loadItems,
  markDuplicates,
  matchItems,
  type ReferenceLine,
  refuseContradicted,
  setReferenced,
  sumOutcomes,
} from "./match-items.ts";
import { OUTCOMES, type Reconciliation } from "./reconciliation.ts";
import { findReconciliation, readFileParts } from "./store.ts";

export const runInput = z.object({ reconciliation_id: z.string() });

/** A run's saved position: the last loaded or matched line, and the last order scanned for missing ones, cell by cell. */
const runPlace = z.object({
  phase: z.enum(["load", "reference", "match", "there"]),
  line: z.number(),
  /** The cell's number. Its position could differ in another process. */
  cell: z.number().default(HOME_CELL),
  after: z.string(),
  missing: z.number(),
  /** How many accounts had been moved between cells when the scan for missing orders began. */
  moves: z.number().nullable().default(null),
  /** The number of orders of the day. */
  orders: z.number(),
});
type Place = z.infer<typeof runPlace>;

type Run = {
  readonly ctx: JobContext;
  readonly control: JobControl;
  readonly reconciliation: Reconciliation;
  readonly day: Day;
  done: number;
  place: Place;
};

const LOADED_AT_ONCE = 2_000;
// Each step reads the orders of three days in every cell.
const REFERENCED_AT_ONCE = 100_000;
const MATCHED_AT_ONCE = 2_000;
const SCANNED_AT_ONCE = 5_000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Loads a provider's file, compares each line with our orders, and finds orders of the day that the file lacks. */
export async function runReconciliation(ctx: JobContext, job: Job, control: JobControl): Promise<JsonObject> {
  const { reconciliation_id: id } = runInput.parse(job.input);
  const reconciliation = await findReconciliation(ctx.sql, id);
  if (!reconciliation?.mapping) throw new Error(`There is no reconciliation ${id} to run.`);
  const day = dayOf(reconciliation, 0, 1);
  const place = job.place === null ? null : runPlace.parse(job.place);
  const run: Run = { ctx, control, reconciliation, day, done: place ? job.done : 0, place: place ?? (await begin(ctx, day)) };
  if (!place) await step(run, {}, (tx) => clearItems(tx, id));
  if (run.place.phase === "load") await load(run);
  if (run.place.phase === "reference") await findByReference(run);
  if (run.place.phase === "match") await match(run);
  if (run.place.phase === "there") await addMissingOrders(run);
  return control.stopped() ? {} : await end(run);
}

async function begin(ctx: JobContext, day: Day): Promise<Place> {
  const counts = await Promise.all(cellsOfJob(ctx).map(({ sql }) => countDay(sql, day)));
  return { phase: "load", line: 0, cell: HOME_CELL, after: "", missing: 0, moves: null, orders: counts.reduce((sum, one) => sum + one, 0) };
}

/** Includes the days before and after, because an order may be in a neighbouring day's file. */
function dayOf({ day, provider }: Reconciliation, first: number, end: number): Day {
  const midnight = indiaMidnight(day) ?? 0;
  return {
    provider,
    firstId: orderIdAt(midnight + first * DAY_MILLISECONDS),
    endId: orderIdAt(midnight + end * DAY_MILLISECONDS),
  };
}

/** Commits a range together with the new position. */
async function step(run: Run, place: Partial<Place>, write: (tx: Transaction) => Promise<JsonObject | null>): Promise<void> {
  run.place = { ...run.place, ...place };
  const total = run.reconciliation.shape.rows * 2 + run.place.orders;
  await run.control.save({ done: Math.min(run.done, total), total, place: run.place, write });
}

async function load(run: Run): Promise<void> {
  const { reconciliationId: id } = run.reconciliation;
  for await (const rows of unloaded(run)) {
    if (run.control.stopped()) return;
    run.done += rows.length;
    await step(run, { line: rows.at(-1)?.item ?? run.place.line }, async (tx) => {
      await loadItems(tx, id, rows);
      return null;
    });
  }
  if (run.control.stopped()) return;
  await step(run, { phase: "reference", line: 0 }, async (tx) => {
    await markDuplicates(tx, id);
    return null;
  });
}

/** Finds the orders of lines that name another reference than our order id. */
async function findByReference(run: Run): Promise<void> {
  const { reconciliationId: id } = run.reconciliation;
  while (run.place.phase === "reference" && !run.control.stopped()) {
    const lines = await listReferences(run.ctx.sql, id, run.place.line, REFERENCED_AT_ONCE);
    const matched = await findReferenced(run, lines);
    const isLast = lines.length < REFERENCED_AT_ONCE;
    await step(run, isLast ? { line: 0, phase: "match" } : { line: lines.at(-1)?.item ?? 0 }, async (tx) => {
      await setReferenced(tx, id, matched);
      return null;
    });
  }
}

/** A line's reference of ours may be the one that was made for the provider; our order id needs no search. */
async function findReferenced(run: Run, lines: readonly ReferenceLine[]): Promise<readonly (Referenced & { item: number })[]> {
  const ours = lines.flatMap(({ reference }) => reference ?? []);
  const theirs = lines.flatMap(({ reference, providerReference }) => (reference === null ? (providerReference ?? []) : []));
  const byOurs = addReferenced(await findIn(run, ours, [findByMadeReference]));
  const byTheirs = addReferenced(await findIn(run, theirs, [findByOperatorRef, findByProviderRef, findByMadeReference]));
  return lines.flatMap(({ item, reference, providerReference }) => {
    const order = reference === null ? byTheirs.get(providerReference ?? "") : byOurs.get(reference);
    return order ? [{ ...order, item }] : [];
  });
}

type Find = (sql: Sql, around: Day, references: readonly string[]) => Promise<readonly Referenced[]>;

/** What every cell finds, among orders around the file's day. */
async function findIn(run: Run, references: readonly string[], finds: readonly Find[]): Promise<readonly Referenced[]> {
  if (references.length === 0) return [];
  const around = dayOf(run.reconciliation, -1, 2);
  const found: (readonly Referenced[])[] = [];
  for (const find of finds) found.push(await inCells(run, (sql) => find(sql, around, references)));
  return found.flat();
}

/** Orders of two cells, or two kinds of references, may be the same text. An account that is being moved has its orders in both cells. */
function addReferenced(found: readonly Referenced[]): ReadonlyMap<string, Referenced> {
  const orders = new Map<string, Referenced>();
  for (const one of found) {
    const other = orders.get(one.reference);
    if (other === undefined) orders.set(one.reference, one);
    else if (other.orderId !== one.orderId) orders.set(one.reference, { ...other, count: other.count + one.count });
    else orders.set(one.reference, { ...other, count: Math.max(other.count, one.count) });
  }
  return orders;
}

/** What every cell has. */
async function inCells<Found>({ ctx }: Run, read: (sql: Sql) => Promise<readonly Found[]>): Promise<readonly Found[]> {
  return (await Promise.all(cellsOfJob(ctx).map(({ sql }) => read(sql)))).flat();
}

/** Yields the rows after the last loaded line in batches. */
async function* unloaded({ ctx, reconciliation, place }: Run): AsyncGenerator<readonly Row[]> {
  if (!reconciliation.mapping) return;
  const names = reconciliation.shape.columns.map((column) => column.name);
  const read = rowReader(reconciliation.mapping, names);
  let rows: Row[] = [];
  let hasHeader = false;
  for await (const records of readCsv(readFileParts(ctx.sql, reconciliation.reconciliationId))) {
    const data = hasHeader ? records : records.slice(1);
    hasHeader ||= records.length > 0;
    rows.push(...data.filter((record) => record.line > place.line).map(read));
    for (; rows.length >= LOADED_AT_ONCE; rows = rows.slice(LOADED_AT_ONCE)) yield rows.slice(0, LOADED_AT_ONCE);
  }
  if (rows.length > 0) yield rows;
}

async function match(run: Run): Promise<void> {
  const { reconciliationId: id, provider, shape } = run.reconciliation;
  const around = dayOf(run.reconciliation, -1, 2);
  const [unsearched = null] = (await inCells(run, async (sql) => [await unsearchedWords(sql, around)])).filter((words) => words !== null);
  while (run.place.phase === "match" && !run.control.stopped()) {
    const range = { from: run.place.line, to: run.place.line + MATCHED_AT_ONCE };
    const isLast = range.to > shape.lastLine;
    run.done = shape.rows + Math.min(range.to, shape.rows);
    const named = await listNamedOrders(run.ctx.sql, id, range);
    const orders = byOrderId<FoundOrder>(await inCells(run, (sql) => findOrders(sql, provider, named)));
    // Afterwards, so that a month that leaves in between is found by one of the two.
    const unfound = named.filter((orderId) => !orders.has(orderId));
    const archived = byOrderId<ArchivedOrder>(await inCells(run, (sql) => findArchivedOrders(sql, unfound)));
    await step(run, { line: range.to, phase: isLast ? "there" : "match" }, async (tx) => {
      await matchItems(tx, id, range, { orders: [...orders.values()], archived: [...archived.values()], unsearched });
      if (isLast) await refuseContradicted(tx, id);
      return null;
    });
  }
}

/** An account that is being moved has its orders in two cells. */
function byOrderId<One extends { readonly orderId: string }>(found: readonly One[]): ReadonlyMap<string, One> {
  return new Map(found.map((one) => [one.orderId, one]));
}

/**
 * Scans one cell after the other. An account that moves meanwhile can be in neither cell when it is scanned, so that all cells are
 * scanned again.
 */
async function addMissingOrders(run: Run): Promise<void> {
  const { reconciliationId: id, shape } = run.reconciliation;
  while (!run.control.stopped()) {
    const moves = await countMoves(run.ctx.sql);
    run.place.moves ??= moves;
    const { missing } = run.place;
    const current = cellsOfJob(run.ctx).find(({ cell }) => cell >= run.place.cell);
    if (!current && moves === run.place.moves) return;
    if (!current) {
      await step(run, { cell: HOME_CELL, after: "", moves }, async () => null);
      continue;
    }
    const { cell } = current;
    const after = cell === run.place.cell ? run.place.after : "";
    const { scanned, orders, last } = await scanDay(current.sql, { day: run.day, after, limit: SCANNED_AT_ONCE });
    run.done += scanned;
    const next = scanned === SCANNED_AT_ONCE ? { cell, after: last ?? after } : { cell: cell + 1, after: "" };
    await step(run, next, async (tx) => {
      const added = await addMissingThere(tx, id, shape.lastLine + 1 + missing, orders);
      run.place = { ...run.place, missing: missing + added };
      return run.place;
    });
  }
}

async function end(run: Run): Promise<JsonObject> {
  const { reconciliationId: id, shape } = run.reconciliation;
  const result: Record<string, JsonValue> = { reconciliation_id: id, rows: shape.rows };
  await step(run, {}, async (tx) => {
    const counts = await sumOutcomes(tx, id);
    for (const outcome of OUTCOMES) result[outcome] = counts[outcome].count;
    await endRun(tx, id, counts, new Date(run.ctx.clock.now()));
    return null;
  });
  return result;
}
