import { type BackgroundJobs, createJobRunnerJobs } from "../../../domain/jobs/background-jobs.ts";
import { sweepUploads } from "../../../domain/reconciliation/store.ts";
import { STAFF_KINDS, type StaffWorkContext } from "./kinds.ts";

// No upload takes this long. An older one was interrupted.
const UPLOAD_MILLISECONDS = 60 * 60 * 1000;

/** Runs the staff's background jobs. Several processes may run them at the same time. */
export function createStaffJobs(ctx: StaffWorkContext): BackgroundJobs {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunnerJobs("staff", ctx, { owner: "staff", kinds });
  const sweep = () => sweepUploads(ctx.sql, new Date(ctx.clock.now() - UPLOAD_MILLISECONDS));
  return {
    jobs: [...runner.jobs, { name: "broken uploads", everyMilliseconds: 600_000, run: sweep }],
    close: runner.close,
  };
}
