import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchForStall } from "./stall-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a backup that stands still is ended once, and the words name where it stood", () => {
  const onStall = vi.fn();
  const watch = watchForStall(300, onStall);
  watch.step("table 3 of 47, orders");
  vi.advanceTimersByTime(299_999);
  expect([onStall.mock.calls.length, watch.stalled()]).toEqual([0, null]);
  vi.advanceTimersByTime(600_000);
  expect(onStall).toHaveBeenCalledTimes(1);
  expect(watch.stalled()).toMatch(/300 seconds, at table 3 of 47, orders\. .*nothing was kept/);
});

test("one that moves is left alone however long it takes, and so is one that has ended", () => {
  const onStall = vi.fn();
  const watch = watchForStall(300, onStall);
  for (let minutes = 0; minutes < 60; minutes += 4) {
    watch.step("a large table");
    vi.advanceTimersByTime(4 * 60_000);
  }
  watch.stop();
  vi.advanceTimersByTime(3_600_000);
  expect(onStall).not.toHaveBeenCalled();
});
