import { existsSync } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { cellName } from "@corprail/server/domain/cells/cell";
import { beginOfKeptMonths } from "@corprail/server/domain/ledger/archived-months";
import { sumAllTransfers } from "@corprail/server/domain/ledger/month-sums";
import type { Sql } from "@corprail/server/platform/db/connection";
import { withArchiveLock } from "@corprail/server/platform/db/partitions/frozen-months";
import { makeAllWhenFree } from "@corprail/server/platform/db/partitions/make-partitions";
import { type ConnectedCell, withCells } from "../cell/find-cells.ts";
import { withoutMoves } from "../cell/without-moves.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { unlessInterrupted, withInterruption } from "./interruption.ts";
import {
  detachMonth,
  dropDetached,
  freezeMonth,
  halfRestoredMonths,
  type LeavingMonth,
  monthsBefore,
  unfreezeAll,
  unfreezeMonth,
} from "./leave-database.ts";
import { monthFault, writeMonth } from "./make-archive.ts";
import { folderOfCell, manifestPath, readManifest } from "./manifest.ts";
import { sha256Of } from "./parquet.ts";
import { rollUpAll } from "./rolled-up.ts";
import { unfinishedOf } from "./unfinished.ts";
import { chainedFaults, readClosingsOf } from "./verify-archive.ts";

/** Clients complain, and staff reverse orders, for some weeks after an order. */
const LEAST_MONTHS = 3;
const MOST_ROWS = 1_000_000_000;

export const ARCHIVE_BUSY = "Another command moves months to the archive or restores one. Wait until it has ended.";

export type MoveOptions = { readonly keepMonths: string };

/**
 * Moves every month that is older than the policy keeps into files: writes and verifies the archive, and only then detaches and
 * drops the month. An interrupted run is continued by the next one.
 */
export async function moveArchive(ctx: CommandContext, folder: string, { keepMonths }: MoveOptions): Promise<Outcome> {
  const keep = /^[0-9]{1,3}$/.test(keepMonths) ? Number(keepMonths) : 0;
  if (keep < LEAST_MONTHS) throw new UsageFault(`--keep-months must be a number from ${LEAST_MONTHS} on.`);
  return await withCells(ctx, async (cells) => {
    const [home, ...others] = cells;
    const move = () => moveAll(ctx, cells, resolve(folder), keep);
    // An account that moved meanwhile would bring rows of a month that its new cell has archived already.
    return home && others.length > 0 ? await withoutMoves(home.sql, move) : await move();
  });
}

async function moveAll(ctx: CommandContext, cells: readonly ConnectedCell[], folder: string, keep: number): Promise<Outcome> {
  // First in all cells: a month that stays in one of them ends the run, and frozen months would refuse refunds until the next one.
  for (const { sql } of cells) {
    const frozen = await withArchiveLock(sql, () => unfreezeAll(sql));
    if (frozen === null) return failed(ARCHIVE_BUSY);
    if (frozen.length > 0) ctx.note(`${frozen.join(", ")}: allowed to change again, which an interrupted run had not done`);
  }
  const [moved, halfRestored]: [string[], string[]] = [[], []];
  for (const { cell, sql } of cells) {
    const found = await withArchiveLock(sql, () => moveMonths(ctx, sql, folderOfCell(folder, cell), keep));
    if (found === null) return failed(ARCHIVE_BUSY);
    moved.push(...found.moved.filter((month) => !moved.includes(month)));
    halfRestored.push(...found.halfRestored.filter((month) => !halfRestored.includes(month)));
    const where = cells.length === 1 ? "the database" : cellName(cell);
    if (found.kept !== null) return failed(`${found.kept.month} stays in ${where}: ${found.kept.why}`, { moved, month: found.kept.month });
  }
  if (halfRestored.length > 0) return failed(halfRestoredWords(halfRestored, folder), { moved, half_restored: halfRestored });
  const words = moved.length === 0 ? "No month is older." : `Moved to ${folder}: ${moved.join(", ")}.`;
  return done(words, { folder, moved });
}

function halfRestoredWords(months: readonly string[], folder: string): string {
  return (
    `The restore of ${months.join(", ")} is not complete. Run corprail archive restore MONTH ${folder}, ` +
    "and restore the months first that have left since then. The next move archives them again."
  );
}

type MovedMonths = {
  readonly moved: readonly string[];
  readonly kept: { readonly month: string; readonly why: string } | null;
  readonly halfRestored: readonly string[];
};

