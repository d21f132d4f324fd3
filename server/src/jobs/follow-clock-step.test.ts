import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrdersContext } from "../domain/orders/context.ts";
import { createOrdersFixture, newOrder, type OrdersFixture } from "../domain/orders/testing/fixture.ts";
import { accept, watch } from "../domain/orders/testing/operations.ts";
import type { Sql } from "../platform/db/connection.ts";
import { failure } from "../platform/db/database-errors.ts";
import { announceSetBack, createRedate } from "./follow-clock-step.ts";

const HOUR = 3_600_000;
let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(() => fixture.close());

/** The orders of a cell whose statements end as `answer` does. */
function cellThat(answer: () => Promise<unknown>): OrdersContext {
  const { ctx } = fixture.startProcess();
  return { ...ctx, sql: answer as unknown as Sql };
}

const away = () => Promise.reject(failure("CONNECTION_CLOSED", "The database is away."));
const never = () => new Promise<never>(() => {});

async function announcedBy({ processId }: OrdersContext): Promise<number | undefined> {
  const [row] = await fixture.owner<{ at: Date }[]>`select oldest_open_at as at from processes where process_id = ${processId}`;
  return row?.at.getTime();
}

test.each([
  { name: "is away", answer: away },
  { name: "does not answer", answer: never },
])(
  "a clock that is set back is followed while another cell $name, and home and the remaining cells know the new time",
  async ({ answer }) => {
    const [home, works] = [fixture.startProcess().ctx, fixture.startProcess().ctx];
    const coming = fixture.clock.now() - 3 * HOUR;
    await announceSetBack(home, [cellThat(answer), works], coming, 50);
    expect(await announcedBy(home)).toBe(coming);
    await expect.poll(() => announcedBy(works)).toBe(coming);
  },
);

test("a clock that is set back is not followed while home does not know the new time", async () => {
  const works = fixture.startProcess().ctx;
  await expect(announceSetBack(cellThat(away), [works], fixture.clock.now())).rejects.toThrow("away");
});

test("the polls of a cell that was away when the clock was set back are due when it is back", async () => {
  const { ctx } = fixture.startProcess();
  const accountId = await fixture.newAccount({ ctx, connection: fixture.owner }, 100);
  const order = newOrder(accountId);
  await ctx.writer.write(accept(order));
  await ctx.writer.write({ ...watch(order), dueAt: fixture.clock.now() + 3 * HOUR });
  let isAway = true;
  const returns = new Proxy(ctx.sql, { apply: (sql, self, given) => (isAway ? away() : Reflect.apply(sql, self, given)) });
  const redate = createRedate({
    ...{ sql: ctx.sql, clock: fixture.clock, longestPollMilliseconds: () => HOUR, retryMilliseconds: 1 },
    otherCells: () => [{ ...ctx, sql: returns }],
  });
  // Home's database is the same here: its own correction is undone.
  await redate(true);
  await fixture.owner`update pending_polls set due_at = ${new Date(fixture.clock.now() + 3 * HOUR)} where account_id = ${accountId}`;
  isAway = false;
  await expect
    .poll(async () =>
      (await fixture.owner<{ at: Date }[]>`select due_at as at from pending_polls where account_id = ${accountId}`)[0]?.at.getTime(),
    )
    .toBeLessThan(fixture.clock.now() + HOUR);
});
