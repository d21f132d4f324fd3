import { setTimeout as delay } from "node:timers/promises";
import type { ReservedSql } from "postgres";
import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import { isLocked } from "../../../platform/db/database-errors.ts";

export type MovesLock = {
  /** Throws if the command has lost the lock: what it has read may have been changed by another one since. */
  readonly confirm: () => Promise<void>;
};

const MOVES_LOCK = 7_236_154_205;
const STEP_LOCK = 7_236_154_210;
const LOCK_WAIT = "10s";
const ANSWER_MILLISECONDS = 10_000;

/** What a command says that did not get the lock. */
export const CELLS_BUSY =
  "Another command that moves an account, rotates the master key, or makes a backup or an archive is running. Wait until it has ended.";
const LOCK_LOST =
  "The command has lost its connection to the home cell, so another one may have changed the account. Nothing more was done. Run it again.";

/** Runs a command alone that moves accounts, or that needs them to stay in their cells. Null if another one is running. */
export async function withMovesLock<Result>(home: Sql, run: (lock: MovesLock) => Promise<Result>): Promise<Result | null> {
  const connection = await home.reserve();
  let isLost = false;
  try {
    // The server may need a moment to notice that an earlier command was killed.
    await connection`select set_config('lock_timeout', ${LOCK_WAIT}, false)`;
    try {
      await connection`select pg_advisory_lock(${MOVES_LOCK})`;
    } catch (error) {
      if (isLocked(error)) return null;
      throw error;
    }
    const session = await readSession(connection);
    const confirm = async () => {
      isLost ||= !(await withDeadline(isHeldBy(home, session), false));
      if (isLost) throw new Error(LOCK_LOST);
    };
    return await run({ confirm });
  } finally {
    // The driver may be using a connection that was lost for something else already.
    if (!isLost) await withDeadline(release(connection), undefined);
  }
}

async function release(connection: ReservedSql): Promise<void> {
  try {
    await connection`select pg_advisory_unlock(${MOVES_LOCK})`;
    await connection`reset lock_timeout`;
  } catch {
    // The connection is gone, and the lock with it. What the command has returned or thrown says more.
  }
  connection.release();
}

/** A session of a server. The number alone may belong to another session after a failover. */
type Session = { readonly pid: number; readonly started_at: string };

async function readSession(connection: Queryable): Promise<Session> {
  const [session] = await connection<Session[]>`
    select pid, backend_start::text as started_at from pg_stat_activity where pid = pg_backend_pid()`;
  if (!session) throw new Error("PostgreSQL does not show its sessions in pg_stat_activity.");
  return session;
}

/** Asks on another connection, because a statement on a connection that was lost may never end. */
async function isHeldBy(home: Queryable, session: Session): Promise<boolean> {
  const rows = await home`
    select from pg_locks l join pg_stat_activity a using (pid)
    where l.pid = ${session.pid} and a.backend_start = ${session.started_at}::text::timestamptz and l.granted
      and l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32) + l.objid::bigint = ${MOVES_LOCK}`;
  return rows.length > 0;
}

/** A command that waited longer would keep the next one waiting, which has got the lock from another server of home. */
async function withDeadline<Result>(work: Promise<Result>, late: Result): Promise<Result> {
  return await Promise.race([work, delay(ANSWER_MILLISECONDS, late, { ref: false })]);
}

/**
 * Changes a cell in one transaction. A command that has lost the lock finds that out before it changes anything; the next
 * command cannot overtake one that has confirmed it, because it waits for this transaction before it changes the same cell.
 */
export async function changeUnderLock<Result>(sql: Sql, lock: MovesLock, change: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const changed = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STEP_LOCK})`;
    await lock.confirm();
    return { result: await change(tx) };
  });
  return changed.result;
}
