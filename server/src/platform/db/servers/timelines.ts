import { failure } from "../database-errors.ts";

/**
 * The server of a session: its database cluster, and its timeline, a number that grows whenever a standby becomes the primary.
 * The timeline is null on a standby, and wherever the server does not tell it.
 */
export type ServerIdentity = { readonly system: string; readonly timeline: string | null };

/** Reads a `ServerIdentity`. The name of a WAL file begins with its timeline, in eight hexadecimal digits. */
export const IDENTIFY_SERVER = `
  select system_identifier::text as system,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
  from pg_control_system()`;

export const OUTDATED_SERVER = "CONNECTION_OUTDATED_SERVER";

/** The newest timeline that this process has seen at one database address. */
export type Timelines = {
  /** Returns why a server must not be used: an earlier session was on a later timeline of the same cluster. Null if it may. */
  readonly refuse: (server: ServerIdentity) => Error | null;
  /** Whether the server's timeline is later than that of all sessions before. */
  readonly advance: (server: ServerIdentity) => boolean;
};

export function createTimelines(): Timelines {
  let newest: ServerIdentity | null = null;
  const newestOf = ({ system }: ServerIdentity) => (newest?.system === system ? (newest.timeline ?? "") : "");
  return {
    refuse: (server) => (server.timeline !== null && server.timeline < newestOf(server) ? outdatedServer() : null),
    advance: (server) => {
      if (server.timeline === null || server.timeline <= newestOf(server)) return false;
      const isFirst = newest === null;
      newest = server;
      return !isFirst;
    },
  };
}

export function outdatedServer(): Error {
  return failure(OUTDATED_SERVER, "The database server was replaced by another one and lacks what that one has committed.");
}
