import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATES, type Approval } from "../../../domain/approvals/approval.ts";
import { approve, type Decided, type DecisionRequest, reject, withdraw } from "../../../domain/approvals/decide-approval.ts";
import { findApproval, listApprovals } from "../../../domain/approvals/store.ts";
import { timeListQuery, toPage, withCursor, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { Caller } from "../caller.ts";
import { MERGED_LIST } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id, noBody, reasonBody } from "../fields.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";
import { approvalDetailOutput, approvalOutput } from "./outputs.ts";
import { approvalDetail, approvalViews, mayDecide } from "./view.ts";

const approvalParams = z.object({ approval_id: id });
const approvalsQuery = timeListQuery.extend({
  state: z.enum([...APPROVAL_STATES, "decided"]).optional(),
  kind: z.enum(APPROVAL_KINDS).optional(),
  account_id: id.optional(),
});

const browseApprovals = action({
  path: "GET /approvals",
  summary: "Lists the requests for approval, newest first.",
  roles: EVERYBODY,
  query: approvalsQuery,
  output: pageOf(approvalOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller, query: { limit, after, state = null, kind = null, account_id: accountId = null } }) => {
    const found = await listApprovals(deps.sql, { state, kind, accountId, mode: caller.mode, after: after ?? null, limit: limit + 1 });
    const cursor = ({ createdAt, approvalId }: Approval) => writeTimeCursor({ at: new Date(createdAt), id: approvalId });
    const page = toPage(found, limit, (approval) => approval, cursor);
    const views = await approvalViews(deps.sql, page.items, { caller, now: deps.clock.now(), usersSql: deps.staff.sql });
    const items = views.map((view, place) => withCursor(view, () => cursor(page.items[place] as Approval)));
    return { ...page, items };
  },
});

const showApproval = action({
  path: "GET /approvals/:approval_id",
  summary: "Shows a request for approval with its effect on the wallet.",
  roles: EVERYBODY,
  params: approvalParams,
  output: approvalDetailOutput,
  handler: async ({ deps, caller, params }) => {
    const approval = await findApproval(deps.sql, params.approval_id);
    return approval
      ? await approvalDetail(deps.sql, approval, { caller, now: deps.clock.now(), usersSql: deps.staff.sql })
      : noSuch("approval");
  },
});

const decision = { roles: SETTLERS, params: approvalParams, output: approvalDetailOutput } as const;

const approveRequest = action({
  ...decision,
  path: "POST /approvals/:approval_id/approve",
  summary: "Approves a request, which is then carried out.",
  proof: "recent",
  body: noBody,
  handler: async ({ deps, caller, params, body: { reason = null } }) =>
    await decide(deps, caller, approve, { approvalId: params.approval_id, reason }),
});

const rejectRequest = action({
  ...decision,
  path: "POST /approvals/:approval_id/reject",
  summary: "Rejects a request. Nothing is changed.",
  body: reasonBody,
  handler: async ({ deps, caller, params, body: { reason } }) =>
    await decide(deps, caller, reject, { approvalId: params.approval_id, reason }),
});

const withdrawRequest = action({
  ...decision,
  path: "POST /approvals/:approval_id/withdraw",
  summary: "Withdraws the caller's own request.",
  body: noBody,
  handler: async ({ deps, caller, params, body: { reason = null } }) =>
    await decided(deps, caller, await withdraw(deps.approvals, caller, { approvalId: params.approval_id, reason })),
});

type Result = Promise<z.output<typeof approvalDetailOutput> | Refusal>;

/** The role is checked before the decision. That is safe, because an approval's kind never changes. */
async function decide(deps: OperatorApiDependencies, checker: Caller, carryOut: typeof approve, request: DecisionRequest): Result {
  const approval = await findApproval(deps.sql, request.approvalId);
  if (!approval) return noSuch("approval");
  if (!mayDecide(checker, approval.kind))
    return new Refusal("forbidden", "Your role cannot approve this, because it cannot make this change itself.");
  return await decided(deps, checker, await carryOut(deps.approvals, checker, request));
}

async function decided(deps: OperatorApiDependencies, caller: Caller, result: Decided): Result {
  if (result.kind === "not_found") return noSuch("approval");
  if (result.kind === "conflict") return conflict(result.reason);
  return await approvalDetail(deps.sql, result.approval, { caller, now: deps.clock.now(), usersSql: deps.staff.sql });
}

/** Requests for approval and their decisions. */
export const approvalActions: readonly Action[] = [browseApprovals, showApproval, approveRequest, rejectRequest, withdrawRequest];
