import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { startCallbacks } from "../../../domain/callbacks/start-callbacks.ts";
import { LOOPBACK, until } from "../../../domain/callbacks/testing/fixture.ts";
import { startReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { clearComplaint } from "../../../domain/complaints/clear-complaint.ts";
import { reverseManually, settleManually } from "../../../domain/orders/change-manually.ts";
import { placeOrder } from "../../../domain/orders/place-order.ts";
import { contextOf, newRequest } from "../../../domain/orders/testing/fixture.ts";
import { DECLINED, NOT_SENT, PENDING, scripted } from "../../../domain/orders/testing/scripted-connector.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";
import { expectSoundLedger, fund } from "../testing/orders.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

type Event = { readonly at: string; readonly kind: string; readonly title: string; readonly detail: string };

async function read(accountId: string, orderId: string) {
  const answer = await fixture.as("read_only", accountId).get(`/transactions/${orderId}`);
  expect(answer.status).toBe(200);
  const events: readonly Event[] = answer.body.timeline;
  expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).toSorted());
  return { body: answer.body, titles: events.map((event) => event.title), events };
}

async function place(accountId: string, providers: Parameters<typeof contextOf>[3]): Promise<string> {
  const { sql } = fixture.settings.database;
  const placed = await placeOrder(contextOf(sql, sql, fixture.settings.clock, providers), newRequest(accountId));
  if (placed.kind !== "order") throw new Error(`The order was answered ${placed.kind}.`);
  return placed.order.orderId;
}

async function richAccount(): Promise<string> {
  const { accountId } = await fixture.newAccount();
  await fund(fixture, accountId, 1_000);
  return accountId;
}

test("an order that succeeded at once has its request, money, attempt and state", async () => {
  const accountId = await richAccount();
  const orderId = await place(accountId, { providers: { first: scripted({}) } });
  const { titles, body } = await read(accountId, orderId);
  expect(titles).toEqual([
    "Request accepted",
    "Money held",
    "Attempt 1 sent to the operator",
    "Attempt 1 succeeded",
    "Money captured",
    "SUCCESS",
  ]);
  expect(body.ledger.map((line: { kind: string }) => line.kind)).toEqual(["hold", "capture"]);
  expect([body.transaction.shown, body.transaction.waiting, body.complaints, body.callbacks]).toEqual(["SUCCESS", null, [], []]);
});

test("an order that went from one operator's provider to another shows every attempt and names none of them", async () => {
  const accountId = await richAccount();
  const providers = {
    secretOne: scripted({ send: NOT_SENT }),
    secretTwo: scripted({ send: DECLINED }),
    secretThree: scripted({ send: DECLINED }),
  };
  const { titles, body } = await read(accountId, await place(accountId, { providers }));
  expect(titles.filter((title) => title.startsWith("Attempt")).toSorted()).toEqual([
    "Attempt 1 did not reach the operator",
    "Attempt 1 sent to the operator",
    "Attempt 2 sent to the operator",
    "Attempt 2 was declined",
    "Attempt 3 sent to the operator",
    "Attempt 3 was declined",
  ]);
  expect(titles.slice(-2)).toEqual(["Hold released", "FAILED"]);
  expect(JSON.stringify(body)).not.toContain("secret");
});

test("pending, then SUCCESS, then reversed: every state, every line and every callback with its attempts", async () => {
  const receiver = await startReceiver((_received, count) => (count === 1 ? 500 : 200));
  const { ctx } = fixture;
  const { sql, vault, clock, ids } = ctx;
  const workers = await startCallbacks({ sql, vault, clock, ids, processId: "P", log: createLog("silent"), allow: LOOPBACK });
  const accountId = await richAccount();
  await changeAccount(ctx, "test", { accountId, callbackUrl: receiver.url });
  const orderId = await place(accountId, { providers: { first: scripted({ send: PENDING }) } });
  const waiting = await read(accountId, orderId);
  expect(waiting.titles.at(-1)).toBe("Answered pending");
  expect(waiting.body.transaction.waiting).toMatchObject({ polls: 0, needs_human: false });
  await settleManually(ctx.orders, "test", { orderId, to: "SUCCESS", operatorRef: "OP77", reason: "" });
  const delivered = async (count: number) => {
    workers.wake();
    const { body } = await read(accountId, orderId);
    return body.callbacks.filter((callback: { state: string }) => callback.state === "delivered").length === count && body;
  };
  // The first attempt was refused: the next one is due after the back-off.
  await receiver.wait(() => true, 1);
  await until(async () => {
    fixture.settings.clock.advance(1_000);
    return await delivered(1);
  });
  await reverseManually(ctx.orders, "test", { orderId, reason: "Not credited after all." });
  await until(() => delivered(2));
  await workers.close(0);
  await receiver.close();
  const { titles, body, events } = await read(accountId, orderId);
  expect(titles).toEqual([
    "Request accepted",
    "Money held",
    "Attempt 1 sent to the operator",
    "Answered pending",
    "Attempt 1 succeeded",
    "Money captured",
    "SUCCESS",
    "Callback SUCCESS due",
    "Callback SUCCESS: attempt 1 failed",
    "Callback SUCCESS: attempt 2 delivered",
    "Money returned",
    "Reversed",
    "Callback FAILED due",
    "Callback FAILED: attempt 1 delivered",
  ]);
  expect(events.find((event) => event.kind === "reversal")?.detail).toBe("Reversed by the service's staff.");
  expect(body.transaction).toMatchObject({ status: "FAILED", shown: "Reversed", operator_ref: "OP77" });
  expect(
    body.callbacks.map((callback: { attempts: { http_status: number }[] }) => callback.attempts.map((one) => one.http_status)),
  ).toEqual([[500, 200], [200]]);
  await expectSoundLedger(fixture);
});

test("a complaint that was refunded is in the timeline from its raising to its decision", async () => {
  const accountId = await richAccount();
  const orderId = await place(accountId, { providers: { first: scripted({}) } });
  const visitor = fixture.as("operations", accountId);
  const raised = await visitor.post("/complaints", { order_id: orderId, reason: "not_credited", description: "Nothing arrived." });
  expect(raised.status).toBe(200);
  const complaintRef: string = raised.body.complaint_ref;
  await clearComplaint(fixture.ctx.orders, "test", { complaintRef, decision: "refund", reason: "The operator has failed it." });
  const { titles, body } = await read(accountId, orderId);
  expect(titles).toEqual([
    "Request accepted",
    "Money held",
    "Attempt 1 sent to the operator",
    "Attempt 1 succeeded",
    "Money captured",
    "SUCCESS",
    `Complaint ${complaintRef} raised`,
    "Money returned",
    "Reversed",
    `Complaint ${complaintRef} REFUNDED, 10.0000 returned`,
  ]);
  expect(body.complaints).toMatchObject([{ complaint_ref: complaintRef, status: "REFUNDED", refund_amount: "10.0000" }]);
  await expectSoundLedger(fixture);
});
