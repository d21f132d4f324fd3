import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createFixture, type Fixture } from "./testing/fixture.ts";

const URLS = { callback_url: "http://127.0.0.1:9/status", complaint_callback_url: "http://127.0.0.1:9/complaints" };
let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.client(URLS);
});
afterAll(() => fixture?.close());

const twenty = <Reply>(run: (place: number) => Promise<Reply>) => Promise.all(Array.from({ length: 20 }, (_, place) => run(place)));

async function complained() {
  const orderId = await client.order();
  return { orderId, ref: await client.complaint(orderId), before: await client.balance() };
}

async function callbacksOf(orderId: string): Promise<readonly string[]> {
  return (await client.callbacks()).filter((one) => one.order_id === orderId).map((one) => `${one.kind} ${one.status}`);
}

function reverse(orderId: string) {
  return fixture.operator.post(`/orders/${orderId}/reverse`, { reason: "race" });
}

test("cleared twenty times at once, with both decisions, one holds and is sent once", async () => {
  const { orderId, ref, before } = await complained();
  const replies = await twenty((place) => fixture.clear(ref, place % 2 === 0 ? "stands" : "refund"));
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  const refunded = (await client.get(`/complaints/${ref}`)).body.status === "REFUNDED";
  expect(await client.balance()).toBe(before + (refunded ? 100_000n : 0n));
  expect(await callbacksOf(orderId)).toEqual(refunded ? ["status FAILED", "complaint REFUNDED"] : ["status SUCCESS", "complaint RESOLVED"]);
});

test("refunded and reversed at once, the money comes back once", async () => {
  for (let round = 0; round < 5; round++) {
    const { orderId, ref, before } = await complained();
    const replies = await twenty((place) => (place % 2 === 0 ? reverse(orderId) : fixture.clear(ref, "refund")));
    expect(replies.every((reply) => reply.status === 200 || reply.status === 409)).toBe(true);
    expect(await client.balance()).toBe(before + 100_000n);
    expect((await client.get(`/complaints/${ref}`)).body).toMatchObject({ status: "REFUNDED", refund_amount: "10.0000" });
    const sent = await callbacksOf(orderId);
    expect(sent.filter((one) => one === "complaint REFUNDED")).toHaveLength(1);
    expect(new Set(sent)).toEqual(new Set(["status FAILED", "complaint REFUNDED"]));
  }
});

test("cleared as standing and reversed at once, the reversal is sent after the success, whichever came first", async () => {
  for (let round = 0; round < 10; round++) {
    const { orderId, ref, before } = await complained();
    const [reversed, cleared] = await Promise.all([reverse(orderId), fixture.clear(ref, "stands")]);
    expect(reversed.status).toBe(200);
    expect(await client.balance()).toBe(before + 100_000n);
    const sent = await callbacksOf(orderId);
    const stood = ["status SUCCESS", "status FAILED"];
    expect(sent.filter((one) => one.startsWith("status"))).toEqual(cleared.status === 200 ? stood : ["status FAILED"]);
  }
});

test("a reversal that was numbered before the clearing and written after it is still sent last", async () => {
  const { orderId, ref } = await complained();
  const { sql } = fixture.ctx;
  const reversalId = fixture.ctx.ids.entry(fixture.ctx.clock.now());
  expect((await fixture.clear(ref, "stands")).status).toBe(200);
  const sent = await sql<{ callback_id: string }[]>`
    select callback_id from callbacks where account_id = ${client.accountId} and order_id = ${orderId} and kind = 'status'`;
  expect(sent.map((one) => one.callback_id < reversalId)).toEqual([true]);
});

test("raised again while the first is being cleared, an order never has two open complaints", async () => {
  for (let round = 0; round < 5; round++) {
    const { orderId, ref } = await complained();
    const replies = await twenty((place) => (place === 7 ? fixture.clear(ref, "stands") : client.complain({ order_id: orderId })));
    expect(replies.filter((reply) => reply.status === 201).length).toBeLessThanOrEqual(1);
    expect(replies.every((reply) => [200, 201, 409].includes(reply.status))).toBe(true);
    const open = await fixture.ctx.sql`select 1 from complaints where order_id = ${orderId} and status = 'OPEN'`;
    expect(open.length).toBeLessThanOrEqual(1);
  }
});

test("after all of it the ledger is sound", () => fixture.expectSoundLedger());
