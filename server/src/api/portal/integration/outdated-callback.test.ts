import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { startReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { type CallbackFixture, createCallbackFixture } from "../testing/callback-fixture.ts";
import { manyOrders } from "../testing/orders.ts";

let fixture: CallbackFixture;
let receiver: TestReceiver;
beforeAll(async () => {
  fixture = await createCallbackFixture();
  receiver = await startReceiver(() => 200);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

test("a SUCCESS that was delivered and then taken back is not signed once more for anybody", async () => {
  const { sql } = fixture.ctx;
  const { accountId } = await fixture.newAccount();
  const [reader, worker] = [fixture.as("read_only", accountId), fixture.as("operations", accountId)];
  await manyOrders(sql, accountId, 1, fixture.ctx.clock.now() - 60_000);
  const id = await fixture.tell(accountId);
  await sql`
    update callbacks set order_id = (select order_id from orders where account_id = ${accountId})
    where account_id = ${accountId} and callback_id = ${id}`;
  await changeAccount(fixture.ctx, "test", { accountId, callbackUrl: receiver.url });
  await worker.post(`/callbacks/${id}/resend`);
  await vi.waitUntil(async () => (await reader.get(`/callbacks/${id}`)).body.state === "delivered", WAIT_MILLISECONDS);
  expect((await reader.get(`/callbacks/${id}`)).body.request.url).toMatch(/hash=[0-9a-f]{64}/);

  await sql`update orders set state = 2 where account_id = ${accountId}`;
  const { body, text } = await reader.get(`/callbacks/${id}`);
  expect([body.request, body.request_missing]).toEqual([null, "The order's status has changed since this callback."]);
  expect(text).not.toMatch(/hash=/);
  expect((await worker.post(`/callbacks/${id}/resend`)).status).toBe(409);
});
