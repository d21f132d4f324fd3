import { untilMultipleOf } from "../../core/until-multiple.ts";
import { failure } from "../database-errors.ts";
import type { DatabaseAddress } from "./database-url.ts";
import { type Dial, probeServers, type ServerProbe } from "./probe-servers.ts";
import { createTimelines, IDENTIFY_SERVER, outdatedServer, type ServerIdentity, type Timelines } from "./timelines.ts";

/** A connection as the driver exposes it (vendor/postgres/README.md). */
export type WatchedConnection = {
  /** Null while the connection is not open. */
  readonly watched: () => {
    readonly pid: number;
    readonly openedAt: number;
    /** Since when a statement has waited for the next byte of its answer; null if none waits. */
    readonly silentSince: number | null;
  } | null;
  readonly cut: (error: Error) => void;
};

type DriverPool = {
  readonly connections: readonly WatchedConnection[];
  /** Rejects statements that have waited for a free connection since before this time. Returns how many still wait. */
  readonly expire: (before: number, createError: () => Error) => number;
};

export type WatchdogLimits = {
  /** How long a live server may be silent before the statement is cancelled; null for long work. */
  readonly silentMilliseconds: number | null;
  /** How long a statement may wait for a free connection; null for long work. */
  readonly queueMilliseconds: number | null;
};

/** The driver's `watch` option. */
export type PoolWatchdog = {
  readonly pool: (pool: DriverPool) => void;
  readonly refused: (code: string) => void;
  /** What a new connection executes first. */
  readonly identify: string;
  /** Returns why a new connection must not be used; null if it may. */
  readonly opened: (server: ServerIdentity, connection: WatchedConnection) => Error | null;
};

export type Watchdog = {
  readonly add: (limits: WatchdogLimits) => { readonly option: PoolWatchdog; readonly remove: () => void };
  /** Finds the host for the next connection, for addresses with several hosts. */
  readonly probe: () => Promise<ServerProbe>;
  /** Replaces all connections, because sessions that started on a read-only server may stay read-only. */
  readonly recycle: () => void;
  /** When a statement last failed because the server's disk is full, in monotonic milliseconds. */
  readonly diskFullAt: () => number;
};

type Pool = WatchdogLimits & { driver: DriverPool | null };

const TICK_MILLISECONDS = 250;
// While no statement waits. It must not exceed SUSPICIOUS_MILLISECONDS, or a silent server would be noticed later.
const IDLE_TICK_MILLISECONDS = 1_000;
// Most statements take milliseconds. After this long, the server is probed on another connection.
const SUSPICIOUS_MILLISECONDS = 1_000;
// If a tick is this late, the process itself was blocked and may have unread answers.
const LATE_TICK_MILLISECONDS = 400;
const PROBE_VALID_MILLISECONDS = 500;
const READ_ONLY = "25006";
const DISK_FULL = "53100";
const RECYCLE_MILLISECONDS = 1_000;

const watchdogs = new Map<string, Watchdog>();

/** Returns the watchdog shared by all pools of one address. When the server is gone, all their connections are replaced. */
export function watchdogFor(url: string, address: DatabaseAddress, dial: Dial): Watchdog {
  const known = watchdogs.get(url);
  if (known) return known;
  const made = createWatchdog(address, dial, () => watchdogs.delete(url));
  watchdogs.set(url, made);
  return made;
}

