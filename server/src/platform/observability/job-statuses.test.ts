import { expect, test } from "vitest";
import { createJobStatuses } from "./job-statuses.ts";

test("a job that was never run has nothing to tell, failures count in a row, and a success ends them", () => {
  const jobStatuses = createJobStatuses();
  jobStatuses.expect("sweep", 1_000);
  expect(jobStatuses.jobs()).toEqual([
    { name: "sweep", everyMilliseconds: 1_000, ranAt: null, tookMilliseconds: null, succeededAt: null, failures: 0, error: null },
  ]);
  jobStatuses.ran("sweep", { tookMilliseconds: 1.4, error: new Error("no room") });
  jobStatuses.ran("sweep", { tookMilliseconds: 2, error: "no text" });
  expect(jobStatuses.jobs()).toMatchObject([{ failures: 2, error: "no text", succeededAt: null, tookMilliseconds: 2 }]);
  jobStatuses.ran("sweep", { tookMilliseconds: 3, error: null });
  expect(jobStatuses.jobs()).toMatchObject([{ failures: 0, error: null, succeededAt: expect.any(Number) }]);
});

test("an error is stored as a short text that the database accepts", () => {
  const jobStatuses = createJobStatuses();
  jobStatuses.ran("sweep", { tookMilliseconds: 1, error: new Error(`\0${"x".repeat(1_000)}`) });
  expect(jobStatuses.jobs()[0]?.error).toBe("x".repeat(300));
});
