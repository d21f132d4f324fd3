import { beforeEach, expect, test } from "vitest";
import { readMonthSums } from "../../../server/src/domain/ledger/month-sums.ts";
import { readStatement } from "../../../server/src/domain/ledger/statement.ts";
import { ids, newOrder, type OrdersFixture, type OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { findTicket } from "../../../server/src/domain/services/bus/bookings/find-ticket.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { makePartitions } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { archiveCommands, createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import { beginningOf } from "../../testing/old-months.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

let fixture: OrdersFixture;
let process: OrdersProcess;
let folder: string;
let accountId: string;
beforeEach(async () => {
  ({ fixture, process } = await createArchiveFixture());
  folder = scratchFolder();
  accountId = ids.account();
  return () => fixture.close();
});

async function move(keepMonths: number) {
  return await archiveCommands(fixture)("move", folder, "--keep-months", `${keepMonths}`);
}

async function topUpAt(at: number, reference: string): Promise<void> {
  fixture.clock.advance(at - fixture.clock.now());
  await process.ctx.writer.write(topUp(accountId, 10, reference));
}

async function backToToday(): Promise<void> {
  fixture.clock.advance(Date.now() - fixture.clock.now());
  await makePartitions(fixture.owner, Date.now());
}

async function linesSince(fromMilliseconds: number): Promise<readonly number[]> {
  const query = { accountId, fromMilliseconds, toMilliseconds: Date.now(), isPast: false, before: null, limit: 100 };
  return (await readStatement(fixture.database.sql, query)).map(({ seq }) => Number(seq));
}

test("lines of a month stay in its statement when they were numbered before the last ones of a month that leaves", async () => {
  const midnight = beginningOf(4);
  await topUpAt(beginningOf(5), "start");
  // Two processes at midnight: the batch of the old month waited for the wallet.
  await topUpAt(midnight + 100, "after midnight");
  await topUpAt(midnight - 200, "before midnight");
  await topUpAt(midnight + 5 * DAY_MILLISECONDS, "later");
  await backToToday();
  const sums = await readMonthSums(fixture.database.sql, accountId, indiaMonth(midnight));
  expect(await linesSince(midnight)).toEqual([4, 2]);
  expect(await move(4)).toMatchObject({ moved: [indiaMonth(midnight - 1)] });
  expect(await linesSince(midnight)).toEqual([4, 2]);
  expect(await readMonthSums(fixture.database.sql, accountId, indiaMonth(midnight))).toEqual(sums);
});

test("lines of kept months stay in statements after a transfer that was written while the clock was set back has left", async () => {
  for (const monthsAgo of [5, 4, 3, 2]) await topUpAt(beginningOf(monthsAgo), `of ${monthsAgo}`);
  await topUpAt(beginningOf(5) + DAY_MILLISECONDS, "by a wrong clock");
  await backToToday();
  expect(await linesSince(0)).toEqual([5, 4, 3, 2, 1]);
  expect(await move(4)).toMatchObject({ moved: [indiaMonth(beginningOf(5))] });
  expect(await linesSince(0)).toEqual([4, 3, 2]);
  expect(await fixture.violations()).toEqual([]);
});

test("a month with a ticket for a bus that has not left stays, so that the ticket can be cancelled", async () => {
  fixture.clock.advance(-220 * DAY_MILLISECONDS);
  await topUpAt(fixture.clock.now(), "start");
  const order = newOrder(accountId, { service: "bus", createdAt: fixture.clock.now() });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  await addTicket(order.orderId, Date.now() + 30 * DAY_MILLISECONDS);
  const month = indiaMonth(fixture.clock.now());
  await backToToday();
  const error = expect.stringContaining("1 tickets are for buses that have not left, and can be cancelled");
  expect(await move(6)).toMatchObject({ error });
  expect(await findTicket(fixture.database.sql, { accountId, ticketNo: "TICKET1" })).not.toBeNull();
  await fixture.owner`update bus_blocks set departure_at = now()`;
  expect(await move(6)).toMatchObject({ moved: [month] });
});

async function addTicket(orderId: string, departureAt: number): Promise<void> {
  const at = new Date(fixture.clock.now());
  await fixture.owner`
    insert into bus_blocks (account_id, block_ref, request_id, provider, trip_id, operator, mobile, trip, departure_at, partial_cancel, total,
      created_at, expires_at, order_id, ticket_no)
    values (${accountId}, 'B1', 'R1', 'simulator', 'T1', 'op', '9999999999', '{}', ${new Date(departureAt)}, true, 100000,
      ${at}, ${at}, ${orderId}, 'TICKET1')`;
  await fixture.owner`insert into bus_block_seats (account_id, block_ref, seat, fare) values (${accountId}, 'B1', '1A', 100000)`;
}
