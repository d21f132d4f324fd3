import { accountWith } from "../../../api/client/gate/testing/account.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { randomIds } from "../../../platform/core/ids.ts";
import { type Money, moneyOf } from "../../../platform/core/money.ts";
import { connect, type Sql } from "../../../platform/db/connection.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { type CheckResult, checkLedger } from "../../ledger/invariants.ts";
import { readWallet } from "../../ledger/store.ts";
import { type Pricing, pricingOf } from "../../pricing/pricing.ts";
import type { Connector } from "../../providers/connector.ts";
import { createProviderBalances } from "../../providers/health/balances.ts";
import { createProviderReferences } from "../../providers/references.ts";
import { storedDetailsReader } from "../../services/stored-details.ts";
import { createAttemptRecords } from "../attempts/attempt-records.ts";
import type { OrdersContext, Reach } from "../context.ts";
import type { Order } from "../order.ts";
import { createOrdersInProgress } from "../orders-in-progress.ts";
import type { NewOrder } from "../place-order.ts";
import { createWriter } from "../write/writer.ts";

export const ids = randomIds();

export type ProcessOptions = {
  /** By name; tried in this order. */
  readonly providers?: Readonly<Record<string, Connector>>;
  readonly replyWaitMilliseconds?: number;
  readonly maxItems?: number;
  /** What is agreed on; nothing otherwise. */
  readonly pricing?: Pick<Pricing, "agree" | "feeRate">;
};

/** A process of the service, as far as orders go. */
export type OrdersProcess = { readonly ctx: OrdersContext; readonly connection: Sql };

export type OrdersFixture = {
  readonly database: TestDatabase;
  /** The tables' owner, who can break what the application cannot. */
  readonly owner: Sql;
  readonly clock: { readonly now: () => number; readonly advance: (milliseconds: number) => void };
  readonly startProcess: (options?: ProcessOptions) => OrdersProcess;
  /** A new account with that many rupees. */
  readonly newAccount: (process: OrdersProcess, rupees: number) => Promise<string>;
  /** Spendable rupees. */
  readonly balance: (accountId: string) => Promise<number>;
  readonly violations: () => Promise<readonly CheckResult[]>;
  readonly close: () => Promise<void>;
};

export async function createOrdersFixture(): Promise<OrdersFixture> {
  const database = await testDatabase();
  const owner = connect({ url: database.url, connections: 2, role: null });
  const clock = movableClock();
  const closers: (() => Promise<void>)[] = [];
  return {
    database,
    owner: owner.sql,
    clock,
    startProcess: (options = {}) => {
      const connection = connect({ url: database.url, connections: 1, role: "corprail_app", purpose: "batches" });
      closers.push(connection.close);
      return { ctx: contextOf(database.sql, connection.sql, clock, options), connection: connection.sql };
    },
    newAccount: async (process, rupees) => {
      const accountId = ids.account();
      if (rupees > 0) await process.ctx.writer.write({ kind: "topup", accountId, amount: money(rupees), reference: "first", note: "" });
      return accountId;
    },
    balance: async (accountId) => Number((await readWallet(database.sql, accountId)).available) / 10_000,
    violations: async () => (await checkLedger(database.sql)).filter((check) => check.violations > 0),
    close: async () => {
      await Promise.all(closers.map((close) => close()));
      await owner.close();
      await database.drop();
    },
  };
}

export function contextOf(sql: Sql, connection: Sql, clock: Clock, options: ProcessOptions = {}): OrdersContext {
  const log = createLog("silent");
  const processId = ids.entry(clock.now());
  const providers = options.providers ?? {};
  const attempts = createAttemptRecords({ sql, log });
  return {
    sql,
    references: createProviderReferences(sql, clock),
    readStoredDetails: storedDetailsReader(sql),
    writer: createWriter({
      connection,
      sql,
      clock,
      processId,
      log,
      writeEvidence: attempts.write,
      ...(options.maxItems === undefined ? {} : { maxItems: options.maxItems }),
    }),
    inProgress: createOrdersInProgress(),
    attempts,
    balances: createProviderBalances({ sql }),
    providerRegistry: {
      providersFor: ({ accepts = () => true }) => Object.keys(providers).filter(accepts),
      reach: () => EVERYTHING,
      serves: () => true,
      mayServe: () => true,
      isBarred: () => false,
      connector: (provider) => providers[provider] ?? null,
      versionFor: () => null,
      secretsChangedAt: () => null,
      noteOutcome: () => {},
    },
    isSandbox: () => false,
    pricing: options.pricing ?? pricingOf([]),
    clock,
    ids,
    log,
    processId,
    otherCells: () => [],
    stopping: new AbortController().signal,
    wakeCallbacks: () => {},
    replyWaitMilliseconds: options.replyWaitMilliseconds ?? 5_000,
  };
}

const EVERYTHING: Reach = { own: new Map(), takes: () => true };

function movableClock(): OrdersFixture["clock"] {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

export function money(rupees: number): Money {
  return moneyOf(BigInt(Math.round(rupees * 10_000)));
}

/** A new recharge of ten rupees, with what the test is about changed. */
export function newOrder(accountId: string, more: Partial<Order> = {}): Order {
  const now = more.createdAt ?? Date.now();
  const orderId = ids.order(now);
  return {
    accountId,
    orderId,
    service: "recharge",
    reference: orderId,
    operation: "",
    fingerprint: "AT 9876543000 10.0000",
    state: "pending",
    amount: money(10),
    amountText: "10",
    fee: money(0),
    commission: money(0),
    credit: false,
    refunded: null,
    target: "9876543000",
    operator: "AT",
    circle: null,
    provider: "first",
    providerVersion: null,
    attempt: 1,
    operatorRef: null,
    failure: null,
    answeredPending: false,
    createdAt: now,
    updatedAt: now,
    ...more,
  };
}

/** A client's request for a recharge of ten rupees. */
export function newRequest(accountId: string, more: Partial<NewOrder> = {}): NewOrder {
  return {
    account: accountWith({ accountId }),
    service: "recharge",
    reference: ids.request(),
    operation: "",
    fingerprint: "AT 9876543000 10.0000",
    amount: money(10),
    amountText: "10",
    fee: money(0),
    credit: false,
    target: "9876543000",
    operator: "AT",
    circle: null,
    ...more,
  };
}
