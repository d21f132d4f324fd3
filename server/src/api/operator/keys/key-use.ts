import type { OperatorApiDependencies } from "../dependencies.ts";
import { type UsedKey, writeKeyUse } from "./key-store.ts";

const INTERVAL_MILLISECONDS = 60_000;

/**
 * Returns a function that stores the time and address of a key's use, at most once a minute for each key. Requests do not
 * wait for it and do not fail with it, for example while the database is read-only.
 */
export function keyUseRecorder({
  sql,
  clock,
  log,
}: Pick<OperatorApiDependencies, "sql" | "clock" | "log">): (key: UsedKey, address: string | null) => void {
  // Writes that have not succeeded yet. A failed one is tried again after the interval.
  const attempted = new Map<string, number>();
  const isRecent = (time: number | undefined, now: number) => time !== undefined && Math.abs(now - time) < INTERVAL_MILLISECONDS;
  return (key, address) => {
    const now = clock.now();
    if (isRecent(key.last_used_at?.getTime(), now) || isRecent(attempted.get(key.key_id), now)) return;
    attempted.set(key.key_id, now);
    writeKeyUse(sql, key, new Date(now), address).then(
      () => attempted.delete(key.key_id),
      (err: unknown) => log.error({ err, keyId: key.key_id }, "The last use of an operator key was not stored."),
    );
  };
}
