import { type BackgroundJobs, createJobRunnerJobs } from "../../../domain/jobs/background-jobs.ts";
import { STAFF_JOBS } from "../../../domain/jobs/job-tables.ts";
import { sweepUploads } from "../../../domain/reconciliation/store.ts";
import { STAFF_KINDS, type StaffWorkContext } from "./kinds.ts";

// No upload takes so long; what is older was broken off by the end of its process.
const UPLOAD_MILLISECONDS = 60 * 60 * 1000;

/** Runs the jobs of the staff. Every process may do it. */
export function createStaffJobs(ctx: StaffWorkContext): BackgroundJobs {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunnerJobs("staff", ctx, { tables: STAFF_JOBS, kinds });
  const sweep = () => sweepUploads(ctx.sql, new Date(ctx.clock.now() - UPLOAD_MILLISECONDS));
  return {
    jobs: [...runner.jobs, { name: "broken uploads", everyMilliseconds: 600_000, run: sweep }],
    close: runner.close,
  };
}
