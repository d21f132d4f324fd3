import { z } from "zod";
import type { AccountMode } from "../../../domain/accounts/account-mode.ts";
import { clearComplaint } from "../../../domain/complaints/clear-complaint.ts";
import { findProviderAnswer } from "../../../domain/complaints/provider-complaints-store.ts";
import { countViews, findQueued, listQueue, QUEUE_VIEWS, type QueueFilter } from "../../../domain/complaints/queue.ts";
import type { AssigneeFilter } from "../../../domain/work/assignee-filter.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import { dayField } from "../../sites/days.ts";
import { mergePages, type Page, timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { askForComplaintRefund } from "../approvals/ask-for-money.ts";
import { SUMMED } from "../cell-rules.ts";
import { clearBody, complaintParams, complaintStatus } from "../fields.ts";
import { left, word } from "../filters.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";
import { assigneeFilter, resolveAssignee } from "../work/assignee.ts";
import { complaintDetailOutput, complaintOutput, complaintViewsOutput, queuedComplaintOutput } from "./outputs.ts";
import { complaintDetailView, complaintView, queuedComplaintView } from "./views.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const complaintsQuery = timeListQuery.extend({
  status: complaintStatus,
  view: left(z.enum(QUEUE_VIEWS)),
  account_id: word,
  search: left(z.string().trim().min(1).max(64)),
  due_by: left(dayField),
  sort: left(z.enum(["newest", "due"])),
  assigned_to: assigneeFilter,
});

const listComplaints = action({
  path: "GET /complaints",
  summary: "Lists complaints of all accounts, newest first or by due time.",
  roles: EVERYBODY,
  query: complaintsQuery,
  output: pageOf(queuedComplaintOutput),
  cells: {
    kind: "list",
    merge: (pages: readonly Page<unknown>[], { limit, sort }: z.infer<typeof complaintsQuery>) =>
      mergePages(pages, limit, sort === "due" ? "ascending" : "newest first"),
  },
  handler: async ({ deps, caller, query }) => {
    const assignedTo = resolveAssignee(caller, query.assigned_to);
    if (assignedTo instanceof Refusal) return assignedTo;
    const filter = filterOf(query, caller.mode, assignedTo);
    const complaints = await listQueue(deps.sql, filter, deps.clock.now());
    return toPage(complaints, query.limit, queuedComplaintView, (one) =>
      writeTimeCursor({ at: new Date(filter.dueFirst ? one.dueBy : one.raisedAt), id: one.complaintRef }),
    );
  },
});

const countComplaints = action({
  path: "GET /complaints/views",
  summary: "Counts the undecided complaints in each view of the queue.",
  roles: EVERYBODY,
  output: complaintViewsOutput,
  cells: SUMMED,
  handler: async ({ deps, caller }) => await countViews(deps.sql, caller.mode, deps.clock.now()),
});

const showComplaint = action({
  path: "GET /complaints/:complaint_ref",
  summary: "Shows a complaint of any account, and what its provider says about it.",
  roles: EVERYBODY,
  params: complaintParams,
  output: complaintDetailOutput,
  handler: async ({ deps, params }) => {
    const complaint = await findQueued(deps.sql, params.complaint_ref);
    return complaint ? complaintDetailView(complaint, await findProviderAnswer(deps.sql, complaint)) : noSuch("complaint");
  },
});

function filterOf(query: z.infer<typeof complaintsQuery>, mode: AccountMode | null, assignedTo: AssigneeFilter): QueueFilter {
  const { limit, after, status, view, account_id, search, due_by, sort } = query;
  return {
    mode,
    assignedTo,
    accountId: account_id ?? null,
    status: status ?? null,
    view: view ?? null,
    search: search ?? null,
    dueBefore: due_by === undefined ? null : (indiaMidnight(due_by) ?? 0) + DAY_MILLISECONDS,
    dueFirst: sort === "due",
    after: after === undefined ? null : { at: after.at, complaintRef: after.id },
    limit: limit + 1,
  };
}

const clearComplaintAction = action({
  path: "POST /complaints/:complaint_ref/clear",
  summary: "Decides a complaint: the order stands, or its amount is refunded.",
  roles: SETTLERS,
  proof: "recent",
  params: complaintParams,
  body: clearBody,
  output: complaintOutput,
  approval: {
    kinds: ["complaint_refund"],
    ask: async ({ deps, caller, params, body: { decision, reason } }) =>
      decision === "refund" ? await askForComplaintRefund(deps, caller, { complaintRef: params.complaint_ref, reason }) : null,
  },
  handler: async ({ deps, actor, params, body }) => {
    const result = await clearComplaint(deps.orders, actor, { complaintRef: params.complaint_ref, ...body });
    if (result.kind === "not_found") return noSuch("complaint");
    return result.kind === "conflict" ? conflict(result.reason) : complaintView(result.complaint);
  },
});

/** Deciding complaints and reading the complaint queue. */
export const complaintActions: readonly Action[] = [clearComplaintAction, listComplaints, countComplaints, showComplaint];
