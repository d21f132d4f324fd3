import { sweepCalls } from "../calls/sweep-calls.ts";
import type { Sql } from "../db/connection.ts";
import { sweepNonces } from "../gate/sweep-nonces.ts";
import { ledgerWatch } from "../ledger/watch-ledger.ts";
import { saveWatch } from "../ledger/watch-store.ts";
import type { Board } from "../observe/board.ts";
import type { Metrics } from "../observe/metrics.ts";
import { beat, farewell, recoverOrders } from "../orders/heartbeat.ts";
import { pollOrders } from "../orders/poll-orders.ts";
import { redateWatches } from "../orders/watch-store.ts";
import type { PeopleContext } from "../people/context.ts";
import { sweepPeople } from "../people/sweep.ts";
import type { CancelContext } from "../services/bus/context.ts";
import { finishForgotten } from "../services/bus/finish-cancellation.ts";
import { type Repeated, repeat } from "./repeat.ts";

// A step over an account with 50,000 orders takes a second or two.
const LEDGER_REST = 60;

/** Everything that has to happen without being asked for. Several processes may run it at once. */
export async function startHousekeeping(
  ctx: CancelContext & {
    readonly people: PeopleContext;
    readonly board: Board;
    /** Connections without the time limit of requests. */
    readonly longWork: Sql;
  },
  metrics: Metrics,
  more: readonly Repeated[] = [],
): Promise<() => Promise<void>> {
  await beat(ctx);
  const redated = await redateWatches(ctx.sql, ctx.clock.now());
  if (redated > 0) ctx.log.warn({ orders: redated }, "orders waited for a time that a wrong clock gave them; they are asked about now");
  await recoverOrders(ctx);
  const { board, longWork } = ctx;
  metrics.gauge(
    "corprail_ledger_violations",
    "What the running check of the ledger has found; must be 0.",
    () => board.ledger().violations,
  );
  const watchLedger = ledgerWatch({
    ...ctx,
    sql: longWork,
    report: async (state) => {
      board.checkedLedger(state.violations);
      await saveWatch(ctx, state);
    },
  });
  const jobs: readonly Repeated[] = [
    { name: "heartbeat", everyMilliseconds: 1_000, run: () => beat(ctx) },
    { name: "order polls", everyMilliseconds: 200, run: () => pollOrders(ctx) },
    { name: "order recovery", everyMilliseconds: 5_000, run: () => recoverOrders(ctx) },
    { name: "bus cancellations", everyMilliseconds: 10_000, run: () => finishForgotten(ctx) },
    { name: "ledger check", everyMilliseconds: 5_000, run: watchLedger, restTimes: LEDGER_REST },
    { name: "session sweep", everyMilliseconds: 60_000, run: () => sweepPeople(ctx.people) },
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(longWork, ctx.clock) },
    { name: "call log sweep", everyMilliseconds: 60_000, run: () => sweepCalls(longWork, ctx.clock.now()) },
    ...more,
  ];
  const ends = jobs.map((job) => repeat(job, ctx.log, board));
  return async () => {
    await Promise.all(ends.map((end) => end()));
    await farewell(ctx);
  };
}
