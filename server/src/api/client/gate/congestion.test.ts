import { expect, test } from "vitest";
import { createCongestion } from "./congestion.ts";

test("what would wait a second or less enters, what would wait longer is told when to come back", () => {
  const congestion = createCongestion();
  let seconds = 1;
  congestion.follow(() => seconds);
  expect(congestion.enter("a", "GET")).toBeNull();
  seconds = 1.2;
  expect(congestion.enter("a", "GET")).toBe(2);
  seconds = 4_000;
  expect(congestion.enter("a", "GET")).toBe(30);
  expect(congestion.underWay()).toBe(1);
});

test("the waits of all queues on a request's way are added", () => {
  const congestion = createCongestion();
  congestion.follow(() => 0.6);
  congestion.follow(() => 0.6, "POST");
  expect(congestion.enter("a", "GET")).toBeNull();
  expect(congestion.enter("a", "POST")).toBe(2);
});

test("what a request has waited already is added to what it would wait", () => {
  const congestion = createCongestion();
  congestion.follow(() => 0.6);
  expect(congestion.enter("a", "POST", 0.3)).toBeNull();
  expect(congestion.enter("a", "POST", 0.5)).toBe(1);
});

test("a long wait of one account does not refuse another account", () => {
  const congestion = createCongestion();
  congestion.follow((accountId) => (accountId === "greedy" ? 5 : 0.1));
  expect(congestion.enter("greedy", "POST")).toBe(5);
  expect(congestion.enter("modest", "POST")).toBeNull();
});

test("accounts at their maximum leave capacity for others, and regain it when requests end", () => {
  const congestion = createCongestion({ maxInFlight: 100 });
  const fill = (accountId: string) => {
    let entered = 0;
    while (congestion.enter(accountId, "POST") === null) entered++;
    return entered;
  };
  expect([fill("a"), fill("b"), fill("c")]).toEqual([50, 25, 13]);
  expect(congestion.enter("modest", "POST")).toBeNull();
  expect(congestion.underWay()).toBe(89);
  for (let request = 0; request < 50; request++) congestion.leave("a");
  expect(fill("b")).toBeGreaterThan(0);
  expect(congestion.underWay()).toBeLessThanOrEqual(100);
});
