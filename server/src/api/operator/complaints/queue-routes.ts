import { z } from "zod";
import { countViews, findQueued, listQueue, QUEUE_VIEWS, type QueueFilter } from "../../../domain/complaints/queue.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import { dayField } from "../../sites/days.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { EVERYBODY, may } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound } from "../errors.ts";
import { complaintParams, complaintStatus } from "../fields.ts";
import { left, word } from "../filters.ts";
import type { ZodApp } from "../zod-app.ts";
import { queuedFields } from "./queue-fields.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const complaintsQuery = timeListQuery.extend({
  status: complaintStatus,
  view: left(z.enum(QUEUE_VIEWS)),
  account_id: word,
  search: left(z.string().trim().min(1).max(64)),
  due_by: left(dayField),
  sort: left(z.enum(["newest", "due"])),
});

export function queueRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/complaints", { config: may(EVERYBODY), schema: { querystring: complaintsQuery } }, async (request) => {
    const filter = filterOf(request.query);
    const complaints = await listQueue(deps.sql, filter, deps.clock.now());
    return toPage(complaints, request.query.limit, queuedFields, (one) =>
      writeTimeCursor({ at: new Date(filter.dueFirst ? one.dueBy : one.raisedAt), id: one.complaintRef }),
    );
  });

  app.get("/complaints/views", { config: may(EVERYBODY) }, async () => await countViews(deps.sql, deps.clock.now()));

  app.get("/complaints/:complaint_ref", { config: may(EVERYBODY), schema: { params: complaintParams } }, async (request, reply) => {
    const complaint = await findQueued(deps.sql, request.params.complaint_ref);
    return complaint ? queuedFields(complaint) : notFound(reply, "complaint");
  });
}

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
