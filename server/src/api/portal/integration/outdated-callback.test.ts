import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { openReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { type CallbackHouse, openCallbackHouse } from "../testing/callback-house.ts";
import { manyOrders } from "../testing/orders.ts";

let house: CallbackHouse;
let receiver: TestReceiver;
beforeAll(async () => {
  house = await openCallbackHouse();
  receiver = await openReceiver(() => 200);
});
afterAll(async () => {
  await receiver.close();
  await house.close();
});

test("a SUCCESS that was delivered and then taken back is not signed once more for anybody", async () => {
  const { sql } = house.ctx;
  const { accountId } = await house.newAccount();
  const [reader, worker] = [house.as("read_only", accountId), house.as("operations", accountId)];
  await manyOrders(sql, accountId, 1, house.ctx.clock.now() - 60_000);
  const id = await house.tell(accountId);
  await sql`
    update callbacks set order_id = (select order_id from orders where account_id = ${accountId})
    where account_id = ${accountId} and callback_id = ${id}`;
  await changeAccount(house.ctx, "test", { accountId, callbackUrl: receiver.url });
  await worker.post(`/callbacks/${id}/resend`);
  await vi.waitUntil(async () => (await reader.get(`/callbacks/${id}`)).body.state === "delivered", 100_000);
  expect((await reader.get(`/callbacks/${id}`)).body.request.url).toMatch(/hash=[0-9a-f]{64}/);

  await sql`update orders set state = 2 where account_id = ${accountId}`;
  const { body, text } = await reader.get(`/callbacks/${id}`);
  expect([body.request, body.request_missing]).toEqual([null, "The order has another status since."]);
  expect(text).not.toMatch(/hash=/);
  expect((await worker.post(`/callbacks/${id}/resend`)).status).toBe(409);
});
