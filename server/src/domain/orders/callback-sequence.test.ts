import { afterAll, beforeAll, expect, test } from "vitest";
import { beat, recoverOrders } from "./recovery/heartbeat.ts";
import { createOrdersFixture, newOrder, type OrdersFixture, type OrdersProcess } from "./testing/fixture.ts";
import { accept, watch } from "./testing/operations.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
});
afterAll(() => fixture.close());

/** Creates an account that receives callbacks. */
async function toldAccount(): Promise<string> {
  const accountId = await fixture.newAccount(process, 100);
  await fixture.owner`
    insert into accounts (account_id, name, sandbox, callback_url, created_at, updated_at)
    values (${accountId}, 'Callback order', false, 'https://example.com/cb', now(), now())`;
  return accountId;
}

test("a reversal's callback follows the success's callback, also when the clock was set back in between", async () => {
  const { write } = process.ctx.writer;
  const order = newOrder(await toldAccount());
  const pending = { ...order, answeredPending: true };
  await write(accept(order));
  await write(watch(order));
  const hourAhead = Date.now() + 3_600_000;
  const { ids } = process.ctx;
  await write({
    kind: "settle",
    order: pending,
    to: "SUCCESS",
    operatorRef: "R",
    failure: null,
    hasPoll: true,
    callbackId: ids.entry(hourAhead),
  });
  await write({
    kind: "reverse",
    order: { ...pending, state: "SUCCESS" },
    failure: { code: "reversed", words: "back" },
    callbackId: ids.entry(Date.now()),
    cause: "reversed",
  });
  const rows = await fixture.database.sql<{ status: string }[]>`
    select status from callbacks where order_id = ${order.orderId} order by callback_id`;
  expect(rows.map((row) => row.status)).toEqual(["SUCCESS", "FAILED"]);
});

test("the callbacks of a dead process are due as soon as its death is detected", async () => {
  const accountId = await toldAccount();
  const insert = (callbackId: string, owner: string) => fixture.owner`
    with claimed as (
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, next_at, created_at)
      values (${accountId}, ${callbackId}, 'status', ${callbackId}, 'u', 'SUCCESS', now(), now()) returning account_id, kind, callback_id)
    insert into callback_claims (account_id, kind, callback_id, claim_id, ends_at, ts, version, settings_version)
    select account_id, kind, callback_id, ${`${owner}/1`}, now() + interval '30 seconds', 1, 2, 0 from claimed`;
  await insert("C1", "DEAD");
  await insert("C2", process.ctx.processId);
  await beat(process.ctx);
  await fixture.owner`
    insert into processes (process_id, host, pid, started_at, seen_at, oldest_open_at)
    values ('DEAD', 'elsewhere', 1, now(), now() - interval '1 hour', now())`;
  await recoverOrders(process.ctx);
  const rows = await fixture.database.sql<
    { callback_id: string }[]
  >`select callback_id from callback_claims where account_id = ${accountId}`;
  expect(rows).toEqual([{ callback_id: "C2" }]);
});
