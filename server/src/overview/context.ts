import type { Vault } from "../accounts/vault.ts";
import type { Sql } from "../db/connection.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Log } from "../observe/log.ts";

export type OverviewContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Pick<Log, "info" | "warn">;
};
