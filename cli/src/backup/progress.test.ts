import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startProgress, watchForStall } from "./progress.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("on a terminal one line is kept up to date and cleared at the end", () => {
  const written: string[] = [];
  const screen = { isTTY: true, columns: 20, write: (text: string) => written.push(text) };
  const progress = startProgress({ note: () => expect.unreachable() }, screen);
  progress.show(() => "table 1 of 60, accounts: 5 rows");
  progress.show(() => "too soon");
  vi.advanceTimersByTime(200);
  progress.show(() => "table 2");
  progress.end();
  progress.show(() => "after the end");
  expect(written).toEqual(["\r\u001b[Ktable 1 of 60, acco", "\r\u001b[Ktable 2", "\r\u001b[K"]);
});

test("elsewhere progress is a line every two seconds", () => {
  const lines: string[] = [];
  const progress = startProgress({ note: (text) => lines.push(text) }, { write: () => expect.unreachable() });
  for (let second = 0; second <= 4; second += 1) {
    progress.show(() => `second ${second}`);
    vi.advanceTimersByTime(1000);
  }
  progress.end();
  expect(lines).toEqual(["second 2", "second 4"]);
});

test("a backup in which nothing moves is given up with the place where it stopped", () => {
  const onStall = vi.fn();
  const watch = watchForStall(300, onStall);
  vi.advanceTimersByTime(299_000);
  watch.step("table 7 of 60, orders");
  vi.advanceTimersByTime(299_000);
  expect([onStall.mock.calls.length, watch.stalled()]).toEqual([0, null]);
  vi.advanceTimersByTime(1000);
  expect([onStall.mock.calls.length, watch.stalled()]).toEqual([1, expect.stringContaining("table 7 of 60, orders")]);
});

test("a stalled backup is ended once, and the message names the table", () => {
  const onStall = vi.fn();
  const watch = watchForStall(300, onStall);
  watch.step("table 3 of 47, orders");
  vi.advanceTimersByTime(299_999);
  expect([onStall.mock.calls.length, watch.stalled()]).toEqual([0, null]);
  vi.advanceTimersByTime(600_000);
  expect(onStall).toHaveBeenCalledTimes(1);
  expect(watch.stalled()).toMatch(/300 seconds, at table 3 of 47, orders\. .*nothing was kept/);
});

test("a backup that makes progress or has ended is never treated as stalled", () => {
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