/** Detects frozen servers and networks that drop all packets, because Node does not offer TCP_USER_TIMEOUT. */
function createWatchdog(address: DatabaseAddress, dial: Dial, onEmpty: () => void): Watchdog {
  const pools = new Set<Pool>();
  const timelines = createTimelines();
  const probe = sharedProbe(address, dial, timelines);
  let timer: NodeJS.Timeout | null = null;
  let dueAt = 0;
  let isChecking = false;
  let recycledAt = 0;
  let diskFullAt = Number.NEGATIVE_INFINITY;

  function schedule(milliseconds: number): void {
    dueAt = performance.now() + milliseconds;
    timer = setTimeout(tick, milliseconds).unref();
  }

  function tick(): void {
    const now = performance.now();
    if (now - dueAt > LATE_TICK_MILLISECONDS) return void schedule(TICK_MILLISECONDS);
    let isWaiting = false;
    for (const pool of pools) if (failOverdue(pool, now)) isWaiting = true;
    schedule(isWaiting ? TICK_MILLISECONDS : untilMultipleOf(IDLE_TICK_MILLISECONDS));
    if (!isWaiting || isChecking || !connectionsOf(pools).some((one) => isSilent(one, now))) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }

  async function check(): Promise<void> {
    const found = await probe(true);
    // Reads answers that have arrived meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    closeLost(connectionsOf(pools), found, performance.now());
  }

  function refused(code: string): void {
    if (code === DISK_FULL) diskFullAt = performance.now();
    if (code === READ_ONLY) recycle();
  }

  function recycle(): void {
    const now = performance.now();
    if (now - recycledAt < RECYCLE_MILLISECONDS) return;
    recycledAt = now;
    setImmediate(() => {
      for (const one of connectionsOf(pools)) one.cut(failure("CONNECTION_READ_ONLY", "The database does not accept writes."));
    });
  }

  function opened(server: ServerIdentity, connection: WatchedConnection): Error | null {
    // The other connections are to the server that was replaced.
    if (timelines.advance(server)) for (const other of connectionsOf(pools)) if (other !== connection) other.cut(outdatedServer());
    return timelines.refuse(server);
  }

  return {
    probe: () => probe(false),
    recycle,
    diskFullAt: () => diskFullAt,
    add: (limits) => {
      const pool: Pool = { ...limits, driver: null };
      pools.add(pool);
      if (timer === null) schedule(TICK_MILLISECONDS);
      const remove = () => {
        pools.delete(pool);
        if (pools.size > 0 || timer === null) return;
        clearTimeout(timer);
        timer = null;
        onEmpty();
      };
      const option: PoolWatchdog = {
        pool: (driver) => {
          pool.driver = driver;
        },
        refused,
        identify: IDENTIFY_SERVER,
        opened,
      };
      return { option, remove };
    },
  };
}

function connectionsOf(pools: ReadonlySet<Pool>): readonly WatchedConnection[] {
  return [...pools].flatMap((pool) => pool.driver?.connections ?? []);
}

function isSilent(connection: WatchedConnection, now: number): boolean {
  const since = connection.watched()?.silentSince ?? null;
  return since !== null && now - since > SUSPICIOUS_MILLISECONDS;
}

/** Rejects what has waited for too long. Returns whether any statement waits. */
function failOverdue({ driver, silentMilliseconds, queueMilliseconds }: Pool, now: number): boolean {
  if (!driver) return false;
  const before = now - (queueMilliseconds ?? Number.POSITIVE_INFINITY);
  const queued = driver.expire(before, () => failure("CONNECTION_NONE_FREE", "No connection to the database became free in time."));
  let isWaiting = queued > 0;
  for (const one of driver.connections) {
    const since = one.watched()?.silentSince ?? null;
    if (since === null) continue;
    isWaiting = true;
    if (now - since > (silentMilliseconds ?? Number.POSITIVE_INFINITY))
      one.cut(failure("CONNECTION_SILENT", "The database did not answer a statement in time."));
  }
  return isWaiting;
}

/** Closes every connection whose server did not answer or does not have its session. */
function closeLost(connections: readonly WatchedConnection[], found: ServerProbe, now: number): void {
  if (found.isOutOfConnections) return;
  const servers = found.leader ? [found.leader] : found.answers;
  for (const one of connections) {
    if (isSilentOrIdle(one, now) && !servers.some((server) => hasSession(server, one, now)))
      one.cut(failure("CONNECTION_LOST", "The database no longer has this session."));
  }
}

// A connection that is receiving an answer needs no check.
function isSilentOrIdle(connection: WatchedConnection, now: number): boolean {
  const watched = connection.watched();
  return watched !== null && (watched.silentSince === null || now - watched.silentSince > SUSPICIOUS_MILLISECONDS);
}

const AGE_MARGIN_SECONDS = 5;

/**
 * Whether a server has this session and is working on its statement. Another server may have a session with the same
 * process id, but not of the same age. A session that is idle while we wait has lost the statement or the answer.
 */
function hasSession({ backends }: ServerProbe["answers"][number], connection: WatchedConnection, now: number): boolean {
  const watched = connection.watched();
  if (backends === null || watched === null) return true;
  const session = backends.get(watched.pid);
  if (session === undefined || session.ageSeconds < (now - watched.openedAt) / 1000 - AGE_MARGIN_SECONDS) return false;
  return watched.silentSince === null || session.idleSeconds === null || session.idleSeconds * 1000 < SUSPICIOUS_MILLISECONDS;
}

/** Shares one probe among concurrent callers. */
function sharedProbe(address: DatabaseAddress, dial: Dial, timelines: Timelines): (isFresh: boolean) => Promise<ServerProbe> {
  let running: Promise<ServerProbe> | null = null;
  let last: { readonly probe: ServerProbe; readonly at: number } | null = null;
  return (isFresh) => {
    if (!isFresh && last?.probe.leader && performance.now() - last.at < PROBE_VALID_MILLISECONDS) return Promise.resolve(last.probe);
    running ??= probeServers(address, dial, timelines)
      .then((probe) => {
        last = { probe, at: performance.now() };
        return probe;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}
