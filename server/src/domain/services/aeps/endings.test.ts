import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { settleManually } from "../../orders/change-manually.ts";
import { pollOrders } from "../../orders/recovery/order-polls.ts";
import { type Answer, createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, type Outlet, ok } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
let client: AepsClient;
let outlet: Outlet;
type First = { readonly own: AepsClient; readonly sent: Json; readonly reply: Answer };
const firstReplies = new Map<string, First>();

type Status = "SUCCESS" | "FAILED" | "pending";
// Contract, section 9, with what the wallet has in the end: only a SUCCESS pays it.
const ENDINGS: readonly (readonly [digits: string, first: Status, last: Status])[] = [
  ["000", "SUCCESS", "SUCCESS"],
  ["102", "FAILED", "FAILED"],
  ["202", "pending", "FAILED"],
  ["200", "pending", "SUCCESS"],
  ["110", "pending", "pending"],
  ["120", "SUCCESS", "FAILED"],
  ["130", "pending", "SUCCESS"],
  ["131", "pending", "FAILED"],
  ["140", "FAILED", "FAILED"],
  ["141", "pending", "SUCCESS"],
  ["150", "SUCCESS", "SUCCESS"],
];

beforeAll(async () => {
  // Later results are far away until the clock is moved, which no test does before every first reply is there.
  fixture = await createServiceFixture({ timeoutMilliseconds: 2_500, delayMilliseconds: 60_000 });
  client = await aepsClient(await fixture.newClient(0));
  outlet = await client.ready();
  const replies = ENDINGS.map(async ([digits]) => {
    const own = await aepsClient(await fixture.newClient(100));
    const sent = own.transaction(await own.ready(), { customer_mobile: `9876543${digits}` });
    firstReplies.set(digits, { own, sent, reply: await own.post("/aeps/cash_withdrawal", sent) });
  });
  await Promise.all(replies);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const CODES = { SUCCESS: 0, FAILED: 1, pending: 2 } as const;
const RRN = expect.stringMatching(/^[0-9]{12}$/);
const aepsFields = (status: Status) =>
  status === "SUCCESS" ? { rrn: RRN, customer_balance: expect.any(String) } : { rrn: null, customer_balance: null };

test.concurrent.each(ENDINGS)("a customer's mobile that ends in %s: first %s, in the end %s", async (digits, first, last) => {
  const { own, sent, reply } = firstReplies.get(digits) as First;
  const query = { request_id: String(sent["request_id"]) };
  expect(reply).toMatchObject({
    status: 200,
    body: { ok: true, status: first, code: CODES[first], balance: first === "SUCCESS" ? "600.0000" : "100.0000", aeps: aepsFields(first) },
  });
  await vi.waitFor(
    async () => {
      // Whatever is due to be asked about; the clock goes faster than the test.
      fixture.orders.clock.advance(1_000);
      await pollOrders(fixture.ctx);
      expect((await own.get("/aeps/transactions", query)).body["status"]).toBe(last);
    },
    { timeout: WAIT_MILLISECONDS, interval: 20 },
  );
  const found = (await own.get("/aeps/transactions", query)).body;
  const balance = last === "SUCCESS" ? "600.0000" : "100.0000";
  expect(found).toMatchObject({ ok: true, status: last, code: CODES[last], balance, amount: "500", account: `9876543${digits}` });
  if (last === "SUCCESS") expect(found["aeps"]).toMatchObject(aepsFields(last));
  expect((await own.own.get("/balance")).body).toMatchObject({ balance, held: "0.0000" });
  expect((await own.post("/aeps/cash_withdrawal", sent)).body).toMatchObject({ status: last, order_id: reply.body["order_id"] });
});

test("a pending one credits when somebody settles it, and nothing before", async () => {
  const { order_id: orderId, balance } = await ok(client.withdraw(outlet, { request_id: "by-hand", customer_mobile: "9876543110" }));
  expect(balance).toBe("0.0000");
  const reason = "seen at the bank";
  const settled = await settleManually(fixture.ctx, "test", {
    orderId: String(orderId),
    to: "SUCCESS",
    operatorRef: "123456789012",
    reason,
  });
  expect(settled).toEqual({ kind: "done" });
  expect((await client.get("/aeps/transactions", { request_id: "by-hand" })).body).toMatchObject({
    status: "SUCCESS",
    balance: "500.0000",
    aeps: { rrn: "123456789012", customer_balance: null, entries: [] },
  });
});

test("an enquiry that fails says so and shows nothing of the customer's account", async () => {
  for (const call of ["balance_enquiry", "mini_statement"]) {
    const body = await ok(client.post(`/aeps/${call}`, client.transaction(outlet, { customer_mobile: "9876543102" })));
    expect(body).toMatchObject({ status: "FAILED", code: 1, amount: "0", aeps: { rrn: null, customer_balance: null, entries: [] } });
  }
});
