import { setTimeout as delay } from "node:timers/promises";
import type { Sql, Transaction } from "../connection.ts";
import { codeOf } from "../database-errors.ts";

/** While a statement waits for a lock, all later statements on the table wait behind it, so it waits this long at most. */
export const LOCK_SECONDS = 2;
export const LOCK_ATTEMPTS = 60;
const PAUSE_MILLISECONDS = 500;
const LOCK_TIMEOUT = "55P03";

/** Runs work in a transaction that gives up waiting for locks soon, and tries again after a pause. */
export async function runInSteps(sql: Sql, work: (tx: Transaction) => Promise<void>, attempts = LOCK_ATTEMPTS): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = '${LOCK_SECONDS}s'`);
        await work(tx);
      });
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT || attempt >= attempts) throw error;
      await delay(PAUSE_MILLISECONDS);
    }
  }
}

const TRY_MILLISECONDS = 200;

/**
 * Takes a session's advisory lock by trying again and again. A statement that waits for it would hold a snapshot, and a
 * concurrent index build of the lock's holder waits for all snapshots.
 */
export async function takeLock(sql: Sql, key: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${key}) as taken`;
    if (row?.taken) return;
    await delay(TRY_MILLISECONDS);
  }
}
