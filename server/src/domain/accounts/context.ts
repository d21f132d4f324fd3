import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";

/** Dependencies of changes to an account. */
export type AccountsContext = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Loads all committed changes into this process's memory, so that they apply before the caller is answered. */
  readonly refresh: () => Promise<void>;
  /** With several cells, at home: the database that holds an account. */
  readonly sqlOf?: (accountId: string) => Sql;
  /** In a cell beside home: records at home that a new account is in this cell. */
  readonly assign?: (accountId: string) => Promise<void>;
};

export type NotFound = { readonly kind: "not_found" };
export type Conflict = { readonly kind: "conflict"; readonly reason: string };
export type Done = { readonly kind: "done" };

/** The person's reason for the change, for the audit log. */
export type WithReason = { readonly reason?: string | undefined };
