import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Catalogue } from "../catalog/catalogue.ts";

export type PricingContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "entry">;
  readonly catalogue: Catalogue;
  /** With several cells: the database that holds an account. */
  readonly sqlOf?: (accountId: string) => Sql;
  /** Loads all committed changes into this process's memory. */
  readonly refresh: () => Promise<void>;
};

/** The invalid fields and the reasons. */
export type Invalid = { readonly kind: "invalid"; readonly fields: Readonly<Record<string, string>> };
