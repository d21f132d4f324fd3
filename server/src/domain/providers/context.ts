import type { Clock } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { ModeSetting } from "./mode.ts";
import type { Egress } from "./wire/exchange.ts";

/** What a change of providers or routes needs. */
export type ProvidersContext = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Takes every committed change into this process's memory. */
  readonly refresh: () => Promise<void>;
  /** CORPRAIL_MODE; what the database says holds as well. */
  readonly modeSetting?: ModeSetting | undefined;
};

/** The same for saving descriptions, whose addresses are checked. */
export type SaveContext = ProvidersContext & { readonly egress: Egress };
