import { z } from "zod";
import type { AskedWithPayload } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { type BulkInput, startBulkJob } from "../../../domain/bulk/bulk-job.ts";
import { type BulkAction, type BulkItem, MAX_ORDERS, type Selection, skippedReasons } from "../../../domain/bulk/selection.ts";
import { findSelection, insertSelection, listItems } from "../../../domain/bulk/store.ts";
import { TooManyJobs } from "../../../domain/jobs/start-job.ts";
import { HOME_CELL } from "../../../platform/core/ids.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SETTLERS, SUPPORT } from "../access.ts";
import { type Action, type ActionCall, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import type { Caller } from "../caller.ts";
import { MERGED_ASCENDING } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { staffJobFields, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { conflict, noSuch, Refusal, wrongFields } from "../refusal.ts";
import { chooseCallbacks, chooseOrders } from "./choose.ts";
import { type ChosenInCells, cellsOfItems, missingReasons, numberOf } from "./choose-in-cells.ts";
import { callbacksBody, ordersBody, settleBody, startBody } from "./fields.ts";
import { bulkItemOutput, bulkPreviewOutput } from "./outputs.ts";

async function preview(
  { deps, caller, actor }: Pick<ActionCall<z.ZodType, z.ZodType, z.ZodType>, "deps" | "caller" | "actor">,
  action: BulkAction,
  chosen: ChosenInCells | Refusal,
): Promise<z.output<typeof bulkPreviewOutput> | Refusal> {
  if (chosen instanceof Refusal) return chosen;
  const now = deps.clock.now();
  const made = { selectionId: deps.ids.entry(now), action, mode: caller.mode, madeBy: actor, createdAt: now };
  const selection = await insertSelection(cellsOfItems(deps), made, chosen.candidates);
  const accounts = new Set(chosen.candidates.filter(({ skip }) => skip === null).map(({ accountId }) => accountId));
  return {
    selection_id: selection.selectionId,
    action,
    count: selection.items,
    amount: formatMoney(selection.amount),
    accounts: accounts.size,
    skipped: [...skippedReasons(chosen.candidates), ...missingReasons(chosen.missing)],
    has_more: chosen.hasMore,
  };
}

const once = { inTestMode: true } as const;

const previewRequery = action({
  ...once,
  path: "POST /bulk/requery/preview",
  summary: "Shows which pending orders a bulk requery would ask their providers about.",
  roles: SETTLERS,
  body: ordersBody,
  output: bulkPreviewOutput,
  handler: async (call) => await preview(call, "requery", await chooseOrders(call.deps, call.caller, "requery", call.body)),
});

const previewSettle = action({
  ...once,
  path: "POST /bulk/settle/preview",
  summary: "Shows which pending orders a bulk settlement would end, and their sum.",
  roles: SETTLERS,
  body: ordersBody,
  output: bulkPreviewOutput,
  handler: async (call) => await preview(call, "settle", await chooseOrders(call.deps, call.caller, "settle", call.body)),
});

const previewResend = action({
  ...once,
  path: "POST /bulk/resend/preview",
  summary: "Shows how many callbacks a bulk resend would send again, by ids or by a filter and a window of time.",
  roles: SUPPORT,
  body: callbacksBody,
  output: bulkPreviewOutput,
  handler: async (call) => await preview(call, "resend", await chooseCallbacks(call.deps, call.caller, call.body)),
});

/** The selection that the caller saw, if it can still be started. */
async function findPreviewed(
  deps: OperatorApiDependencies,
  { mode, actor }: Caller,
  action: BulkAction,
  shown: { readonly selection_id: string; readonly count: number; readonly amount?: string },
): Promise<Selection | Refusal> {
  const selection = await findSelection(deps.sql, shown.selection_id);
  // Only the person who saw the preview starts it.
  if (selection?.action !== action || selection.madeBy !== actor) return noSuch("selection");
  if (mode !== null && selection.mode !== mode) return conflict("The selection was made in the other mode. Preview it again.");
  if (selection.startedAt !== null) return conflict("The selection was started already. Preview it again for what is left.");
  if (selection.items !== shown.count) return wrongFields({ count: `Must be ${selection.items}, as the preview showed.` });
  const amount = formatMoney(selection.amount);
  return shown.amount !== undefined && shown.amount !== amount
    ? wrongFields({ amount: `Must be ${amount}, as the preview showed.` })
    : selection;
}

async function start(deps: OperatorApiDependencies, actor: string, action: BulkAction, input: BulkInput) {
  try {
    const job = await deps.sql.begin((tx) => startBulkJob(deps, tx, actor, action, input));
    return job === null ? conflict("The selection was started already.") : { job: staffJobFields(job, deps.clock.now()) };
  } catch (error) {
    if (error instanceof TooManyJobs) return TOO_MANY_JOBS;
    throw error;
  }
}

function inputOf(selection: Selection, reason: string | undefined, status: BulkInput["status"] = null): BulkInput {
  const { selectionId, items, amount } = selection;
  return {
    selection_id: selectionId,
    count: items,
    amount: formatMoney(amount),
    reason: reason ?? "",
    status,
    approval_id: null,
    made_by: null,
  };
}

async function startPreviewed(
  { deps, caller, actor, body }: ActionCall<z.ZodType, z.ZodType, typeof startBody>,
  action: "requery" | "resend",
) {
  const selection = await findPreviewed(deps, caller, action, body);
  return selection instanceof Refusal ? selection : await start(deps, actor, action, inputOf(selection, body.reason));
}

const startRequery = action({
  ...once,
  path: "POST /bulk/requery",
  summary: "Starts a job that asks the providers about the orders of a preview.",
  roles: SETTLERS,
  body: startBody,
  output: jobOutput,
  handler: async (call) => await startPreviewed(call, "requery"),
});

const startResend = action({
  ...once,
  path: "POST /bulk/resend",
  summary: "Starts a job that sends the callbacks of a preview again.",
  roles: SUPPORT,
  body: startBody,
  output: jobOutput,
  handler: async (call) => await startPreviewed(call, "resend"),
});

const startSettle = action({
  ...once,
  path: "POST /bulk/settle",
  summary: "Starts a job that gives the orders of a preview their final state.",
  roles: SETTLERS,
  proof: "recent",
  body: settleBody,
  output: jobOutput,
  // The approval must be about the selection that the job carries out, so it is read once.
  approval: { kinds: ["bulk_settle"], ask: "handler" },
  handler: async ({ deps, caller, actor, body }) => {
    const selection = await findPreviewed(deps, caller, "settle", body);
    if (selection instanceof Refusal) return selection;
    const input = inputOf(selection, body.reason, body.status);
    const lists = cellsOfItems(deps).map(({ sql }) => listItems(sql, selection.selectionId, { state: null, after: 0, limit: MAX_ORDERS }));
    const items = (await Promise.all(lists)).flat();
    // Without the items of a cell, their accounts' thresholds would not be asked for.
    if (items.length !== selection.items) return new Refusal("busy", "A cell of the installation does not answer. Try again later.");
    const held = heldOrRefusal(await askIfNeeded(deps.approvals, caller, askedForAll(input, selection, items)));
    return held ?? (await start(deps, actor, "settle", input));
  },
});

/** One approval for all orders. Each order counts towards its own account's threshold, as if it were settled alone. */
function askedForAll(input: BulkInput, selection: Selection, items: readonly BulkItem[]): AskedWithPayload {
  const accounts = [...new Set(items.map(({ accountId }) => accountId))];
  return {
    kind: "bulk_settle",
    about: `bulk ${selection.selectionId}`,
    input,
    amount: selection.amount,
    accountId: accounts.length === 1 ? (accounts[0] ?? null) : null,
    orderId: null,
    acts: items.map(({ accountId, itemId, amount }) => ({ accountId, about: `order ${itemId}`, amount })),
  };
}

const listBulkItems = action({
  path: "GET /bulk/:selection_id/items",
  summary: "Lists the orders or callbacks of a bulk action with their results.",
  roles: EVERYBODY,
  params: z.object({ selection_id: id }),
  query: numberListQuery.extend({ state: z.enum(["waiting", "done", "skipped"]).optional() }),
  output: pageOf(bulkItemOutput),
  cells: MERGED_ASCENDING,
  handler: async ({ deps, params, query: { limit, after = 0n, state = null } }) => {
    // Home has every selection; another cell only those with items of its accounts.
    if (numberOf(deps) === HOME_CELL && !(await findSelection(deps.sql, params.selection_id))) return noSuch("selection");
    const items = await listItems(deps.sql, params.selection_id, { state, after: Number(after), limit: limit + 1 });
    return toPage(items, limit, itemView, (item) => writeNumberCursor(BigInt(item.place)));
  },
});

function itemView({ itemId, accountId, amount, state, detail }: BulkItem): z.output<typeof bulkItemOutput> {
  return { item_id: itemId, account_id: accountId, amount: formatMoney(amount), state, detail };
}

/** Actions on many orders or callbacks: a preview, then a job. */
export const bulkActions: readonly Action[] = [
  ...[previewRequery, startRequery, previewSettle, startSettle, previewResend, startResend],
  listBulkItems,
];
