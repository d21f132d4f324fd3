import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createJobStatuses } from "../observability/job-statuses.ts";
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
