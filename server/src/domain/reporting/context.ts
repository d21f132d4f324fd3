import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";

export type OverviewContext = {
  /** Home's database. */
  readonly sql: Sql;
  /** With several cells: the databases of the other cells that answer, and whether all of them do. */
  readonly otherCells?: () => { readonly databases: readonly Sql[]; readonly isComplete: boolean };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Pick<Log, "info" | "warn">;
};
