import { expect, onTestFinished, test, vi } from "vitest";
import { createActivity, QUIET_AFTER_MILLISECONDS, startInterval } from "./activity.ts";

function start() {
  let milliseconds = 0;
  const activity = createActivity(() => milliseconds);
  const changes: boolean[] = [];
  const end = activity.onChange((isQuiet) => changes.push(isQuiet));
  const pass = (by: number) => {
    milliseconds += by;
    activity.update();
  };
  return { activity, changes, end, pass };
}

test("a process is quiet after nothing has happened for a while, and each change is reported once", () => {
  const { activity, changes, pass } = start();
  pass(QUIET_AFTER_MILLISECONDS - 1);
  expect(activity.isQuiet()).toBe(false);
  pass(1);
  pass(1);
  expect(activity.isQuiet()).toBe(true);
  expect(changes).toEqual([true]);
});

test("the first event makes the process active at once, and the time begins again", () => {
  const { activity, changes, pass } = start();
  pass(QUIET_AFTER_MILLISECONDS);
  activity.note();
  expect(activity.isQuiet()).toBe(false);
  pass(QUIET_AFTER_MILLISECONDS);
  expect(activity.isQuiet()).toBe(false);
  pass(QUIET_AFTER_MILLISECONDS);
  expect(changes).toEqual([true, false, true]);
});

test("a process with work under way is not quiet, however long it takes", () => {
  const { activity, pass } = start();
  const isBusy = vi.fn(() => true);
  activity.stayActiveWhile(isBusy);
  pass(QUIET_AFTER_MILLISECONDS);
  expect(activity.isQuiet()).toBe(false);
  isBusy.mockReturnValue(false);
  pass(QUIET_AFTER_MILLISECONDS);
  expect(activity.isQuiet()).toBe(true);
  isBusy.mockReturnValue(true);
  pass(1);
  expect(activity.isQuiet()).toBe(false);
});

test("an interval ends also in a process that is quiet and active by turns", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const activity = createActivity();
  const run = vi.fn();
  const end = startInterval(run, { everyMilliseconds: 30_000, quietMilliseconds: 60_000 }, activity);
  for (let turn = 0; turn < 10; turn++) {
    vi.advanceTimersByTime(QUIET_AFTER_MILLISECONDS);
    activity.update();
    activity.note();
    activity.update();
  }
  // Every 60 seconds at least, as in a quiet process.
  expect(run).toHaveBeenCalledTimes(3);
  end();
  vi.advanceTimersByTime(100_000);
  expect(run).toHaveBeenCalledTimes(3);
});

test("a listener that has ended hears nothing more", () => {
  const { changes, end, pass } = start();
  end();
  pass(QUIET_AFTER_MILLISECONDS);
  expect(changes).toEqual([]);
});
