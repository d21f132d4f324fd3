import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Range } from "../../platform/network/address.ts";
import { nameResolver } from "../../platform/network/name-resolver.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import { LONGEST_WAIT_SECONDS } from "./back-off.ts";
import type { CallbacksContext, DeliveryLimits } from "./context.ts";
import { type Engine, startEngine } from "./engine.ts";
import { createKeys } from "./keys.ts";
import { deliveryMetrics, NO_METRICS } from "./metrics.ts";
import { createSender, type SenderOptions } from "./send.ts";
import { sendTest, type TestResult } from "./send-test.ts";
import { fixFutureTimes, renewCallbacks } from "./store.ts";
import { type TooManyTests, takeTest } from "./test-budget.ts";
import { sendVersion3Test } from "./version-3-test.ts";

export type Callbacks = {
  /** A callback was written: it need not wait for the next poll. */
  readonly wake: () => void;
  /** The settings of these accounts may have changed: what waits goes out at once, with those of now. */
  readonly makeDue: (accountIds: readonly string[] | "all") => Promise<void>;
  /** Sends a test complaint, once; null when the account has no complaint URL. */
  readonly sendTest: (accountId: string) => Promise<TestResult | TooManyTests | null>;
  /** Sends a signed version 3 test status, once; null when the account has no callback URL. */
  readonly sendVersion3Test: (accountId: string) => Promise<TestResult | TooManyTests | null>;
  readonly inFlight: () => number;
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
  /** Ranges that are admitted beside public addresses. */
  readonly allow: readonly Range[];
  /** For trials: another name server, other certificates, other limits. */
  readonly sender?: Partial<SenderOptions>;
  readonly limits?: Partial<DeliveryLimits>;
  readonly chance?: () => number;
};

const LIMITS: DeliveryLimits = { inFlight: 256, troubledInFlight: 128, slotsPerTarget: 8, leaseMilliseconds: 30_000 };
const GRACE_MILLISECONDS = 2_000;
const SETTINGS_MILLISECONDS = 1_000;
// Clocks of several machines differ a little; more than this is a clock that was set.
const CLOCK_MARGIN_MILLISECONDS = 30_000;

/** The engine that delivers what stands in the outbox. Every process may run one. */
export async function startCallbacks(deps: CallbacksDependencies): Promise<Callbacks> {
  const { sql, clock } = deps;
  const ctx: CallbacksContext = {
    sql,
    clock,
    ids: deps.ids,
    log: deps.log,
    processId: deps.processId,
    sender: createSender({ resolve: nameResolver(), allow: deps.allow, ...deps.sender }),
    keys: createKeys(deps.vault),
    metrics: deps.metrics ? deliveryMetrics(sql, clock, deps.metrics) : NO_METRICS,
    limits: { ...LIMITS, ...deps.limits },
    chance: deps.chance ?? Math.random,
  };
  const isLeft = await fixTimes(ctx);
  await renewCallbacks(sql, clock.now(), "all");
  const engine = startEngine(ctx);
  const endWatch = watchSettings(ctx, engine, isLeft);
  return {
    wake: engine.wake,
    makeDue: async (accountIds) => {
      await renewCallbacks(sql, clock.now(), accountIds);
      engine.wake();
    },
    sendTest: async (accountId) => (await takeTest(ctx, accountId)) ?? (await sendTest(ctx, accountId)),
    sendVersion3Test: async (accountId) => (await takeTest(ctx, accountId)) ?? (await sendVersion3Test(ctx, accountId)),
    inFlight: engine.inFlight,
    close: async (graceMilliseconds = GRACE_MILLISECONDS) => {
      await endWatch();
      await engine.close(graceMilliseconds);
      await ctx.sender.close();
    },
  };
}

/** Whether some times are still wrong, because somebody has locked them. */
async function fixTimes(ctx: CallbacksContext): Promise<boolean> {
  const margin = (ctx.limits.leaseMilliseconds + CLOCK_MARGIN_MILLISECONDS) / 1000;
  const { fixed, isLeft } = await fixFutureTimes(ctx.sql, ctx.clock.now(), LONGEST_WAIT_SECONDS, margin);
  if (fixed > 0) ctx.log.warn({ callbacks: fixed }, "callbacks waited for a time that a wrong clock gave them; they are due now");
  return isLeft;
}

/** Other processes change settings too, and clocks are set: both are looked for once a second. */
function watchSettings(ctx: CallbacksContext, engine: Engine, isLeftFromStart: boolean): () => Promise<void> {
  let running: Promise<void> | null = null;
  let offset = ctx.clock.now() - performance.now();
  let mayBeWrong = isLeftFromStart;
  const look = async () => {
    const before = offset;
    offset = ctx.clock.now() - performance.now();
    mayBeWrong ||= offset < before - CLOCK_MARGIN_MILLISECONDS;
    if (mayBeWrong) mayBeWrong = await fixTimes(ctx);
    if ((await renewCallbacks(ctx.sql, ctx.clock.now(), "all")) > 0) engine.wake();
  };
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: unknown) => ctx.log.warn({ err: error }, "changed callback settings could not be looked for; it is tried again"))
      .finally(() => {
        running = null;
      });
  }, SETTINGS_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
