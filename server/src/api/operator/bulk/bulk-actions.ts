import { z } from "zod";
import type { AskedWithPayload } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { type BulkInput, startBulkJob } from "../../../domain/bulk/bulk-job.ts";
import { chooseCallbacksByFilter, chooseCallbacksById } from "../../../domain/bulk/choose-callbacks.ts";
import { type Chosen, chooseOrdersByFilter, chooseOrdersById, type OrderChecks } from "../../../domain/bulk/choose-orders.ts";
import { type BulkAction, type BulkItem, MAX_ORDERS, type Selection, skippedReasons } from "../../../domain/bulk/selection.ts";
import { findSelection, insertSelection, listItems } from "../../../domain/bulk/store.ts";
import { TooManyJobs } from "../../../domain/jobs/start-job.ts";
import { isRecentlySent } from "../../../domain/orders/recovery/quiet-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { daysOf, NO_DAYS } from "../../sites/days.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/output-fields.ts";
import { EVERYBODY, SETTLERS, SUPPORT } from "../access.ts";
import { type Action, type ActionCall, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import { namedBy } from "../callbacks/callback-actions.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { staffJobFields, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { filterOf } from "../orders/order-filter.ts";
import { conflict, noSuch, Refusal, wrongFields } from "../refusal.ts";
import { resolveAssignee } from "../work/assignee.ts";
import { callbacksBody, ordersBody, settleBody, startBody } from "./fields.ts";
import { bulkItemOutput, bulkPreviewOutput } from "./outputs.ts";

type OrdersChoice = z.output<typeof ordersBody>;
type CallbacksChoice = z.output<typeof callbacksBody>;

async function chooseOrders(
  deps: OperatorApiDependencies,
  caller: Caller,
  action: "requery" | "settle",
  { order_ids, filter }: OrdersChoice,
): Promise<Chosen | Refusal> {
  const checks: OrderChecks = {
    isRunning: (provider) => action === "settle" || Boolean(deps.providerRegistry.connector(provider)),
    isRecentlySent: (order, poll) => action === "settle" && isRecentlySent(deps, order, poll),
  };
  if (order_ids || !filter) return await chooseOrdersById(deps.sql, order_ids ?? [], caller.mode, checks);
  const now = deps.clock.now();
  const days = daysOf(filter, now);
  if (days === null) return wrongFields(NO_DAYS);
  const assignedTo = resolveAssignee(caller, filter.assigned_to);
  if (assignedTo instanceof Refusal) return assignedTo;
  return await chooseOrdersByFilter(deps.sql, { ...filterOf(filter, caller.mode, days, now), assignedTo }, now, checks);
}

async function chooseCallbacks(deps: OperatorApiDependencies, { mode }: Caller, choice: CallbacksChoice): Promise<Chosen> {
  const { callback_ids: ids, filter } = choice;
  if (ids || !filter) return await chooseCallbacksById(deps.sql, ids ?? [], mode);
  const { account_id: accountId = null, state = null, kind, search, since, until } = filter;
  const named = search === undefined ? undefined : await namedBy(deps, search, accountId);
  return await chooseCallbacksByFilter(deps.sql, { accountId, mode, state, kind, named, since, until });
}

async function preview(
  { deps, caller, actor }: Pick<ActionCall<z.ZodType, z.ZodType, z.ZodType>, "deps" | "caller" | "actor">,
  action: BulkAction,
  chosen: Chosen | Refusal,
): Promise<z.output<typeof bulkPreviewOutput> | Refusal> {
  if (chosen instanceof Refusal) return chosen;
  // A selection would have to span cells, and without a preview nothing can be started.
  if (deps.cells) return conflict("Bulk actions are not possible in an installation with several cells yet.");
  const now = deps.clock.now();
  const made = { selectionId: deps.ids.entry(now), action, mode: caller.mode, madeBy: actor, createdAt: now };
  const selection = await insertSelection(deps.sql, made, chosen.candidates);
  const accounts = new Set(chosen.candidates.filter(({ skip }) => skip === null).map(({ accountId }) => accountId));
  return {
    selection_id: selection.selectionId,
    action,
    count: selection.items,
    amount: formatMoney(selection.amount),
    accounts: accounts.size,
    skipped: skippedReasons(chosen.candidates),
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

const startRequery = action({
  ...once,
  path: "POST /bulk/requery",
  summary: "Starts a job that asks the providers about the orders of a preview.",
  roles: SETTLERS,
  body: startBody,
  output: jobOutput,
  handler: async ({ deps, caller, actor, body }) => {
    const selection = await findPreviewed(deps, caller, "requery", body);
    return selection instanceof Refusal ? selection : await start(deps, actor, "requery", inputOf(selection, body.reason));
  },
});

const startResend = action({
  ...once,
  path: "POST /bulk/resend",
  summary: "Starts a job that sends the callbacks of a preview again.",
  roles: SUPPORT,
  body: startBody,
  output: jobOutput,
  handler: async ({ deps, caller, actor, body }) => {
    const selection = await findPreviewed(deps, caller, "resend", body);
    return selection instanceof Refusal ? selection : await start(deps, actor, "resend", inputOf(selection, body.reason));
  },
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
    const items = await listItems(deps.sql, selection.selectionId, { state: null, after: 0, limit: MAX_ORDERS });
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
  handler: async ({ deps, params, query: { limit, after = 0n, state = null } }) => {
    if (!(await findSelection(deps.sql, params.selection_id))) return noSuch("selection");
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
