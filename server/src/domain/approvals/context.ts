import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Agreed, ApprovalKind } from "./approval.ts";

export type Outcome =
  | { readonly kind: "done"; readonly result: JsonObject }
  /** It cannot be done any more. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It is on record and goes on outside the transaction: `carryOn` is asked until it has ended. */
  | { readonly kind: "begun" };

/** How an approved action of one kind is done. */
export type Executor = {
  /**
   * Runs in the transaction that ends the approval, with its row locked: both happen or neither, and once. Nothing slow.
   * Its audit entries name the one who decided as actor and carry `approvedDetails`.
   */
  readonly run: (tx: Transaction, one: Agreed, at: number) => Promise<Outcome>;
  /** For those that answer `begun`. May be asked again, also at the same time; `begun` means: not yet. */
  readonly carryOn?: (one: Agreed) => Promise<Outcome>;
  /** After the commit: callbacks to wake, memory to refresh. */
  readonly after?: (one: Agreed) => Promise<void> | void;
};

export type Executors = { readonly [Kind in ApprovalKind]?: Executor };

export type ApprovalsContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Log;
  /** By kind; other rooms add theirs where the service is put together. */
  readonly executors: Executors;
};
