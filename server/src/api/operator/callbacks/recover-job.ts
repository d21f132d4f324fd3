import { z } from "zod";
import { ACCOUNT_MODES } from "../../../domain/accounts/account-mode.ts";
import { readWaitingAccounts, recoverAccounts } from "../../../domain/callbacks/actions/recover-callbacks.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import { HOME_CELL } from "../../../platform/core/ids.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { SUPPORT } from "../access.ts";
import { type StaffCell, type StaffKind, type StaffWorkContext, staffCells } from "../jobs/staff-context.ts";

export const RECOVER = "callbacks_recover";

const recoverInput = z.object({
  /** Null for all accounts. */
  account_id: z.string().nullable(),
  since_milliseconds: z.number(),
  mode: z.enum(ACCOUNT_MODES).nullable().default(null),
  reason: z.string().optional(),
});
// Cells are worked on by their numbers, and in each the accounts by their ids.
const placeSeen = z.object({ cell: z.number().default(HOME_CELL), after: z.string(), recovered: z.number() });

/** Makes all callbacks undelivered since a time due at once, account by account. */
export const recoverJob: StaffKind = { run: recover, who: SUPPORT };

async function recover(ctx: StaffWorkContext, job: Job, control: JobControl): Promise<JsonObject> {
  // The progress of a process that stopped before the job was finished.
  const before = job.place === null ? { cell: HOME_CELL, after: "", recovered: 0 } : placeSeen.parse(job.place);
  const left = await readLeft(ctx, recoverInput.parse(job.input), before);
  const total = before.recovered + left.flatMap((one) => one.accounts).reduce((sum, { waiting }) => sum + waiting, 0);
  let count = before.recovered;
  for (const one of left) {
    if (control.stopped()) break;
    count += await recoverCell({ ctx, job, control, total, before: count }, one);
  }
  return { rows: count, message: count === 1 ? "1 callback is being sent again." : `${count} callbacks are being sent again.` };
}

type CellLeft = { readonly cell: StaffCell; readonly accounts: Awaited<ReturnType<typeof readWaitingAccounts>> };

/** What is still to be done in each cell. */
async function readLeft(
  ctx: StaffWorkContext,
  { account_id: only, since_milliseconds: since, mode }: z.output<typeof recoverInput>,
  { cell: first, after }: z.output<typeof placeSeen>,
): Promise<readonly CellLeft[]> {
  const cells = staffCells(ctx);
  const left = cells.map(async (cell): Promise<CellLeft> => {
    const waiting = cell.cell < first ? [] : await readWaitingAccounts(cell.sql, since, mode);
    const isLeft = (accountId: string) => (cell.cell > first || accountId > after) && (only === null || accountId === only);
    return { cell, accounts: waiting.filter(({ accountId }) => isLeft(accountId)) };
  });
  return await Promise.all(left);
}

type Recovering = {
  readonly ctx: StaffWorkContext;
  readonly job: Job;
  readonly control: JobControl;
  readonly total: number;
  /** How many callbacks of earlier cells were recovered. */
  readonly before: number;
};

async function recoverCell({ ctx, job, control, total, before }: Recovering, { cell, accounts }: CellLeft): Promise<number> {
  const { since_milliseconds: since, reason } = recoverInput.parse(job.input);
  const shown = (recovered: number) => ({ done: before + recovered, total: Math.max(total, before + recovered) });
  return await recoverAccounts(
    { ...ctx, sql: cell.sql },
    {
      ...{ actor: job.askedBy, since, reason, accountIds: accounts.map(({ accountId }) => accountId), cancelled: control.stopped },
      onProgress: async (count) => {
        if (control.isDue()) await control.save(shown(count));
      },
      onAccount: async (accountId, count) => {
        await cell.callbacks?.makeDue([accountId]);
        await control.save({ ...shown(count), place: { cell: cell.cell, after: accountId, recovered: before + count } });
      },
    },
  );
}
