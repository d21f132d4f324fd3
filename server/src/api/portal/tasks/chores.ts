import { type Chores, jobChores } from "../../../domain/jobs/chores.ts";
import { PORTAL_SHELF } from "../../../domain/jobs/shelf.ts";
import { type AlertContext, watchBalances } from "../daily/balance-alert.ts";
import { type NoticesContext, tellOwners } from "../notices/tell-owners.ts";
import { PORTAL_KINDS, type WorkContext } from "./kinds.ts";

/** What the portal has to do without being asked. Every process may do it. */
export function openChores(ctx: WorkContext & AlertContext & NoticesContext): Chores {
  const jobs = jobChores("portal", ctx, { shelf: PORTAL_SHELF, kinds: PORTAL_KINDS });
  return {
    chores: [
      ...jobs.chores,
      { name: "balance alerts", everyMilliseconds: 5_000, run: () => watchBalances(ctx) },
      { name: "owner notices", everyMilliseconds: 5_000, run: () => tellOwners(ctx) },
    ],
    close: jobs.close,
  };
}
