import { z } from "zod";
import { ACCOUNT_MODES } from "../../../domain/accounts/account-mode.ts";
import { readWaitingAccounts, recoverAccounts } from "../../../domain/callbacks/actions/recover-callbacks.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { SUPPORT } from "../access.ts";
import type { StaffKind, StaffWorkContext } from "../jobs/staff-jobs.ts";

export const RECOVER = "callbacks_recover";

const recoverInput = z.object({
  /** Null for all accounts. */
  account_id: z.string().nullable(),
  since_milliseconds: z.number(),
  mode: z.enum(ACCOUNT_MODES).nullable().default(null),
  reason: z.string().optional(),
});
const placeSeen = z.object({ after: z.string(), recovered: z.number() });

/** Makes all callbacks undelivered since a time due at once, account by account. */
export const recoverJob: StaffKind = { run: recover, who: SUPPORT };

async function recover(ctx: StaffWorkContext, job: Job, control: JobControl): Promise<JsonObject> {
  const { account_id: only, since_milliseconds: since, mode, reason } = recoverInput.parse(job.input);
  // The progress of a process that stopped before the job was finished.
  const { after, recovered: before } = job.place === null ? { after: "", recovered: 0 } : placeSeen.parse(job.place);
  const waiting = await readWaitingAccounts(ctx.sql, since, mode);
  const left = waiting.filter(({ accountId }) => accountId > after && (only === null || accountId === only));
  const accountIds = left.map(({ accountId }) => accountId);
  const total = before + left.reduce((sum, one) => sum + one.waiting, 0);
  const shown = (recovered: number) => ({ done: before + recovered, total: Math.max(total, before + recovered) });
  const recovered = await recoverAccounts(ctx, {
    ...{ actor: job.askedBy, since, reason, accountIds, cancelled: control.stopped },
    onProgress: async (count) => {
      if (control.isDue()) await control.save(shown(count));
    },
    onAccount: async (accountId, count) => {
      await ctx.callbacks?.makeDue([accountId]);
      await control.save({ ...shown(count), place: { after: accountId, recovered: before + count } });
    },
  });
  const count = before + recovered;
  return { rows: count, message: count === 1 ? "1 callback is being sent again." : `${count} callbacks are being sent again.` };
}