async function moveMonths(ctx: CommandContext, sql: Sql, folder: string, keep: number): Promise<MovedMonths> {
  for (const month of await dropDetached(sql)) ctx.note(`${month}: dropped, which an earlier run had not finished`);
  const [row] = await sql<{ now: Date }[]>`select now()`;
  const now = row?.now.getTime() ?? Date.now();
  // Rows without a partition of their own would stay behind.
  await makeAllWhenFree(sql, now, MOST_ROWS);
  // Most of the sums are made before a month is frozen, so that it is frozen for a shorter time.
  await sumAllTransfers(sql);
  await rollUpAll(sql, now);
  const halfRestored = await halfRestoredMonths(sql);
  const moved: string[] = [];
  for (const one of await monthsBefore(sql, beginOfKeptMonths(now, keep))) {
    const why = await moveMonth(ctx, sql, folder, one);
    if (why !== null) return { moved, kept: { month: one.month, why }, halfRestored };
    moved.push(one.month);
    ctx.note(`${one.month}: moved to ${join(folder, one.month)}`);
  }
  return { moved, kept: null, halfRestored };
}

/** Returns why the month stays, or null when it has left. */
async function moveMonth(ctx: CommandContext, sql: Sql, folder: string, one: LeavingMonth): Promise<string | null> {
  const unfinished = await whyNeeded(sql, one);
  if (unfinished !== null) return unfinished;
  return await withInterruption(async (interrupted) => {
    try {
      await freezeMonth(sql, one);
      // The freeze has waited for open transactions, which may have changed what was looked at before.
      const needed = await whyNeeded(sql, one);
      if (needed !== null) return needed;
      const written = writeAndVerify(ctx, sql, folder, { ...one, interrupted });
      const fault = (await unlessInterrupted(written, interrupted)) ?? (await detach(sql, folder, one));
      if (fault === null) await dropDetached(sql);
      interrupted.throwIfAborted();
      return fault;
    } finally {
      // Nothing is frozen any more if the month has left.
      await unfreezeMonth(sql, one);
    }
  });
}

async function whyNeeded(sql: Sql, { span }: LeavingMonth): Promise<string | null> {
  const unfinished = await unfinishedOf(sql, span);
  return unfinished.length === 0 ? null : `${unfinished.join(", ")}.`;
}

type WrittenMonth = LeavingMonth & { readonly interrupted: AbortSignal };

async function writeAndVerify(ctx: CommandContext, sql: Sql, folder: string, one: WrittenMonth): Promise<string | null> {
  // A reversal that came before the freeze is summed under its order's operator, which only the order says.
  await sumAllTransfers(sql);
  await rollUpAll(sql, Date.now());
  const target = join(folder, one.month);
  const fault = (await monthFault(sql, one.month, one.span)) ?? (await archiveFault(ctx, sql, one, target));
  if (fault !== null) return fault;
  const here = new Set((await sql<{ id: string }[]>`select account_id as id from wallets where moved_to is null`).map(({ id }) => id));
  const faults = await chainedFaults(folder, one.month, (accountId) => here.has(accountId));
  if (faults.length > 0) return `its archive is damaged: ${faults.join("; ")}.`;
  await syncFolder(target);
  return null;
}

async function detach(sql: Sql, folder: string, one: LeavingMonth): Promise<string | null> {
  const target = join(folder, one.month);
  const kept = await detachMonth(sql, one, await sha256Of(manifestPath(target)), await readClosingsOf(target));
  return kept.length === 0 ? null : `${kept.join(", ")}.`;
}

/** Writes the archive. One that is there already is written again beside it and compared: it may be older than the last change. */
async function archiveFault(ctx: CommandContext, sql: Sql, one: WrittenMonth, target: string): Promise<string | null> {
  const { month, span, interrupted } = one;
  if (!existsSync(target)) {
    await writeMonth(ctx, sql, { month, span, target, interrupted });
    return null;
  }
  const again = `${target}.again`;
  await rm(again, { recursive: true, force: true });
  const written = await writeMonth(ctx, sql, { month, span, target: again, interrupted });
  const known = new Map((await readManifest(target)).files.map((file) => [file.table, file.sha256]));
  const leaving = new Set(["closings", ...one.partitions.map(({ of }) => of.table)]);
  const different = written.files.filter(({ table, sha256 }) => leaving.has(table) && known.get(table) !== sha256).map(({ name }) => name);
  await rm(again, { recursive: true, force: true });
  if (different.length === 0) return null;
  return `${target} is not what the database holds (${different.join(", ")}). Move that folder away and run the command again.`;
}

/** A month is dropped only when its archive is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  for (const path of [...(await readdir(folder)).map((name) => join(folder, name)), folder, dirname(folder)]) {
    const file = await open(path, "r");
    await file.sync().finally(() => file.close());
  }
}
