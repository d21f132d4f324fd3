import type { Socket } from "node:net";
import postgres from "postgres";
import { arrayTypes } from "./array-types.ts";
import { type Watchdog, type WatchdogLimits, watchdogFor } from "./connection-watchdog.ts";
import { failure } from "./database-errors.ts";
import { type DatabaseAddress, parseDatabaseUrl, urlOf } from "./database-url.ts";
import { failedSocket, socketTo } from "./probe-servers.ts";

type Types = { readonly bigint: bigint };
export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Whatever a statement can be sent through: the pool, or a transaction. */
export type Queryable = postgres.ISql<Types>;

export type Database = Pick<Watchdog, "recycle" | "diskFullAt"> & {
  readonly sql: Sql;
  readonly close: () => Promise<void>;
};

const CLOSE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 0.5;
// A frozen server still takes connections, but says nothing on them.
const CONNECT_SECONDS = 3;
const KEEP_ALIVE_SECONDS = 5;

/** What a pool's statements are for, which says how long they may wait. */
export type Purpose = keyof typeof PURPOSES;

type Settings = WatchdogLimits & { readonly session: Readonly<Record<string, string>> };

const PURPOSES = {
  // The batches of the writer and the gate: a locked row must not hold up all accounts for a second, and two may be under way.
  batches: { silentMilliseconds: 5_000, queueMilliseconds: 5_000, session: { lock_timeout: "450ms" } },
  // Everything else that somebody waits for.
  requests: {
    silentMilliseconds: 9_000,
    queueMilliseconds: 5_000,
    session: { lock_timeout: "2s", statement_timeout: "8s", idle_in_transaction_session_timeout: "20s" },
  },
  // Exports, counts, reports: as long as they take, but they do not wait for a lock for ever.
  "long work": { silentMilliseconds: null, queueMilliseconds: null, session: { lock_timeout: "10s" } },
  // Migrations, backups and the command line.
  tools: { silentMilliseconds: null, queueMilliseconds: null, session: {} },
} as const satisfies Record<string, Settings>;

export type ConnectionOptions = {
  readonly url: string;
  readonly connections: number;
  /** The role the sessions act as; the URL's own user when null. */
  readonly role: string | null;
  /** `tools` when it is not said. */
  readonly purpose?: Purpose;
};

export function connect(options: ConnectionOptions): Database {
  const address = parseDatabaseUrl(options.url);
  if (!address) throw new Error("The database's address is not a postgres:// address that can be used.");
  const { session, ...limits }: Settings = PURPOSES[options.purpose ?? "tools"];
  const watch = watchdogFor(options.url, address);
  const { option, remove } = watch.add(limits);
  const sql = postgres<{ bigint: postgres.PostgresType<bigint> }>(urlOf(address, address.hosts[0] ?? null), {
    max: options.connections,
    onnotice: () => {},
    connect_timeout: CONNECT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // The driver's own waits up to 20 s, and forgets its count of failures too seldom: money does not wait so long.
    backoff: (failures) => Math.min(0.05 * 2 ** failures, MAX_BACKOFF_SECONDS),
    fetch_types: false,
    types: { ...arrayTypes(), bigint: postgres.BigInt },
    connection: { application_name: "corprail", ...session, ...(options.role === null ? {} : { role: options.role }) },
    ...dialled(address, watch),
    // Not in the driver's types: scripts/patch-driver.mjs adds it.
    ...({ watch: option } as object),
  });
  const close = () => sql.end({ timeout: CLOSE_SECONDS }).finally(remove);
  return { sql, close, recycle: watch.recycle, diskFullAt: watch.diskFullAt };
}

/** Which of several hosts takes writes is asked before each new connection; the driver alone would take a standby too. */
function dialled(address: DatabaseAddress, watch: Watchdog): { readonly socket?: () => Socket | Promise<Socket> } {
  const [first, second] = address.hosts;
  if (first === undefined) return {};
  if (second === undefined) return { socket: () => socketTo(first) };
  return {
    socket: async () => {
      const { leader, faults } = await watch.probe();
      if (leader?.host) return socketTo(leader.host);
      return failedSocket(failure("CONNECTION_NO_LEADER", `No host of the database's address takes writes (${faults.join("; ")}).`));
    },
  };
}
