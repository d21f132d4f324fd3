import { connect as openSocket, Socket } from "node:net";
import postgres from "postgres";
import { codeOf } from "../database-errors.ts";
import { type DatabaseAddress, type DatabaseHost, hostText, urlOf } from "./database-url.ts";
import { IDENTIFY_SERVER, OUTDATED_SERVER, type Timelines } from "./timelines.ts";

/** The answer of one server to a probe on a separate connection. */
export type ServerAnswer = {
  readonly host: DatabaseHost | null;
  readonly isWritable: boolean;
  /** This process's sessions on the server by process id; null if a connection pooler hides them. */
  readonly backends: ReadonlyMap<number, ServerSession> | null;
};

/** One of this process's sessions as the server sees it. */
export type ServerSession = {
  readonly ageSeconds: number;
  /** For how long the session has been idle; null while it runs a statement. */
  readonly idleSeconds: number | null;
};

/** The writable server and the servers that answered. */
export type ServerProbe = {
  readonly leader: ServerAnswer | null;
  readonly answers: readonly ServerAnswer[];
  /** Why the other servers did not answer, one sentence each. */
  readonly faults: readonly string[];
  /** A server is alive but has no free connection. */
  readonly isOutOfConnections: boolean;
  /** A server is writable but was replaced by another one before. */
  readonly isOutdated: boolean;
};

/** Opens a socket to a host. It connects and reports failures through its events. */
export type Dial = (host: DatabaseHost) => Socket;

const ANSWER_MILLISECONDS = 2_000;
const TOO_MANY_CONNECTIONS = "53300";

/** Probes all hosts at the same time. Returns when one accepts writes, when all have answered or after two seconds. */
export async function probeServers(address: DatabaseAddress, dial: Dial, timelines: Timelines): Promise<ServerProbe> {
  const hosts: readonly (DatabaseHost | null)[] = address.hosts.length === 0 ? [null] : address.hosts;
  const answers: ServerAnswer[] = [];
  const faults: string[] = [];
  let isOutOfConnections = false;
  let isOutdated = false;
  const asked = hosts.map(async (host) => {
    try {
      const answer = await askServer(address, host, dial, timelines);
      answers.push(answer);
      if (answer.isWritable) return answer;
      faults.push(`${nameOf(host)} is read-only`);
    } catch (error) {
      isOutOfConnections ||= codeOf(error) === TOO_MANY_CONNECTIONS;
      isOutdated ||= codeOf(error) === OUTDATED_SERVER;
      faults.push(`${nameOf(host)}: ${error instanceof Error ? error.message : String(error)}`);
    }
    throw new Error("not writable");
  });
  const leader = await Promise.any(asked).catch(() => null);
  return { leader, answers, faults, isOutOfConnections, isOutdated };
}

/** A TCP socket to one host for the driver. */
export function socketTo({ host, port }: DatabaseHost): Socket {
  return Object.assign(openSocket({ host, port }), { host, port });
}

/** A socket that fails at once. The driver does not recover if creating a socket throws. */
export function failedSocket(error: Error): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error));
  return socket;
}

async function askServer(address: DatabaseAddress, host: DatabaseHost | null, dial: Dial, timelines: Timelines): Promise<ServerAnswer> {
  const sql = postgres(urlOf(address, host), {
    max: 1,
    connect_timeout: ANSWER_MILLISECONDS / 1000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "corprail probe" },
    watch: { pool: () => {}, refused: () => {}, identify: IDENTIFY_SERVER, opened: timelines.refuse },
    ...(host === null ? {} : { socket: () => dial(host) }),
  });
  try {
    return await withinTime(ask(sql, host));
  } finally {
    void sql.end({ timeout: 0 });
  }
}

async function ask(sql: postgres.Sql, host: DatabaseHost | null): Promise<ServerAnswer> {
  const rows = await sql<{ own: number; writable: boolean; pid: number; age: number; idle: number | null }[]>`
    select pg_backend_pid() as own, not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable,
      pid, date_part('epoch', clock_timestamp() - backend_start)::float8 as age,
      case when state like 'idle%' then date_part('epoch', clock_timestamp() - state_change)::float8 end as idle
    from pg_stat_activity where datname = current_database() and usename = session_user`;
  const isWritable = rows[0]?.writable ?? false;
  // A connection pooler reports a different process id.
  const isDirect = rows.some((row) => row.pid === row.own) && rows.state.pid === rows[0]?.own;
  const backends = new Map(rows.map((row) => [row.pid, { ageSeconds: row.age, idleSeconds: row.idle }]));
  return { host, isWritable, backends: isDirect ? backends : null };
}

async function withinTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MILLISECONDS / 1000} s`)), ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

function nameOf(host: DatabaseHost | null): string {
  return host === null ? "the server" : hostText(host);
}
