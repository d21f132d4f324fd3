import type { Clock } from "../../../platform/core/clock.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import type { ObserveBatch } from "../../../platform/db/batching/batcher.ts";
import { createKeyedBatcher } from "../../../platform/db/batching/keyed-batcher.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { isLocked, isOutage } from "../../../platform/db/database-errors.ts";
import type { Log } from "../../../platform/observability/log.ts";
import { findLockedWallets } from "../../ledger/store.ts";
import type { AttemptRecord } from "../attempts/store.ts";
import { runLockedWrite } from "./locked-write.ts";
import { accountOf, evidenceOf, type Operation, type Written } from "./operations.ts";
import { planBatch } from "./plan.ts";
import { postPlan } from "./post-plan.ts";
import { withRetries } from "./with-retries.ts";

export type Writer = {
  /** Resolves after COMMIT. */
  readonly write: (operation: Operation) => Promise<Written>;
  /** Estimated seconds until an operation of this account, submitted now or behind `more` others, is written. */
  readonly waitSeconds: (accountId: string, more?: number) => number;
  readonly load: () => number;
  /** Whether this account's operations are queued separately, because another session has locked its rows. */
  readonly isBlocked: (accountId: string) => boolean;
  /** How long operations of several accounts have waited without any commit; 0 when batches are being committed. */
  readonly stalledMilliseconds: () => number;
};

export type WriterOptions = {
  /** Two optimistic batches are pipelined on this connection; with several connections, each has one. */
  readonly connection: Sql;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly processId: string;
  readonly log: Log;
  /** Writes evidence by itself, after the change that it belongs to could not be written with it. */
  readonly writeEvidence?: (evidence: AttemptRecord) => Promise<void>;
  readonly maxItems?: number;
  readonly maxInFlight?: number;
  readonly observe?: ObserveBatch;
};

const MAX_ITEMS = 500;
const MAX_IN_FLIGHT = 2;
// Contract, section 9b: clients are answered within ten seconds.
const PATIENCE_MILLISECONDS = 3_000;
const OUTAGE_MILLISECONDS = 60_000;

export function createWriter(options: WriterOptions): Writer {
  const batcher = createKeyedBatcher<Operation, Written>({
    keyOf: accountOf,
    run: (operations) => runBatch(options, operations),
    runForOneKey: (operations) => runLocked(options, operations),
    findLocked: (accountIds) => findLockedWallets(options.sql, accountIds),
    patienceMilliseconds: waitLimitOf,
    maxItems: options.maxItems ?? MAX_ITEMS,
    maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
    traceName: "order batch",
    observe: options.observe,
  });
  return {
    write: (operation) => writeThroughOutage(options.log, batcher.submit, operation),
    waitSeconds: batcher.waitSeconds,
    load: batcher.load,
    isBlocked: batcher.isBlocked,
    stalledMilliseconds: batcher.stalledMilliseconds,
  };
}

/** Requests wait a limited time. Settlements, which the service owes on its own, wait until the account's rows are unlocked. */
function waitLimitOf(operation: Operation): number | null {
  const isOwed = operation.kind === "settle" || operation.kind === "fail over";
  return isOwed && !("audit" in operation && operation.audit !== undefined) ? null : PATIENCE_MILLISECONDS;
}

type Submit = (operation: Operation) => Promise<Written>;

/**
 * Retries the settlement of an order until the database is back, even when its client is gone. Not an async function,
 * because that would cost another promise for each of an order's two writes.
 */
function writeThroughOutage(
  log: Log,
  submit: Submit,
  operation: Operation,
  until = performance.now() + OUTAGE_MILLISECONDS,
): Promise<Written> {
  const retry = (error: unknown): Promise<Written> => {
    if (waitLimitOf(operation) !== null || !isOutage(error) || performance.now() > until) throw error;
    log.debug({ err: error, kind: operation.kind }, "operation will be written again when the database is back");
    return writeThroughOutage(log, submit, operation, until);
  };
  return submit(operation).then((written) => (written.kind === "failed" ? retry(written.error) : written), retry);
}

async function runBatch(options: WriterOptions, operations: readonly Operation[]): Promise<readonly Written[]> {
  if (operations.every(isOptimistic)) {
    try {
      const at = options.clock.now();
      const available = await postPlan(options.connection, planBatch(operations, at), options.processId, evidenceOf(operations));
      return operations.map((operation) => ({ kind: "done", available: moneyOf(available.get(accountOf(operation)) ?? 0n), at }));
    } catch (error) {
      if (isLocked(error)) throw error;
      // A known reference, insufficient funds or a lost connection: the locked write decides, and finds what was written.
      options.log.debug({ err: error, operations: operations.length }, "optimistic write failed; using the locked write");
    }
  }
  return await runLocked(options, operations);
}

function isOptimistic(operation: Operation): boolean {
  if (operation.kind === "settle")
    return operation.recheckAt === undefined && operation.audit === undefined && operation.ofAttempt === undefined && !operation.result;
  return operation.kind === "accept" || operation.kind === "schedule poll";
}

/** Splits a failing batch in halves until the operation that fails is alone. */
async function runLocked(options: WriterOptions, operations: readonly Operation[]): Promise<readonly Written[]> {
  try {
    return await withRetries(options.log, () => runLockedWrite(options.sql, operations, options.clock.now(), options.processId));
  } catch (error) {
    if (isLocked(error)) throw error;
    if (isOutage(error)) return operations.map(() => ({ kind: "failed", error }));
    const [only] = operations;
    if (only !== undefined && operations.length === 1) return [await writeWithoutEvidence(options, only, error)];
    const middle = Math.ceil(operations.length / 2);
    const first = await runLocked(options, operations.slice(0, middle));
    return [...first, ...(await runLocked(options, operations.slice(middle)))];
  }
}

/** An order's change must be written even if its evidence cannot be, and the evidence even if the change cannot be. */
async function writeWithoutEvidence(options: WriterOptions, operation: Operation, error: unknown): Promise<Written> {
  if (!("evidence" in operation) || !operation.evidence) return { kind: "failed", error };
  const { evidence } = operation;
  const [written] = await runLocked(options, [{ ...operation, evidence: null }]);
  await options.writeEvidence?.(evidence);
  return written ?? { kind: "failed", error };
}
