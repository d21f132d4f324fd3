import { z } from "zod";
import { countViews, findQueued, listQueue, QUEUE_VIEWS, type QueueFilter } from "../../../domain/complaints/queue.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import { dayField } from "../../sites/days.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { complaintParams, complaintStatus } from "../fields.ts";
import { left, word } from "../filters.ts";
import { noSuch } from "../refusal.ts";
import { complaintViewsOutput, queuedComplaintOutput } from "./outputs.ts";
import { queuedComplaintView } from "./views.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const complaintsQuery = timeListQuery.extend({
  status: complaintStatus,
  view: left(z.enum(QUEUE_VIEWS)),
  account_id: word,
  search: left(z.string().trim().min(1).max(64)),
  due_by: left(dayField),
  sort: left(z.enum(["newest", "due"])),
});

const listComplaints = action({
  path: "GET /complaints",
  summary: "Lists complaints of all accounts, newest first or by due time.",
  roles: EVERYBODY,
  query: complaintsQuery,
  output: pageOf(queuedComplaintOutput),
  handler: async ({ deps, query }) => {
    const filter = filterOf(query);
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
  handler: async ({ deps }) => await countViews(deps.sql, deps.clock.now()),
});

const showComplaint = action({
  path: "GET /complaints/:complaint_ref",
  summary: "Shows a complaint of any account.",
  roles: EVERYBODY,
  params: complaintParams,
  output: queuedComplaintOutput,
  handler: async ({ deps, params }) => {
    const complaint = await findQueued(deps.sql, params.complaint_ref);
    return complaint ? queuedComplaintView(complaint) : noSuch("complaint");
  },
});

function filterOf({ limit, after, status, view, account_id, search, due_by, sort }: z.infer<typeof complaintsQuery>): QueueFilter {
  return {
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

/** Reading the complaint queue. */
export const complaintActions: readonly Action[] = [listComplaints, countComplaints, showComplaint];
