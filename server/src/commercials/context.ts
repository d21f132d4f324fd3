import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Sql } from "../db/connection.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";

export type CommercialsContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "entry">;
  readonly catalogue: Catalogue;
  /** Takes every committed change into this process's memory. */
  readonly refresh: () => Promise<void>;
};

/** Which fields are wrong, and why. */
export type Invalid = { readonly kind: "invalid"; readonly fields: Readonly<Record<string, string>> };
