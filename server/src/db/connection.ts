import postgres from "postgres";
import { arrayTypes } from "./array-types.ts";

type Types = { readonly bigint: bigint };
export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Whatever a statement can be sent through: the pool, or a transaction. */
export type Queryable = postgres.ISql<Types>;

export type Database = {
  readonly sql: Sql;
  readonly close: () => Promise<void>;
};

const CLOSE_SECONDS = 5;
const MOST_BACKOFF_SECONDS = 0.5;

export type ConnectionOptions = {
  readonly url: string;
  readonly connections: number;
  /** The role the sessions act as; the URL's own user when null. */
  readonly role: string | null;
};

export function connect(options: ConnectionOptions): Database {
  const sql = postgres<{ bigint: postgres.PostgresType<bigint> }>(options.url, {
    max: options.connections,
    onnotice: () => {},
    connect_timeout: 10,
    // The driver's own waits up to 20 s, and forgets its count of failures too seldom: money does not wait so long.
    backoff: (failures) => Math.min(0.05 * 2 ** failures, MOST_BACKOFF_SECONDS),
    fetch_types: false,
    types: { ...arrayTypes(), bigint: postgres.BigInt },
    connection: { application_name: "corprail", ...(options.role === null ? {} : { role: options.role }) },
  });
  return { sql, close: () => sql.end({ timeout: CLOSE_SECONDS }) };
}
