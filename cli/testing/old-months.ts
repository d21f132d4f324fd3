import type { Order } from "../../server/src/domain/orders/order.ts";
import { ids, money, newOrder, type OrdersFixture, type OrdersProcess } from "../../server/src/domain/orders/testing/fixture.ts";
import { accept, settle, topUp } from "../../server/src/domain/orders/testing/operations.ts";
import { indiaMonth, indiaMonthSpan } from "../../server/src/platform/core/india-time.ts";
import { archiveCommands, createArchiveFixture } from "./archive-fixture.ts";
import { scratchFolder } from "./client.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

/** An account with orders in months that are over, and the commands that archive them. */
export type OldMonths = {
  readonly fixture: OrdersFixture;
  readonly process: OrdersProcess;
  readonly accountId: string;
  readonly folder: string;
  /** Moves the clock into the month that is so many months ago, and returns that month. */
  readonly goTo: (monthsAgo: number, days?: number) => string;
  /** Writes an order that has succeeded, at the time of the clock. */
  readonly succeeded: () => Promise<Order>;
  readonly run: ReturnType<typeof archiveCommands>;
  readonly move: (keepMonths: number) => Promise<unknown>;
};

/** The account has money since seven months ago; the clock is right. */
export async function createOldMonths(): Promise<OldMonths> {
  const { fixture, process } = await createArchiveFixture();
  const [accountId, folder] = [ids.account(), scratchFolder()];
  const goTo = (monthsAgo: number, days = 10) => {
    const at = beginningOf(monthsAgo) + (monthsAgo === 0 ? 0 : days * DAY_MILLISECONDS);
    fixture.clock.advance(at - fixture.clock.now());
    return indiaMonth(at);
  };
  const succeeded = async () => {
    const order = newOrder(accountId, { createdAt: fixture.clock.now(), fee: money(0.5), commission: money(0.2) });
    await process.ctx.writer.write(accept(order));
    await process.ctx.writer.write(settle(order, "SUCCESS"));
    return order;
  };
  const run = archiveCommands(fixture);
  const move = (keepMonths: number) => run("move", folder, "--keep-months", String(keepMonths));
  goTo(6, 3);
  await process.ctx.writer.write(topUp(accountId, 1000, "start"));
  goTo(0);
  return { fixture, process, accountId, folder, goTo, succeeded, run, move };
}

/** The beginning of the month that is so many months ago. */
export function beginningOf(monthsAgo: number): number {
  let begin = indiaMonthSpan(indiaMonth(Date.now()))?.fromMilliseconds ?? 0;
  for (let back = 0; back < monthsAgo; back++) begin = indiaMonthSpan(indiaMonth(begin - 1))?.fromMilliseconds ?? 0;
  return begin;
}
