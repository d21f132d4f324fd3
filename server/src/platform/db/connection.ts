import type { Socket } from "node:net";
import postgres from "postgres";
import { arrayTypes } from "./array-types.ts";
import { failure } from "./database-errors.ts";
import { type Watchdog, type WatchdogLimits, watchdogFor } from "./servers/connection-watchdog.ts";
import { type DatabaseAddress, parseDatabaseUrl, urlOf } from "./servers/database-url.ts";
import { type Dial, failedSocket, socketTo } from "./servers/probe-servers.ts";
import { outdatedServer } from "./servers/timelines.ts";

type Types = { readonly bigint: bigint };
export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Something that runs statements: the pool or a transaction. */
export type Queryable = postgres.ISql<Types>;

export type Database = Pick<Watchdog, "recycle" | "diskFullAt"> & {
  readonly sql: Sql;
  readonly close: () => Promise<void>;
};

const CLOSE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 0.5;
// The published driver loses connections and answers (vendor/postgres/README.md).
const DRIVER_CHANGES = 2;
const WRONG_DRIVER =
  "The installed database driver is not the one in vendor/postgres, without which payments are not safe. Run `npm ci` in the folder of Corprail.";
// A frozen server still accepts connections but does not answer.
const CONNECT_SECONDS = 3;
const KEEP_ALIVE_SECONDS = 5;

/** The purpose of a pool, which decides its timeouts. */
export type Purpose = keyof typeof PURPOSES;

type Settings = WatchdogLimits & { readonly session: Readonly<Record<string, string>> };

const PURPOSES = {
  // Batches of the writer and the gate. A locked row must not block all accounts for a second, with two batches in flight.
  batches: { silentMilliseconds: 5_000, queueMilliseconds: 5_000, session: { lock_timeout: "450ms" } },
  // All other statements that a request waits for.
  requests: {
    silentMilliseconds: 9_000,
    queueMilliseconds: 5_000,
    session: { lock_timeout: "2s", statement_timeout: "8s", idle_in_transaction_session_timeout: "20s" },
  },
  // Exports, counts and reports have no time limit, but they do not wait for a lock forever.
  "long work": { silentMilliseconds: null, queueMilliseconds: null, session: { lock_timeout: "10s" } },
  // Migrations, backups and the CLI.
  tools: { silentMilliseconds: null, queueMilliseconds: null, session: {} },
} as const satisfies Record<string, Settings>;

export type ConnectionOptions = {
  readonly url: string;
  readonly connections: number;
  /** The role of the sessions; null: the URL's user. */
  readonly role: string | null;
  /** Default: `tools`. */
  readonly purpose?: Purpose;
  /** Opens the socket to a host. Default: a TCP connection. */
  readonly dial?: Dial;
};

export function connect(options: ConnectionOptions): Database {
  if (postgres.corprail !== DRIVER_CHANGES) throw new Error(WRONG_DRIVER);
  const address = parseDatabaseUrl(options.url);
  if (!address) throw new Error("The database address is not a usable postgres:// address.");
  const { session, ...limits }: Settings = PURPOSES[options.purpose ?? "tools"];
  const dial = options.dial ?? socketTo;
  const watch = watchdogFor(options.url, address, dial);
  const { option, remove } = watch.add(limits);
  const sql = postgres<{ bigint: postgres.PostgresType<bigint> }>(urlOf(address, address.hosts[0] ?? null), {
    max: options.connections,
    onnotice: () => {},
    connect_timeout: CONNECT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // The driver's default backs off up to 20 s and rarely resets its failure count, which is too long for payments.
    backoff: (failures) => Math.min(0.05 * 2 ** failures, MAX_BACKOFF_SECONDS),
    fetch_types: false,
    types: { ...arrayTypes(), bigint: postgres.BigInt },
    connection: { application_name: "corprail", ...session, ...(options.role === null ? {} : { role: options.role }) },
    ...dialled(address, watch, dial),
    watch: option,
  });
  const close = () => sql.end({ timeout: CLOSE_SECONDS }).finally(remove);
  return { sql, close, recycle: watch.recycle, diskFullAt: watch.diskFullAt };
}

/** With several hosts, finds the writable one before each new connection. The driver alone would also use a standby. */
function dialled(address: DatabaseAddress, watch: Watchdog, dial: Dial): { readonly socket?: () => Socket | Promise<Socket> } {
  const [first, second] = address.hosts;
  if (first === undefined) return {};
  if (second === undefined) return { socket: () => dial(first) };
  return {
    socket: async () => {
      const { leader, answers, faults, isOutdated } = await watch.probe();
      if (leader?.host) return dial(leader.host);
      if (isOutdated) return failedSocket(outdatedServer());
      const code = answers.length === address.hosts.length ? "CONNECTION_READ_ONLY" : "CONNECTION_NO_LEADER";
      return failedSocket(failure(code, `No host of the database address accepts writes (${faults.join("; ")}).`));
    },
  };
}
