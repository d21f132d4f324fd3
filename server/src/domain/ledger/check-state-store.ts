import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { LedgerCheckState, Violation } from "./continuous-check.ts";

const MAX_VIOLATIONS = 100;
// Findings of a stopped process are deleted after this time; another process finds them again.
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

type CheckContext = { readonly sql: Sql; readonly clock: Clock; readonly processId: string };

/** Stores the progress of this process's check, so that every process can report it. */
export async function saveCheckState({ sql, clock, processId }: CheckContext, state: LedgerCheckState): Promise<void> {
  const now = clock.now();
  const broken = JSON.stringify(state.broken.slice(0, MAX_VIOLATIONS));
  const ended = state.roundEndedAt === null ? null : new Date(state.roundEndedAt);
  await sql`
    insert into ledger_check_state (process_id, checked, wallets, round_began_at, round_ended_at, violations, broken, at)
    select ${processId}, ${state.checked}, count(*), ${new Date(state.roundBeganAt)}, ${ended}, ${state.violations}, ${broken}::text::jsonb, ${new Date(now)}
    from wallets
    on conflict (process_id) do update set checked = excluded.checked, wallets = excluded.wallets, round_began_at = excluded.round_began_at,
      round_ended_at = excluded.round_ended_at, violations = excluded.violations, broken = excluded.broken, at = excluded.at`;
  await sql`delete from ledger_check_state where at < ${new Date(now - KEPT_MILLISECONDS)}`;
}

export type SavedCheckState = Pick<
  Row<"ledger_check_state">,
  "process_id" | "checked" | "wallets" | "round_began_at" | "round_ended_at" | "violations" | "at"
> & {
  readonly broken: readonly Violation[];
};

/** The check states of live processes, the latest first. */
export async function readCheckStates(sql: Sql): Promise<readonly SavedCheckState[]> {
  const rows = await sql<(Omit<SavedCheckState, "broken"> & { readonly broken: string })[]>`
    select w.process_id, w.checked, w.wallets, w.round_began_at, w.round_ended_at, w.violations, w.broken::text as broken, w.at
    from ledger_check_state w join processes p on p.process_id = w.process_id order by w.at desc`;
  return rows.map((row) => ({ ...row, broken: JSON.parse(row.broken) as readonly Violation[] }));
}
