import { ALWAYS_ACTIVE, type FollowedActivity, type Intervals, startInterval } from "../../platform/core/activity.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Range } from "../../platform/network/address.ts";
import { nameResolver } from "../../platform/network/name-resolver.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { Change } from "../audit/feed.ts";
import { sendNotice } from "./actions/send-notice.ts";
import { sendTest, type TestResult } from "./actions/send-test.ts";
import { countTest, type TooManyTests } from "./actions/test-budget.ts";
import { sendVersion3Test } from "./actions/version-3-test.ts";
import { LONGEST_WAIT_SECONDS } from "./delivery/back-off.ts";
import type { CallbacksContext, DeliveryLimits } from "./delivery/context.ts";
import { type Engine, startEngine } from "./delivery/engine.ts";
import { createKeys } from "./delivery/keys.ts";
import { type DeliveryMetrics, deliveryMetrics, NO_METRICS } from "./delivery/metrics.ts";
import { createSender, type Outcome, type Sender, type SenderOptions } from "./delivery/send.ts";
import { renewCallbacks, repairFutureTimes } from "./delivery/store.ts";

export type Callbacks = {
  /** Announces a new callback, so that it need not wait for the next poll. */
  readonly wake: () => void;
  /** Makes the waiting callbacks of these accounts due, because their settings may have changed. */
  readonly makeDue: (accountIds: readonly string[] | "all") => Promise<void>;
  /** Sends a test complaint once; null when the account has no complaint URL. */
  readonly sendTest: (accountId: string) => Promise<TestResult | TooManyTests | null>;
  /** Sends a signed version 3 test status once; null when the account has no callback URL. */
  readonly sendVersion3Test: (accountId: string) => Promise<TestResult | TooManyTests | null>;
  /** Posts fields once, signed with the account's callback secret. */
  readonly sendNotice: (accountId: string, url: string, fields: Readonly<Record<string, string>>) => Promise<Outcome>;
  readonly inFlight: () => number;
  /** Counts attempts. */
  readonly observer: DeliveryMetrics;
  readonly close: (graceMilliseconds?: number) => Promise<void>;
};

export type CallbacksDependencies = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly processId: string;
  readonly metrics?: Metrics;
  /** Instead of metrics: counts attempts together with those of another cell. */
  readonly observer?: DeliveryMetrics;
  /** Address ranges that are allowed in addition to public addresses. */
  readonly allow: readonly Range[];
  /** Overrides for tests: resolver, certificates and limits. */
  readonly sender?: Partial<SenderOptions>;
  /** Replaces the network: what sends the messages. */
  readonly transport?: Sender;
  readonly limits?: Partial<DeliveryLimits>;
  readonly chance?: () => number;
  readonly activity?: FollowedActivity;
};

const LIMITS: DeliveryLimits = { inFlight: 256, troubledInFlight: 128, slotsPerTarget: 8, leaseMilliseconds: 30_000 };
const GRACE_MILLISECONDS = 2_000;
// Settings that another process changes make this one active, and so does a clock that is set.
const SETTINGS_INTERVALS: Intervals = { everyMilliseconds: 1_000, quietMilliseconds: 60_000 };
// Clocks of different machines differ slightly; a larger difference means that a clock was set.
const CLOCK_MARGIN_MILLISECONDS = 30_000;
// The settings of all accounts stay outdated during this wait, and another session's lock could prolong it.
const MAKE_DUE_WAIT_MILLISECONDS = 300;

/** Starts the engine that delivers the callbacks of the outbox. Every process may run one. */
export async function startCallbacks(deps: CallbacksDependencies): Promise<Callbacks> {
  const { sql, clock } = deps;
  const ctx: CallbacksContext = {
    sql,
    clock,
    ids: deps.ids,
    log: deps.log,
    processId: deps.processId,
    sender: deps.transport ?? createSender({ resolve: nameResolver(), allow: deps.allow, ...deps.sender }),
    keys: createKeys(deps.vault),
    metrics: deps.metrics ? deliveryMetrics(sql, clock, deps.metrics) : (deps.observer ?? NO_METRICS),
    limits: { ...LIMITS, ...deps.limits },
    chance: deps.chance ?? Math.random,
    activity: deps.activity ?? ALWAYS_ACTIVE,
  };
  const isLeft = await repairTimes(ctx);
  await renewCallbacks(sql, clock.now(), "all");
  const engine = startEngine(ctx);
  const endWatch = watchSettings(ctx, engine, isLeft);
  return {
    wake: engine.wake,
    makeDue: async (accountIds) => {
      await renewCallbacks(sql, clock.now(), accountIds);
      engine.wake();
    },
    sendTest: async (accountId) => (await countTest(ctx, accountId)) ?? (await sendTest(ctx, accountId)),
    sendVersion3Test: async (accountId) => (await countTest(ctx, accountId)) ?? (await sendVersion3Test(ctx, accountId)),
    sendNotice: (accountId, url, fields) => sendNotice(ctx, accountId, url, fields),
    inFlight: engine.inFlight,
    observer: ctx.metrics,
    close: async (graceMilliseconds = GRACE_MILLISECONDS) => {
      await endWatch();
      await engine.close(graceMilliseconds);
      await ctx.sender.close();
    },
  };
}

/** Returns whether some times are still wrong because another session has locked their rows. */
async function repairTimes(ctx: CallbacksContext): Promise<boolean> {
  const margin = (ctx.limits.leaseMilliseconds + CLOCK_MARGIN_MILLISECONDS) / 1000;
  const { fixed, isLeft } = await repairFutureTimes(ctx.sql, ctx.clock.now(), LONGEST_WAIT_SECONDS, margin);
  if (fixed > 0) ctx.log.warn({ callbacks: fixed }, "callbacks had a due time in the future from a wrong clock; they are due now");
  return isLeft;
}

/** Checks once a second, rarely while the process is quiet, for settings changed by other processes and for a clock that was set. */
function watchSettings(ctx: CallbacksContext, engine: Engine, isLeftFromStart: boolean): () => Promise<void> {
  let running: Promise<void> | null = null;
  let offset = ctx.clock.now() - performance.now();
  let mayBeWrong = isLeftFromStart;
  const look = async () => {
    const before = offset;
    offset = ctx.clock.now() - performance.now();
    mayBeWrong ||= offset < before - CLOCK_MARGIN_MILLISECONDS;
    if (mayBeWrong) mayBeWrong = await repairTimes(ctx);
    if ((await renewCallbacks(ctx.sql, ctx.clock.now(), "all")) > 0) engine.wake();
  };
  const start = () => {
    running ??= look()
      .catch((error: unknown) => ctx.log.warn({ err: error }, "checking for changed callback settings failed; will retry"))
      .finally(() => {
        running = null;
      });
  };
  const end = startInterval(start, SETTINGS_INTERVALS, ctx.activity);
  return async () => {
    end();
    await running;
  };
}

/**
 * Makes waiting callbacks due after a change of the account's callback settings, before the change is acknowledged. If that
 * takes too long, the engine does it, which checks for changed settings once a second.
 */
export function callbackChanges(callbacks: Pick<Callbacks, "makeDue">, log: Log): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    const accountIds = changes.filter((change) => change.kind === "account").map((change) => change.id);
    if (accountIds.length === 0) return;
    const due = callbacks.makeDue(accountIds).catch((error: unknown) => {
      log.warn({ err: error }, "making callbacks of changed settings due failed; will retry");
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAKE_DUE_WAIT_MILLISECONDS);
    });
    await Promise.race([due, late]);
    clearTimeout(timer);
  };
}
