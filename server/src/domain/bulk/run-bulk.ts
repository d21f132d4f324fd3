import { z } from "zod";
import { HOME_CELL } from "../../platform/core/ids.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { csvLines } from "../jobs/csv.ts";
import type { Job } from "../jobs/job.ts";
import type { CellOfJob, JobContext, JobControl } from "../jobs/kind.ts";
import { type BulkInput, bulkInput } from "./bulk-job.ts";
import type { BulkItem } from "./selection.ts";
import { countItems, type ItemCounts, listItems } from "./store.ts";

/** With several cells, `reachedCells` are those that have answered since the start, each with what the job uses of it. */
export type BulkContext<Cell> = JobContext & Cell & { readonly reachedCells?: () => readonly (CellOfJob & Cell)[] };

type CellContext<Cell> = JobContext & Cell & { readonly cell: number };

/** Carries out items of one cell, whose database is `sql`. An item that cannot be carried out now may be left waiting. */
type RunItems<Cell> = (ctx: CellContext<Cell>, items: readonly BulkItem[], input: BulkInput) => Promise<void>;

type Run<Cell> = { readonly step: number; readonly job: Job; readonly control: JobControl; readonly run: RunItems<Cell> };

const writtenFile = z.object({ file: z.literal(true) });

/**
 * Carries out the waiting items of all cells in steps, then writes the results as CSV. An item and its result are in one
 * database, so a job that continues finds what is still waiting. A cell that does not answer keeps its items waiting.
 */
export async function runBulk<Cell>(ctx: BulkContext<Cell>, bulk: Run<Cell>): Promise<JsonObject> {
  const { job, control } = bulk;
  const input = bulkInput.parse(job.input);
  const cells = cellsOf(ctx);
  let ended = 0;
  for (const cell of cells) {
    const counts = await whileAnswering(cell, () => runCell(cell, bulk, input, ended));
    ended += (counts?.done ?? 0) + (counts?.skipped ?? 0);
  }
  const all = await Promise.all(cells.map((cell) => whileAnswering(cell, () => countItems(cell.sql, input.selection_id))));
  const sum = (name: "done" | "skipped") => all.reduce((total, counts) => total + (counts?.[name] ?? 0), 0);
  const [done, skipped] = [sum("done"), sum("skipped")];
  if (!control.stopped() && !writtenFile.safeParse(job.place).success) {
    const part = { number: 0, content: await resultFile(cells, input.selection_id) };
    await control.save({ done: done + skipped, total: input.count, place: { file: true }, part });
  }
  const waiting = input.count - done - skipped;
  return {
    ...{ selection_id: input.selection_id, done, skipped, waiting },
    message: messageOf(done, skipped, waiting),
    file: `${job.kind.replace("_", "-")}-${job.jobId}.csv`,
  };
}

function cellsOf<Cell>(ctx: BulkContext<Cell>): readonly CellContext<Cell>[] {
  return ctx.reachedCells?.().map((cell) => ({ ...ctx, ...cell })) ?? [{ ...ctx, cell: HOME_CELL }];
}

/** Null if the cell does not answer. Home also holds the job, so without home the job itself is continued later. */
async function whileAnswering<Result>(ctx: CellContext<unknown>, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (ctx.cell === HOME_CELL || databaseTrouble(error) === null) throw error;
    ctx.log.warn({ err: error, cell: ctx.cell }, "a cell does not answer; the items of a bulk action wait there");
    return null;
  }
}

async function runCell<Cell>(ctx: CellContext<Cell>, bulk: Run<Cell>, input: BulkInput, endedBefore: number): Promise<ItemCounts> {
  const { step, control, run } = bulk;
  // Each item is tried once: one that is left waiting does not hold up those after it.
  for (let after = 0; ; ) {
    const items = await listItems(ctx.sql, input.selection_id, { state: "waiting", after, limit: step });
    const counts = await countItems(ctx.sql, input.selection_id);
    await control.progress(endedBefore + counts.done + counts.skipped, input.count);
    if (items.length === 0 || control.stopped()) return counts;
    await run(ctx, items, input);
    after = items.at(-1)?.place ?? after;
  }
}

function messageOf(done: number, skipped: number, waiting: number): string {
  const were = (count: number) => (count === 1 ? "was" : "were");
  const first = done === 1 ? "1 item was carried out." : `${done} items were carried out.`;
  const second = skipped === 0 ? "" : ` ${skipped} ${were(skipped)} skipped.`;
  if (waiting === 0) return `${first}${second}`;
  const third = ` ${waiting} ${were(waiting)} left waiting, because a cell does not answer or an account is being moved.`;
  return `${first}${second}${third} Preview the action again later for ${waiting === 1 ? "it" : "them"}.`;
}

const FILE_ITEMS = 1_000;

async function resultFile(cells: readonly CellContext<unknown>[], selectionId: string): Promise<string> {
  const all: BulkItem[] = [];
  for (const cell of cells) all.push(...((await whileAnswering(cell, () => listAllItems(cell, selectionId))) ?? []));
  const sorted = all.toSorted((one, other) => one.place - other.place);
  const lines = sorted.map((one) => [one.itemId, one.accountId, formatMoney(one.amount), one.state, one.detail]);
  return csvLines([["id", "account_id", "amount", "result", "detail"], ...lines]);
}

async function listAllItems({ sql }: CellContext<unknown>, selectionId: string): Promise<readonly BulkItem[]> {
  const found: BulkItem[] = [];
  for (let after = 0; ; ) {
    const items = await listItems(sql, selectionId, { state: null, after, limit: FILE_ITEMS });
    found.push(...items);
    after = items.at(-1)?.place ?? after;
    if (items.length < FILE_ITEMS) return found;
  }
}
