import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { settleManually } from "../../orders/change-manually.ts";
import { pollOrders } from "../../orders/recovery/order-polls.ts";
import { CODES, ENDINGS } from "../testing/endings.ts";
import { type Answer, type Client, createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";

let fixture: ServiceFixture;
let client: Client;
const firstReplies = new Map<string, { readonly own: Client; readonly reply: Answer }>();
beforeAll(async () => {
  // Later results are far away until the clock is moved, which no test does before every first reply is there.
  fixture = await createServiceFixture({ timeoutMilliseconds: 2_500, delayMilliseconds: 60_000 });
  client = await fixture.newClient();
  const replies = ENDINGS.map(async ({ digits }) => {
    const own = await fixture.newClient(100);
    firstReplies.set(digits, { own, reply: await own.recharge(`ends-${digits}`, { account: `9876543${digits}` }) });
  });
  await Promise.all(replies);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

test.concurrent.each(ENDINGS)("a number that ends in $digits: first $first, in the end $last", async ({ digits, first, last }) => {
  const urid = `ends-${digits}`;
  const { own, reply } = firstReplies.get(digits) as { own: Client; reply: Answer };
  expect(reply).toMatchObject({
    status: 200,
    body: { status: first, code: CODES[first], urid, account: `9876543${digits}`, amount: "10" },
  });
  await vi.waitFor(
    async () => {
      // Whatever is due to be asked about; the clock goes faster than the test.
      fixture.orders.clock.advance(1_000);
      await pollOrders(fixture.ctx);
      expect((await own.get("/recharge", { urid })).body["status"]).toBe(last);
    },
    { timeout: WAIT_MILLISECONDS, interval: 20 },
  );
  const balance = last === "FAILED" ? "100.0000" : "90.0000";
  const byId = await own.get("/recharge", { order_id: String(reply.body["order_id"]) });
  expect(byId.body).toMatchObject({
    status: last,
    code: CODES[last],
    urid,
    balance,
    operator_ref: last === "SUCCESS" ? expect.any(String) : byId.body["operator_ref"],
  });
  expect((await own.get("/balance")).body).toMatchObject({ balance, held: last === "pending" ? "10.0000" : "0.0000" });
  // A retry is answered with how it stands by then, and makes nothing new.
  expect((await own.recharge(urid, { account: `9876543${digits}` })).body).toMatchObject({
    status: last,
    order_id: reply.body["order_id"],
  });
});

test("a number that ends in 110 stays pending until somebody settles it", async () => {
  const { body } = await client.recharge("by-hand", { account: "9876543110" });
  expect(body).toMatchObject({ status: "pending", code: 2, balance: "990.0000" });
  const settled = await settleManually(fixture.ctx, "test", {
    orderId: String(body["order_id"]),
    to: "SUCCESS",
    operatorRef: "HAND1",
    reason: "seen at the operator",
  });
  expect(settled).toEqual({ kind: "done" });
  expect((await client.get("/recharge", { urid: "by-hand" })).body).toMatchObject({ status: "SUCCESS", operator_ref: "HAND1" });
});

test("what the simulator pushes ends an order without anybody asking", async () => {
  const pushing = await createServiceFixture({ delayMilliseconds: 20 });
  const own = await pushing.newClient(100);
  for (const [digits, last] of [
    ["200", "SUCCESS"],
    ["202", "FAILED"],
    ["120", "FAILED"],
  ] as const) {
    await own.recharge(`pushed-${digits}`, { account: `9876543${digits}` });
    await vi.waitFor(
      async () => expect((await own.get("/recharge", { urid: `pushed-${digits}` })).body["status"]).toBe(last),
      WAIT_MILLISECONDS,
    );
  }
  await pushing.close();
});
