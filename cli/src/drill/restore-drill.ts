import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome, UsageFault } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { verifyLedgerOn } from "../verify-ledger.ts";
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
 * ledger and audit log, and compares every transfer with the running database.
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
  const different = await findDifferent(copy, live);
  if (different.length > 0) {
    const text = `Transfers of ${different.length} accounts differ from the running database: ${different.slice(0, 5).join(", ")}.`;
    return failed(text, { ...fields, different_accounts: different }, report);
  }
  return done(
    `The backup can be restored: ledger and audit log are consistent, and all transfers are those of the running database.`,
    fields,
    report,
  );
}

type State = { readonly newest: string | null; readonly orders: number; readonly transfers: number };

async function readState(sql: Sql): Promise<State> {
  const [row] = await sql<{ newest: Date | null; orders: number; transfers: number }[]>`
    select pg_last_xact_replay_timestamp() as newest, (select count(*)::int from orders) as orders, (select count(*)::int from transfers) as transfers`;
  return { newest: row?.newest?.toISOString() ?? null, orders: row?.orders ?? 0, transfers: row?.transfers ?? 0 };
}

type Digest = { readonly account_id: string; readonly last: bigint; readonly digest: string };

/** Accounts whose transfers up to the last restored one are not the same in both databases. */
async function findDifferent(copy: Sql, live: Sql): Promise<readonly string[]> {
  const restored = await copy<Digest[]>`
    select account_id, max(seq) as last, sum(hashtextextended(t::text, 0)::numeric)::text as digest from transfers t group by account_id`;
  const same = await live<Pick<Digest, "account_id" | "digest">[]>`
    select t.account_id, sum(hashtextextended(t::text, 0)::numeric)::text as digest
    from transfers t
    join unnest(${restored.map((one) => one.account_id)}::text[], ${restored.map((one) => String(one.last))}::bigint[]) as r (account_id, last)
      on r.account_id = t.account_id and t.seq <= r.last
    group by t.account_id`;
  const digests = new Map(same.map((one) => [one.account_id, one.digest]));
  return restored.filter((one) => digests.get(one.account_id) !== one.digest).map((one) => one.account_id);
}
