import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createJobStatuses } from "../observability/job-statuses.ts";
import { type Activity, createActivity, QUIET_AFTER_MILLISECONDS, TICK_MILLISECONDS } from "./activity.ts";
import { startPeriodicJob } from "./periodic-job.ts";

const log = { warn: () => {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a job first runs after its interval, or also at once", async () => {
  const [later, now] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const stops = [
    startPeriodicJob({ name: "later", everyMilliseconds: 1_000, run: later }, log, createJobStatuses()),
    startPeriodicJob({ name: "now", everyMilliseconds: 1_000, atStart: true, run: now }, log, createJobStatuses()),
  ];
  expect([later.mock.calls.length, now.mock.calls.length]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([later.mock.calls.length, now.mock.calls.length]).toEqual([2, 3]);
  await Promise.all(stops.map((one) => one()));
});

test("jobs with the same interval run at different times, each once in every interval", async () => {
  const times: number[][] = [[], [], []];
  const run = (at: number) => async () => void times[at]?.push(Date.now());
  const stops = times.map((_, at) =>
    startPeriodicJob({ name: `job ${at}`, everyMilliseconds: 1_000, run: run(at) }, log, createJobStatuses()),
  );
  await vi.advanceTimersByTimeAsync(2_000);
  expect(times.map((one) => one.length)).toEqual([2, 2, 2]);
  const firsts = times.map((one) => one[0] ?? 0).sort((a, b) => a - b);
  const gaps = firsts.slice(1).map((at, place) => at - (firsts[place] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(100);
  await Promise.all(stops.map((one) => one()));
});

test("a job does not run twice at the same time, and stopping waits for it", async () => {
  let finish = () => {};
  const slow = vi.fn(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  const stop = startPeriodicJob({ name: "slow", everyMilliseconds: 1_000, run: slow }, log, createJobStatuses());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(slow).toHaveBeenCalledTimes(1);
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).not.toHaveBeenCalled();
  finish();
  await stopping;
});

/** Lets time pass in a process whose activity is updated. */
async function pass(activity: Activity, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= TICK_MILLISECONDS) {
    await vi.advanceTimersByTimeAsync(Math.min(left, TICK_MILLISECONDS));
    activity.update();
  }
}

test("a job that fails makes a quiet process active, so that it runs again soon", async () => {
  const activity = createActivity();
  const run = vi.fn(async () => {});
  const job = { name: "failing", everyMilliseconds: 1_000, quietMilliseconds: 10_000, run };
  const stop = startPeriodicJob(job, log, createJobStatuses(), activity);
  await pass(activity, QUIET_AFTER_MILLISECONDS);
  expect(activity.isQuiet()).toBe(true);
  run.mockRejectedValue(new Error("no database"));
  await pass(activity, 10_000);
  expect(activity.isQuiet()).toBe(false);
  const runs = run.mock.calls.length;
  await pass(activity, 2_000);
  expect(run).toHaveBeenCalledTimes(runs + 2);
  await stop();
});

test("a job runs less often while the process is quiet, and as usual from the first activity on", async () => {
  const activity = createActivity();
  const [report, poll] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const intervals = { everyMilliseconds: 1_000, quietMilliseconds: 10_000 };
  const stops = [
    startPeriodicJob({ name: "report", ...intervals, run: report }, log, createJobStatuses(), activity),
    startPeriodicJob({ name: "poll", ...intervals, atActivity: true, run: poll }, log, createJobStatuses(), activity),
  ];
  let before = [0, 0];
  /** How often each has run since the last call. */
  const newRuns = () => {
    const now = [report.mock.calls.length, poll.mock.calls.length];
    const since = now.map((count, at) => count - (before[at] ?? 0));
    before = now;
    return since;
  };
  await pass(activity, QUIET_AFTER_MILLISECONDS - 1_000);
  expect(newRuns()).toEqual([19, 19]);
  await pass(activity, 1_000);
  expect(activity.isQuiet()).toBe(true);
  newRuns();
  await pass(activity, 20_000);
  expect(newRuns()).toEqual([2, 2]);
  activity.note();
  // What may be due runs at once, the others within their interval.
  expect(newRuns()).toEqual([0, 1]);
  await pass(activity, 2_000);
  expect(newRuns()).toEqual([2, 2]);
  await Promise.all(stops.map((one) => one()));
});
