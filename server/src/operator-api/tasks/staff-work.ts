import { type Chores, jobChores } from "../../tasks/chores.ts";
import { STAFF_SHELF } from "../../tasks/shelf.ts";
import { STAFF_KINDS, type StaffWorkContext } from "./kinds.ts";

/** Runs the jobs of the staff. Every process may do it. */
export function openStaffWork(ctx: StaffWorkContext): Chores {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  return jobChores("staff", ctx, { shelf: STAFF_SHELF, kinds });
}
