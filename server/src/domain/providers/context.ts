import type { Clock } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { ModeSetting } from "./mode/mode.ts";
import type { Egress } from "./wire/exchange.ts";

/** Dependencies of changes to providers or routes. */
export type ProvidersContext = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Loads all committed changes into this process's memory. */
  readonly refresh: () => Promise<void>;
  /** CORPRAIL_MODE. The mode stored in the database applies as well. */
  readonly modeSetting?: ModeSetting | undefined;
};

/** The same for saving descriptions, whose addresses are checked. */
export type SaveContext = ProvidersContext & { readonly egress: Egress };
