import { expect, test } from "vitest";
import { createOrdersInProgress } from "./orders-in-progress.ts";
import { money, newOrder } from "./testing/fixture.ts";

test("an order in progress is found by its reference until it is removed", () => {
  const inProgress = createOrdersInProgress();
  const made = inProgress.add("A/recharge/u1", "ORDER1", 1);
  expect(inProgress.byKey("A/recharge/u1")).toBe(made);
  expect({ ids: inProgress.ids(), size: inProgress.size() }).toEqual({ ids: ["ORDER1"], size: 1 });
  inProgress.remove("A/recharge/u1");
  expect(inProgress.byKey("A/recharge/u1")).toBeUndefined();
  expect({ ids: inProgress.ids(), size: inProgress.size() }).toEqual({ ids: [], size: 0 });
});

test("everybody who waits for an order gets its first result, however often it is resolved", async () => {
  const inProgress = createOrdersInProgress();
  const made = inProgress.add("key", "ORDER1", 1);
  const waiting = [made.result, made.result];
  const order = newOrder("A1");
  made.resolve({ order: { ...order, state: "SUCCESS" }, available: money(1) });
  made.resolve({ order: { ...order, state: "FAILED" }, available: money(2) });
  made.reject(new Error("too late"));
  for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ order: { state: "SUCCESS" }, available: money(1) });
});

test("an order that fails while no request waits causes no unhandled rejection", async () => {
  const made = createOrdersInProgress().add("key", "ORDER1", 1);
  made.reject(new Error("could not be written"));
  await expect(made.result).rejects.toThrow("could not be written");
});

test("the oldest order is the earliest of those in progress or unanswered", () => {
  const inProgress = createOrdersInProgress();
  expect(inProgress.oldest()).toBeNull();
  inProgress.add("a", "ORDER1", 100);
  inProgress.add("b", "ORDER2", 200);
  expect(inProgress.oldest()).toBe(100);
  inProgress.awaitReply("ORDER1", 100);
  inProgress.remove("a");
  expect(inProgress.oldest()).toBe(100);
  inProgress.replied("ORDER1");
  expect(inProgress.oldest()).toBe(200);
  inProgress.remove("b");
  expect(inProgress.oldest()).toBeNull();
});

test("drained resolves when the last order is removed, and at once when there is none", async () => {
  const inProgress = createOrdersInProgress();
  await inProgress.drained();
  inProgress.add("a", "ORDER1", 1);
  inProgress.add("b", "ORDER2", 1);
  let drained = false;
  const waiting = inProgress.drained().then(() => {
    drained = true;
  });
  inProgress.remove("a");
  inProgress.remove("unknown");
  await Promise.resolve();
  expect(drained).toBe(false);
  inProgress.remove("b");
  await waiting;
  expect(drained).toBe(true);
});

test("the oldest order is the one with the earliest time, also after the clock was set back", () => {
  const inProgress = createOrdersInProgress();
  expect(inProgress.oldest()).toBeNull();
  inProgress.add("before", "ORDER1", 9_000);
  inProgress.add("after", "ORDER2", 1_000);
  inProgress.awaitReply("ORDER3", 5_000);
  expect(inProgress.oldest()).toBe(1_000);
  inProgress.remove("after");
  inProgress.awaitReply("ORDER4", 2_000);
  expect(inProgress.oldest()).toBe(2_000);
});
