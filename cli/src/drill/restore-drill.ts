import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { cellName } from "@corprail/server/domain/cells/cell";
import { readCellNumbers } from "@corprail/server/domain/cells/store";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome, UsageFault } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { verifyLedgerOn } from "../verify-ledger.ts";
import { compareTransfers } from "./compare-transfers.ts";
import { startRestored } from "./restored-server.ts";

export type DrillOptions = {
  readonly base: string;
  readonly wal: string;
  readonly to?: string;
  readonly postgresBin?: string;
  readonly scratch?: string;
};

/**
 * Proves that the base backup and the archived WAL can be restored: restores them beside the running installation, checks
 * ledger and audit log, and compares home's transfers with the running database.
 */
export async function restoreDrill(ctx: CommandContext, options: DrillOptions): Promise<Outcome> {
  const to = options.to === undefined ? null : new Date(options.to);
  if (to !== null && Number.isNaN(to.getTime())) throw new UsageFault("--to must be a time such as 2026-11-17T14:05:00+05:30.");
  return await withDatabase(ctx, "existing", async (liveUrl) => {
    const began = performance.now();
    const { base, wal, postgresBin = null, scratch = null } = options;
    ctx.note(`Restoring ${base}${to === null ? "" : ` to ${to.toISOString()}`}.`);
    const restored = await startRestored({ base, wal, to, postgresBin, scratch }, liveUrl);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const [copy, live] = [restored.url, liveUrl].map((url) => connect({ url, connections: 1, role: null }));
    try {
      if (!copy || !live) throw new Error("There is no connection.");
      // A time as text depends on it, and so do the digests.
      for (const { sql } of [copy, live]) await sql`set timezone = 'UTC'`;
      return await examine(ctx, copy.sql, live.sql, { seconds, to });
    } finally {
      await copy?.close();
      await live?.close();
      await restored.stop();
    }
  });
}

type Facts = { readonly seconds: number; readonly to: Date | null };

async function examine(ctx: CommandContext, copy: Sql, live: Sql, { seconds, to }: Facts): Promise<Outcome> {
  ctx.note(`Restored in ${seconds} seconds. Checking ledger and audit log, and comparing.`);
  const state = await readState(copy);
  const fields = { seconds, restored_to: to?.toISOString() ?? state.newest, ...state };
  const report = `last change ${state.newest ?? "none"}\norders      ${state.orders}\ntransfers   ${state.transfers}`;
  const ledger = await verifyLedgerOn(ctx, copy);
  if (!ledger.ok) return failed(`The restored ledger is not consistent. ${ledger.text}`, { ...fields, ...ledger.fields }, report);
  const audit = await verifyAudit(copy);
  if (!audit.ok) return failed(`The restored audit log is broken at entry ${audit.seq}: ${audit.why}.`, fields, report);
  const { different, moved } = await compareTransfers(copy, live);
  if (different.length > 0) {
    const text = `Transfers of ${different.length} accounts differ from the running database: ${different.slice(0, 5).join(", ")}.`;
    return failed(text, { ...fields, different_accounts: different }, report);
  }
  const cells = await readCellNumbers(live);
  return done(successText(cells, moved), { ...fields, unchecked_cells: cells, moved_accounts: moved }, report);
}

/** With cells, says that the result is home's alone. */
export function successText(cells: readonly number[], moved: number): string {
  const consistent = "ledger and audit log are consistent, and all transfers are those of the running database.";
  if (cells.length === 0) return `The backup can be restored: ${consistent}`;
  const apart = moved === 0 ? "" : ` ${moved} accounts that have moved to another cell were not compared.`;
  return `The backup of home can be restored: ${consistent} Only home was checked, not ${cells.map(cellName).join(", ")}.${apart}`;
}

type State = { readonly newest: string | null; readonly orders: number; readonly transfers: number };

async function readState(sql: Sql): Promise<State> {
  const [row] = await sql<{ newest: Date | null; orders: number; transfers: number }[]>`
    select pg_last_xact_replay_timestamp() as newest, (select count(*)::int from orders) as orders, (select count(*)::int from transfers) as transfers`;
  return { newest: row?.newest?.toISOString() ?? null, orders: row?.orders ?? 0, transfers: row?.transfers ?? 0 };
}
