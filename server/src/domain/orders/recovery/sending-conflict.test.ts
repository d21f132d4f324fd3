import { afterAll, beforeAll, expect, test } from "vitest";
import { lockWallets } from "../../ledger/store.ts";
import { changeInTransaction } from "../change-in-transaction.ts";
import { settleManually } from "../change-manually.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newOrder, type OrdersFixture } from "../testing/fixture.ts";
import { accept, watch } from "../testing/operations.ts";
import { claimDuePolls, postponePoll } from "./pending-poll-store.ts";
import { sendingConflict } from "./sending-conflict.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

/** Waits until a session waits for a lock. */
async function someoneWaits(): Promise<void> {
  for (;;) {
    const waiting = await fixture.owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
    if (waiting.length > 0) return;
  }
}

test("a manual settlement and a poll that did not find the order wait for each other in turn, and both end", async () => {
  const process = fixture.startProcess();
  const { ctx } = process;
  const accountId = await fixture.newAccount(process, 100);
  const order = newOrder(accountId);
  await ctx.writer.write(accept(order));
  await ctx.writer.write(watch(order));
  fixture.clock.advance(10 * 60_000);
  const [poll] = await claimDuePolls(ctx.sql, fixture.clock.now(), 1);
  if (!poll) throw new Error("The order is not polled.");
  let postponed: Promise<void> = Promise.resolve();
  const settled = await ctx.sql.begin(async (tx) => {
    await lockWallets(tx, [accountId]);
    expect(await sendingConflict(ctx, tx, order)).toBeNull();
    postponed = postponePoll(ctx.sql, poll, fixture.clock.now() + 60_000, { notFound: 1, attempt: 1, why: null });
    postponed.catch(() => {});
    await someoneWaits();
    const request = { orderId: order.orderId, to: "FAILED", operatorRef: null, reason: "the provider wrote so" } as const;
    return await settleManually(changeInTransaction(ctx, tx, new Date(fixture.clock.now())), "staff:S1", request);
  });
  await postponed;
  expect(settled).toEqual({ kind: "done" });
  expect(await findById(ctx.sql, order.orderId)).toMatchObject({ state: "FAILED" });
});
