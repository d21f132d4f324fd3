import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";

/** What a switch of the installation needs. */
export type CatalogueContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Takes every committed change into this process's memory. */
  readonly refresh: () => Promise<void>;
};

export type SwitchResult = { readonly kind: "done" } | { readonly kind: "not_found" };
