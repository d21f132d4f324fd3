import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { pollOrders } from "../../orders/recovery/order-polls.ts";
import { CODES, ENDINGS } from "../testing/endings.ts";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import { balanceOf, createFixture, newParties, newQuote, ok, senderOf, sendTransfer } from "./testing/flow.ts";

type Started = { readonly own: Client; readonly sender: string; readonly transfer_ref: string; readonly reply: Json };

let fixture: ServiceFixture;
const started = new Map<string, Started>();
beforeAll(async () => {
  // Later results are far away until the clock is moved, which no test does before every first reply is there.
  fixture = await createFixture({ timeoutMilliseconds: 2_500, delayMilliseconds: 60_000 });
  await Promise.all(
    ENDINGS.map(async ({ digits }) => {
      const own = await fixture.newClient(1_000);
      const parties = await newParties(own, { account: `123456789${digits}` });
      const transfer_ref = await newQuote(own, parties, { amount: "500" });
      const reply = await ok(sendTransfer(own, transfer_ref, { request_id: `ends-${digits}` }));
      started.set(digits, { own, sender: parties.sender, transfer_ref, reply });
    }),
  );
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

test.concurrent.each(ENDINGS)("an account that ends in $digits: first $first, in the end $last", async ({ digits, first, last }) => {
  const { own, sender, transfer_ref, reply } = started.get(digits) as Started;
  expect(reply).toMatchObject({ status: first, code: CODES[first], account: `XXXXXXXX9${digits}` });
  await vi.waitFor(
    async () => {
      fixture.orders.clock.advance(1_000);
      await pollOrders(fixture.ctx);
      expect((await ok(own.signed.get("/transfers", { transfer_ref })))["status"]).toBe(last);
    },
    { timeout: WAIT_MILLISECONDS, interval: 50 },
  );
  const failed = last === "FAILED";
  const found = await ok(own.signed.get("/transfers", { request_id: `ends-${digits}` }));
  expect(found).toMatchObject({
    status: last,
    code: CODES[last],
    order_id: reply["order_id"],
    transfer: { refund_status: digits === "120" ? "refunded" : "none" },
  });
  if (last === "SUCCESS") expect((found["transfer"] as Json)["utr"]).toMatch(/^[0-9]{12}$/);
  expect(await balanceOf(own)).toBe(failed ? "1000.0000" : "490.0000");
  expect(await senderOf(own, sender)).toMatchObject({ used_month: failed ? "0.0000" : "500.0000" });
  const retry = await ok(sendTransfer(own, transfer_ref, { request_id: `ends-${digits}`, otp: "000000" }));
  expect(retry).toMatchObject({ status: last, order_id: reply["order_id"] });
});
