import { expect, test } from "vitest";
import { openOrders } from "./open-orders.ts";
import { money, newOrder } from "./testing/fixture.ts";

test("an order under way is found by its reference until it is closed", () => {
  const open = openOrders();
  const made = open.open("A/recharge/u1", "ORDER1", 1);
  expect(open.byKey("A/recharge/u1")).toBe(made);
  expect({ ids: open.ids(), size: open.size() }).toEqual({ ids: ["ORDER1"], size: 1 });
  open.close("A/recharge/u1");
  expect(open.byKey("A/recharge/u1")).toBeUndefined();
  expect({ ids: open.ids(), size: open.size() }).toEqual({ ids: [], size: 0 });
});

test("everybody who waits for an order gets the first standing, however often it is told", async () => {
  const open = openOrders();
  const made = open.open("key", "ORDER1", 1);
  const waiting = [made.standing, made.standing];
  const order = newOrder("A1");
  made.resolve({ order: { ...order, state: "SUCCESS" }, available: money(1) });
  made.resolve({ order: { ...order, state: "FAILED" }, available: money(2) });
  made.reject(new Error("too late"));
  for (const standing of await Promise.all(waiting)) expect(standing).toMatchObject({ order: { state: "SUCCESS" }, available: money(1) });
});

test("an order that fails while nobody waits disturbs nobody", async () => {
  const made = openOrders().open("key", "ORDER1", 1);
  made.reject(new Error("could not be written"));
  await expect(made.standing).rejects.toThrow("could not be written");
});

test("the oldest is the one that began first of those still open or not yet answered", () => {
  const open = openOrders();
  expect(open.oldest()).toBeNull();
  open.open("a", "ORDER1", 100);
  open.open("b", "ORDER2", 200);
  expect(open.oldest()).toBe(100);
  open.awaitReply("ORDER1", 100);
  open.close("a");
  expect(open.oldest()).toBe(100);
  open.replied("ORDER1");
  expect(open.oldest()).toBe(200);
  open.close("b");
  expect(open.oldest()).toBeNull();
});

test("drained resolves when the last one is closed, and at once when there is none", async () => {
  const open = openOrders();
  await open.drained();
  open.open("a", "ORDER1", 1);
  open.open("b", "ORDER2", 1);
  let drained = false;
  const waiting = open.drained().then(() => {
    drained = true;
  });
  open.close("a");
  open.close("unknown");
  await Promise.resolve();
  expect(drained).toBe(false);
  open.close("b");
  await waiting;
  expect(drained).toBe(true);
});
