import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";

/** What a change of an account needs. */
export type AccountsContext = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Takes every committed change into this process's memory, so that it holds before the caller is answered. */
  readonly refresh: () => Promise<void>;
};

export type NotFound = { readonly kind: "not_found" };
export type Conflict = { readonly kind: "conflict"; readonly reason: string };
export type Done = { readonly kind: "done" };

/** Why a person made the change, in their words; kept in the audit trail. */
export type WithReason = { readonly reason?: string | undefined };
