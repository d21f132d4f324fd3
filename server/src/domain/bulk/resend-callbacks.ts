import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { advanceCallbackEpoch } from "../accounts/store.ts";
import { appendAudit } from "../audit/append.ts";
import type { Callbacks } from "../callbacks/start-callbacks.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { stateNumber } from "../orders/order.ts";
import { withRetries } from "../orders/write/with-retries.ts";
import type { BulkInput } from "./bulk-job.ts";
import { type BulkContext, runBulk } from "./run-bulk.ts";
import type { BulkItem } from "./selection.ts";
import { lockWaiting, writeResults } from "./store.ts";

type CallbacksOfCell = { readonly callbacks?: Pick<Callbacks, "makeDue"> | undefined };
export type BulkCallbacksContext = BulkContext<CallbacksOfCell>;
/** What carries out items of one cell. */
type CellWork = Pick<JobContext, "sql" | "clock" | "log"> & CallbacksOfCell;

const AT_ONCE = 200;
const SUPERSEDED = "The order's status has changed since the callback.";

/** Makes the callbacks of a selection due now, also those that were delivered. */
export async function resendCallbacks(ctx: BulkCallbacksContext, job: Job, control: JobControl): Promise<JsonObject> {
  const run = async (cell: CellWork, items: readonly BulkItem[], input: BulkInput) => {
    // Items of one account are changed together.
    const accounts = [...new Set(items.map((item) => item.accountId))];
    for (const accountId of accounts) {
      const own = items.filter((item) => item.accountId === accountId);
      await withRetries(cell.log, () => cell.sql.begin((tx) => resendOfAccount(cell, tx, job, accountId, own, input)));
      await cell.callbacks?.makeDue([accountId]);
    }
  };
  return await runBulk(ctx, { step: AT_ONCE, job, control, run });
}

async function resendOfAccount(
  ctx: CellWork,
  tx: Transaction,
  job: Job,
  accountId: string,
  items: readonly BulkItem[],
  { selection_id: selectionId, reason }: BulkInput,
): Promise<void> {
  const waiting: BulkItem[] = [];
  for (const item of items) if (await lockWaiting(tx, selectionId, item.place)) waiting.push(item);
  if (waiting.length === 0) return;
  const at = new Date(ctx.clock.now());
  const resent = await makeDue(
    tx,
    accountId,
    waiting.map((item) => item.itemId),
    at,
  );
  const results = waiting.map(({ place, itemId }) =>
    resent.has(itemId)
      ? ({ place, state: "done", detail: "It is being sent again." } as const)
      : ({ place, state: "skipped", detail: SUPERSEDED } as const),
  );
  await writeResults(tx, selectionId, results);
  if (resent.size === 0) return;
  await advanceCallbackEpoch(tx, accountId);
  const details = { job_id: job.jobId, callback_ids: [...resent], ...(reason === "" ? {} : { reason }) };
  await appendAudit(tx, at, { actor: job.askedBy, action: "callbacks.resent", subject: { kind: "account", id: accountId }, details });
}

/** Makes callbacks due unless their order's status has changed since, as a single resend does. Returns those that are due. */
async function makeDue(tx: Transaction, accountId: string, ids: readonly string[], at: Date): Promise<ReadonlySet<string>> {
  // An update alone would lock the rows in any order, and two jobs could wait for each other.
  await tx`
    select 1 from callbacks where account_id = ${accountId} and callback_id = any(${[...ids]}::text[]) order by callback_id for update`;
  const rows = await tx<{ callback_id: string }[]>`
    update callbacks c set state = 'waiting', retry_step = 0, next_at = ${at}
    where c.account_id = ${accountId} and c.callback_id = any(${[...ids]}::text[]) and (c.kind <> 'status' or (
      not exists (
        select from callbacks l where l.account_id = c.account_id and l.order_id = c.order_id and l.kind = 'status'
          and l.callback_id > c.callback_id and l.status <> c.status)
      and not exists (
        select from orders o where o.account_id = c.account_id and o.order_id = c.order_id
          and o.state <> case c.status when 'SUCCESS' then ${stateNumber("SUCCESS")}::int when 'FAILED' then ${stateNumber("FAILED")}::int
            else ${stateNumber("pending")}::int end)))
    returning c.callback_id`;
  return new Set(rows.map((row) => row.callback_id));
}
