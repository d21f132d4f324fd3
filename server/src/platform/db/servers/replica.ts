import type { Log } from "../../observability/log.ts";
import { connect, type Sql } from "../connection.ts";
import { createLagMeter } from "./replica-lag.ts";

/** A read-only copy of the database, for lists and exports of staff. Nothing about money is ever decided by it. */
export type Replica = {
  /** Its connections while it is at most this far behind; null otherwise. */
  readonly recent: (maxLagSeconds?: number) => { readonly requests: Sql; readonly longWork: Sql } | null;
  /** How old its data is; null when it does not answer or does not follow a primary. */
  readonly lagSeconds: () => number | null;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly url: string;
  readonly role: string | null;
  readonly connections: number;
  readonly primary: Sql;
  readonly log: Pick<Log, "info" | "warn">;
};

/** A replica that is further behind is not read. */
export const MAX_LAG_SECONDS = 10;
const CHECK_MILLISECONDS = 1_000;
// A measurement that is older than this says nothing: the replica or the primary no longer answers.
const STALE_MILLISECONDS = 5_000;

type Measured = { readonly at: number; readonly lagMilliseconds: number };

export function followReplica({ url, role, connections, primary, log }: Options): Replica {
  const requests = connect({ url, role, connections, purpose: "requests" });
  const longWork = connect({ url, role, connections, purpose: "long work" });
  const meter = createLagMeter();
  let measured: Measured | null = null;
  let wasUsable: boolean | null = null;
  let [timer, isClosed]: [NodeJS.Timeout | undefined, boolean] = [undefined, false];

  const lagSeconds = () => {
    const now = performance.now();
    if (measured === null || now - measured.at > STALE_MILLISECONDS) return null;
    return Math.round(measured.lagMilliseconds / 100) / 10;
  };
  const isUsable = (maxLagSeconds = MAX_LAG_SECONDS) => {
    if (measured === null) return false;
    // What was measured a moment ago may have changed since: the age of the measurement counts as lag.
    const atMost = performance.now() - measured.at + measured.lagMilliseconds;
    return atMost <= 1000 * Math.min(maxLagSeconds, MAX_LAG_SECONDS);
  };

  async function look(): Promise<void> {
    try {
      measured = await measure(primary, requests.sql, meter);
    } catch (error) {
      if (!isClosed && measured !== null) log.warn({ err: error }, "measuring the lag of the replica failed");
      measured = null;
    }
    const usable = isUsable();
    if (usable !== wasUsable && !isClosed) log.info({ lagSeconds: lagSeconds() }, usable ? "replica in use" : "replica not in use");
    wasUsable = usable;
    if (!isClosed) timer = setTimeout(look, CHECK_MILLISECONDS).unref();
  }

  void look();
  return {
    recent: (maxLagSeconds) => (isUsable(maxLagSeconds) ? { requests: requests.sql, longWork: longWork.sql } : null),
    lagSeconds,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([requests.close(), longWork.close()]);
    },
  };
}

/** Null if the server is not a replica: an old primary after a failover must not be read. */
async function measure(primary: Sql, replica: Sql, meter: ReturnType<typeof createLagMeter>): Promise<Measured | null> {
  const [written] = await primary<{ position: bigint }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as position`;
  if (written) meter.noteWritten(performance.now(), written.position);
  const [replayed] = await replica<{ position: bigint | null }[]>`
    select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position`;
  const now = performance.now();
  const lagMilliseconds = replayed?.position == null ? null : meter.lagMilliseconds(now, replayed.position);
  return lagMilliseconds === null ? null : { at: now, lagMilliseconds };
}

/** Runs something that only reads: on the replica, and on the primary if there is none or the replica fails. */
export async function readFrom<Result>(replica: Sql | undefined, primary: Sql, read: (sql: Sql) => Promise<Result>): Promise<Result> {
  if (replica === undefined) return await read(primary);
  try {
    return await read(replica);
  } catch {
    // PostgreSQL cancels queries that conflict with replay. An error that is not the replica's occurs again on the primary.
    return await read(primary);
  }
}
