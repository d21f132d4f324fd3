import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { cellName } from "@corprail/server/domain/cells/cell";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { type ConnectedCell, withCells } from "../cell/find-cells.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { verifyLedgerOn } from "../verify-ledger.ts";
import { type CellBackup, type GivenBackups, planDrill } from "./cell-backups.ts";
import { compareTransfers } from "./compare-transfers.ts";
import { startRestored } from "./restored-server.ts";

export type DrillOptions = GivenBackups & {
  readonly to?: string;
  readonly postgresBin?: string;
  readonly scratch?: string;
};

/**
 * Proves that base backups and archived WAL can be restored: restores them one after the other beside the running
 * installation, checks ledger and audit log, and compares the transfers with those of the running databases.
 */
export async function restoreDrill(ctx: CommandContext, options: DrillOptions): Promise<Outcome> {
  const to = options.to === undefined ? null : new Date(options.to);
  if (to !== null && Number.isNaN(to.getTime())) throw new UsageFault("--to must be a time such as 2026-11-17T14:05:00+05:30.");
  return await withCells(ctx, async (cells) => {
    const { backups, unchecked } = planDrill(
      options,
      cells.map(({ cell }) => cell),
    );
    const drills: Drill[] = [];
    for (const backup of backups) {
      const drill = await drillCell(ctx, { ...options, ...backup, to }, cells);
      if (drill.fault !== null) return failed(drill.fault, { cell: drill.cell, ...drill.fields, ...drill.more }, reportOf(drill));
      drills.push(drill);
    }
    return summary(drills, unchecked, cells.length > 1);
  });
}

type Drill = {
  readonly cell: number;
  readonly fields: State & { readonly seconds: number; readonly restored_to: string | null };
  readonly moved: number;
  /** Why it failed; null if it did not. */
  readonly fault: string | null;
  readonly more?: object;
};

type DrillInput = CellBackup & Pick<DrillOptions, "postgresBin" | "scratch"> & { readonly to: Date | null };

/** Restores the backup of one cell and examines it. */
async function drillCell(ctx: CommandContext, input: DrillInput, cells: readonly ConnectedCell[]): Promise<Drill> {
  const began = performance.now();
  const { cell, base, restoreCommand, to, postgresBin = null, scratch = null } = input;
  const own = cells.find((one) => one.cell === cell);
  if (!own) throw new Error(`There is no ${cellName(cell)}.`);
  ctx.note(`Restoring ${base}${to === null ? "" : ` to ${to.toISOString()}`}.`);
  const restored = await startRestored({ base, restoreCommand, to, postgresBin, scratch }, own.url);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const others = cells.filter((one) => one !== own).map(({ url }) => url);
  const opened = [restored.url, own.url, ...others].map((url) => connect({ url, connections: 1, role: null }));
  try {
    // A time as text depends on it, and so do the digests.
    for (const { sql } of opened) await sql`set timezone = 'UTC'`;
    const [copy, live, ...rest] = opened.map(({ sql }) => sql);
    if (!copy || !live) throw new Error("There is no connection.");
    return { cell, ...(await examine(ctx, { cell, copy, live, others: rest }, { seconds, to })) };
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
    await restored.stop();
  }
}

type Databases = { readonly cell: number; readonly copy: Sql; readonly live: Sql; readonly others: readonly Sql[] };
type Timing = { readonly seconds: number; readonly to: Date | null };

async function examine(ctx: CommandContext, databases: Databases, { seconds, to }: Timing): Promise<Omit<Drill, "cell">> {
  const { cell, copy, live, others } = databases;
  ctx.note(`Restored in ${seconds} seconds. Checking ledger and audit log, and comparing.`);
  const state = await readState(copy);
  const found = { fields: { seconds, restored_to: to?.toISOString() ?? state.newest, ...state }, moved: 0 };
  const identity = await readCell(copy);
  if (identity !== cell) return { ...found, fault: `The backup that was given for ${cellName(cell)} is that of ${cellName(identity)}.` };
  const ledger = await verifyLedgerOn(ctx, copy);
  if (!ledger.ok) return { ...found, fault: `The restored ledger is not consistent. ${ledger.text}`, more: ledger.fields };
  const audit = await verifyAudit(copy);
  if (!audit.ok) return { ...found, fault: `The restored audit log is broken at entry ${audit.seq}: ${audit.why}.` };
  const { different, moved } = await compareTransfers(copy, live, others);
  if (different.length === 0) return { ...found, moved, fault: null };
  const text = `Transfers of ${different.length} accounts differ from the running database: ${different.slice(0, 5).join(", ")}.`;
  return { ...found, fault: text, more: { different_accounts: different } };
}

function summary(drills: readonly Drill[], unchecked: readonly number[], hasCells: boolean): Outcome {
  const [home, ...others] = drills;
  if (!home) throw new Error("Home was not restored.");
  const moved = drills.reduce((sum, one) => sum + one.moved, 0);
  const cells = others.map(({ cell, fields }) => ({ cell, ...fields }));
  const fields = { ...home.fields, ...(hasCells ? { cells } : {}), unchecked_cells: unchecked, moved_accounts: moved };
  const checked = hasCells ? drills.map(({ cell }) => cell) : [];
  return done(successText(checked, unchecked, moved), fields, drills.map(reportOf).join("\n"));
}

/** Says which cells the result is about, if there are several. */
export function successText(checked: readonly number[], unchecked: readonly number[], moved: number): string {
  const consistent = "ledger and audit log are consistent, and all transfers are those of the running database.";
  if (checked.length === 0) return `The backup can be restored: ${consistent}`;
  const what = checked.length === 1 ? "The backup of" : "The backups of";
  const left = unchecked.length === 0 ? "" : ` Not checked: ${unchecked.map(cellName).join(", ")}.`;
  const apart = moved === 0 ? "" : ` ${moved} accounts that are being moved were not compared.`;
  return `${what} ${checked.map(cellName).join(", ")} can be restored: ${consistent}${left}${apart}`;
}

function reportOf({ cell, fields }: Drill): string {
  const title = cell === HOME_CELL ? "" : `${cellName(cell)}\n`;
  return `${title}last change ${fields.newest ?? "none"}\norders      ${fields.orders}\ntransfers   ${fields.transfers}`;
}

type State = { readonly newest: string | null; readonly orders: number; readonly transfers: number };

async function readState(sql: Sql): Promise<State> {
  const [row] = await sql<{ newest: Date | null; orders: number; transfers: number }[]>`
    select pg_last_xact_replay_timestamp() as newest, (select count(*)::int from orders) as orders, (select count(*)::int from transfers) as transfers`;
  return { newest: row?.newest?.toISOString() ?? null, orders: row?.orders ?? 0, transfers: row?.transfers ?? 0 };
}

async function readCell(sql: Sql): Promise<number> {
  const [row] = await sql<{ cell: number }[]>`select cell::int as cell from installation`;
  return row?.cell ?? HOME_CELL;
}
