import type { Clock } from "../../platform/core/clock.ts";
import type { Money } from "../../platform/core/money.ts";
import type { ObserveBatch } from "../../platform/db/batcher.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { isLocked, isOutage } from "../../platform/db/database-errors.ts";
import { createKeyedBatcher } from "../../platform/db/keyed-batcher.ts";
import type { Log } from "../../platform/observability/log.ts";
import { findLockedWallets } from "../ledger/store.ts";
import { runLockedWrite } from "./locked-write.ts";
import { accountOf, type Operation, type Written } from "./operations.ts";
import { planBatch } from "./plan.ts";
import { postPlan } from "./post-plan.ts";
import { withRetries } from "./with-retries.ts";

export type Writer = {
  /** Resolves after COMMIT. */
  readonly write: (operation: Operation) => Promise<Written>;
  /** About how long an operation of this account that is written now will take, or would after so many more. */
  readonly waitSeconds: (accountId: string, more?: number) => number;
  readonly load: () => number;
  /** Another session has locked this account's rows: what it asks for waits by itself. */
  readonly isBlocked: (accountId: string) => boolean;
  /** How long operations of several accounts have waited while nothing was committed; 0 while all is well. */
  readonly stalledMilliseconds: () => number;
};

export type WriterOptions = {
  /** Two quick batches are pipelined on its connection; with more connections, each has one. */
  readonly connection: Sql;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly processId: string;
  readonly log: Log;
  readonly maxItems?: number;
  readonly maxInFlight?: number;
  readonly observe?: ObserveBatch;
};

const MAX_ITEMS = 500;
const MAX_IN_FLIGHT = 2;
// Contract, section 9b: whoever waits is answered within ten seconds.
const PATIENCE_MILLISECONDS = 3_000;
const LASTING_MILLISECONDS = 60_000;

export function createWriter(options: WriterOptions): Writer {
  const batcher = createKeyedBatcher<Operation, Written>({
    keyOf: accountOf,
    run: (operations) => runBatch(options, operations),
    runForOneKey: (operations) => runIsolated(options, operations),
    findLocked: (accountIds) => findLockedWallets(options.sql, accountIds),
    patienceMilliseconds: patienceOf,
    maxItems: options.maxItems ?? MAX_ITEMS,
    maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
    observe: options.observe,
  });
  return {
    write: (operation) => writeLasting(options, batcher.submit, operation),
    waitSeconds: batcher.waitSeconds,
    load: batcher.load,
    isBlocked: batcher.isBlocked,
    stalledMilliseconds: batcher.stalledMilliseconds,
  };
}

/** Somebody waits for the answer; what the service owes by itself is written once the account is free again. */
function patienceOf(operation: Operation): number | null {
  const isOwed = operation.kind === "settle" || operation.kind === "fail over";
  return isOwed && !("audit" in operation && operation.audit !== undefined) ? null : PATIENCE_MILLISECONDS;
}

/** An order that a provider has ended is settled when the database is back, however long its client has been gone. */
async function writeLasting(
  { log }: WriterOptions,
  submit: (operation: Operation) => Promise<Written>,
  operation: Operation,
): Promise<Written> {
  const until = performance.now() + LASTING_MILLISECONDS;
  for (;;) {
    try {
      return unbroken(await submit(operation));
    } catch (error) {
      if (patienceOf(operation) !== null || !isOutage(error) || performance.now() > until) throw error;
      log.debug({ err: error, kind: operation.kind }, "an operation is written again once the database is back");
    }
  }
}

function unbroken(written: Written): Written {
  if (written.kind === "broken") throw written.error;
  return written;
}

async function runBatch(options: WriterOptions, operations: readonly Operation[]): Promise<readonly Written[]> {
  if (operations.every(isQuick)) {
    try {
      const at = options.clock.now();
      const available = await postPlan(options.connection, planBatch(operations, at), options.processId);
      return operations.map((operation) => ({ kind: "done", available: (available.get(accountOf(operation)) ?? 0n) as Money, at }));
    } catch (error) {
      if (isLocked(error)) throw error;
      // A known reference, thin money, or a lost connection: the careful way finds out, and finds what was written.
      options.log.debug({ err: error, operations: operations.length }, "a batch goes the careful way");
    }
  }
  return await runIsolated(options, operations);
}

function isQuick(operation: Operation): boolean {
  if (operation.kind === "settle")
    return operation.recheckAt === undefined && operation.audit === undefined && operation.ofAttempt === undefined && !operation.result;
  return operation.kind === "accept" || operation.kind === "watch";
}

/** A batch that fails as a whole is halved until what fails stands alone. */
async function runIsolated(options: WriterOptions, operations: readonly Operation[]): Promise<readonly Written[]> {
  try {
    return await withRetries(options.log, () => runLockedWrite(options.sql, operations, options.clock.now(), options.processId));
  } catch (error) {
    if (isLocked(error)) throw error;
    if (operations.length === 1 || isOutage(error)) return operations.map(() => ({ kind: "broken", error }));
    const middle = Math.ceil(operations.length / 2);
    const first = await runIsolated(options, operations.slice(0, middle));
    return [...first, ...(await runIsolated(options, operations.slice(middle)))];
  }
}
