import { type Chores, jobChores } from "../../../domain/jobs/chores.ts";
import { STAFF_SHELF } from "../../../domain/jobs/shelf.ts";
import { sweepUploads } from "../../../domain/reconciliation/store.ts";
import { STAFF_KINDS, type StaffWorkContext } from "./kinds.ts";

// No upload takes so long; what is older was broken off by the end of its process.
const UPLOAD_MILLISECONDS = 60 * 60 * 1000;

/** Runs the jobs of the staff. Every process may do it. */
export function openStaffWork(ctx: StaffWorkContext): Chores {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const jobs = jobChores("staff", ctx, { shelf: STAFF_SHELF, kinds });
  const sweep = () => sweepUploads(ctx.sql, new Date(ctx.clock.now() - UPLOAD_MILLISECONDS));
  return { chores: [...jobs.chores, { name: "broken uploads", everyMilliseconds: 600_000, run: sweep }], close: jobs.close };
}
