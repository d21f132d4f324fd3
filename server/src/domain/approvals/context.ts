import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Agreed, ApprovalKind } from "./approval.ts";

export type Outcome =
  | { readonly kind: "done"; readonly result: JsonObject }
  /** The action is no longer possible. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The action is recorded and continues outside the transaction: `resume` is called until it ends. */
  | { readonly kind: "begun" };

/**
 * Runs in the transaction that ends the approval, with its row locked, so that both happen once or not at all. It must be
 * fast. Its audit entries have the approver as actor and contain `approvedDetails`.
 */
export type Run = (tx: Transaction, approval: Agreed, at: number) => Promise<Outcome>;

/** Carries out approved actions of one kind. */
export type Executor = {
  readonly run: Run;
  /**
   * Called before the transaction, for what takes longer, such as a question to a provider. What it returns runs instead of
   * `run`. If it fails, the action is retried later.
   */
  readonly prepare?: (approval: Agreed) => Promise<Run>;
  /** For actions that return `begun`. It may be called repeatedly and concurrently; `begun` means not finished yet. */
  readonly resume?: (approval: Agreed) => Promise<Outcome>;
  /** Runs after the commit, for example to wake the callback delivery or to refresh memory. */
  readonly after?: (approval: Agreed) => Promise<void> | void;
};

export type Executors = { readonly [Kind in ApprovalKind]?: Executor };

export type ApprovalsContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Log;
  /** By kind; other modules add theirs at startup. */
  readonly executors: Executors;
  /** With several cells, at home: the database that holds an account. Amounts are counted there. */
  readonly sqlOf?: ((accountId: string) => Sql) | undefined;
};
