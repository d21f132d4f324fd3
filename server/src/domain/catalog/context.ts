import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";

/** Dependencies of enabling and disabling services and operators. */
export type CatalogueContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Loads all committed changes into this process's memory. */
  readonly refresh: () => Promise<void>;
};

export type SwitchResult = { readonly kind: "done" } | { readonly kind: "not_found" };
