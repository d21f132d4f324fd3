import type { Fragment } from "postgres";
import { FUTURE_MILLISECONDS } from "../../platform/core/clock.ts";
import { moneyOrNull } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import type { Agreed, Approval, ApprovalKind, ApprovalState, Asked, Asker } from "./approval.ts";

type ApprovalRow = Pick<
  Row<"approvals">,
  | "approval_id"
  | "about"
  | "amount"
  | "account_id"
  | "order_id"
  | "made_by"
  | "maker_person"
  | "decided_by"
  | "checker_person"
  | "reason"
  | "created_at"
  | "expires_at"
  | "decided_at"
  | "begun_at"
  | "finished_at"
> & {
  readonly kind: ApprovalKind;
  readonly input: JsonObject;
  readonly state: ApprovalState;
  readonly result: JsonObject | null;
};

function columns(sql: Queryable) {
  return sql`approval_id, kind, about, input, amount, account_id, order_id, made_by, maker_person, state, decided_by, checker_person,
    reason, result, created_at, expires_at, decided_at, begun_at, finished_at`;
}

function toApproval(row: ApprovalRow): Approval {
  return {
    approvalId: row.approval_id,
    kind: row.kind,
    about: row.about,
    input: row.input,
    amount: moneyOrNull(row.amount),
    accountId: row.account_id,
    orderId: row.order_id,
    madeBy: row.made_by,
    makerPerson: row.maker_person,
    state: row.state,
    decidedBy: row.decided_by,
    checkerPerson: row.checker_person,
    reason: row.reason,
    result: row.result,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    decidedAt: row.decided_at?.getTime() ?? null,
    begunAt: row.begun_at?.getTime() ?? null,
    finishedAt: row.finished_at?.getTime() ?? null,
  };
}

export async function findApproval(sql: Queryable, approvalId: string): Promise<Approval | null> {
  const [row] = await sql<ApprovalRow[]>`select ${columns(sql)} from approvals where approval_id = ${approvalId}`;
  return row ? toApproval(row) : null;
}

/** Locked until the transaction ends. */
export async function lockApproval(tx: Transaction, approvalId: string): Promise<Approval | null> {
  const [row] = await tx<ApprovalRow[]>`select ${columns(tx)} from approvals where approval_id = ${approvalId} for update`;
  return row ? toApproval(row) : null;
}

export async function lockOpenAbout(tx: Transaction, about: string): Promise<Approval | null> {
  const [row] = await tx<ApprovalRow[]>`
    select ${columns(tx)} from approvals where about = ${about} and state in ('waiting', 'approved') for update`;
  return row ? toApproval(row) : null;
}

export type NewApproval = Asked & { readonly approvalId: string; readonly asker: Asker; readonly at: number; readonly expiresAt: number };

/** Null when another approval about the same is open. A unique index decides between concurrent requests. */
export async function insertApproval(tx: Transaction, approval: NewApproval): Promise<Approval | null> {
  const [row] = await tx<ApprovalRow[]>`
    insert into approvals (approval_id, kind, about, input, amount, account_id, order_id, made_by, maker_person, created_at, expires_at)
    values (${approval.approvalId}, ${approval.kind}, ${approval.about}, ${JSON.stringify(approval.input)}::text::jsonb, ${approval.amount}, ${approval.accountId},
      ${approval.orderId}, ${approval.asker.actor}, ${approval.asker.person}, ${new Date(approval.at)}, ${new Date(approval.expiresAt)})
    on conflict (about) where state in ('waiting', 'approved') do nothing
    returning ${columns(tx)}`;
  return row ? toApproval(row) : null;
}

export type DecisionMade = {
  readonly state: Exclude<ApprovalState, "waiting" | "done" | "failed">;
  readonly decidedBy: string;
  /** Null when no second person has decided. */
  readonly checkerPerson: string | null;
  readonly reason: string | null;
  readonly at: number;
};

export async function markDecided(tx: Transaction, approvalId: string, decision: DecisionMade): Promise<void> {
  await tx`
    update approvals set state = ${decision.state}, decided_by = ${decision.decidedBy}, checker_person = ${decision.checkerPerson},
      reason = ${decision.reason}, decided_at = ${new Date(decision.at)}
    where approval_id = ${approvalId} and state = 'waiting'`;
}

export async function markBegun(tx: Transaction, approvalId: string, at: number): Promise<void> {
  await tx`update approvals set begun_at = ${new Date(at)} where approval_id = ${approvalId} and state = 'approved' and begun_at is null`;
}

export async function markFinished(
  tx: Transaction,
  approvalId: string,
  end: { readonly state: "done" | "failed"; readonly result: JsonObject; readonly at: number },
): Promise<void> {
  await tx`
    update approvals set state = ${end.state}, result = ${JSON.stringify(end.result)}::text::jsonb, finished_at = ${new Date(end.at)}
    where approval_id = ${approvalId} and state = 'approved'`;
}

export type ApprovalFilter = {
  /** `decided` means every state except waiting. */
  readonly state: ApprovalState | "decided" | null;
  readonly kind: ApprovalKind | null;
  readonly accountId: string | null;
  /** Requests about no account count as live. */
  readonly mode: AccountMode | null;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
};

/** Lists approvals, newest first. */
export async function listApprovals(sql: Queryable, filter: ApprovalFilter): Promise<readonly Approval[]> {
  const { state, kind, accountId, mode, after } = filter;
  const rows = await sql<ApprovalRow[]>`
    select ${columns(sql)} from approvals where ${ofMode(sql, "approvals.account_id", mode)}
      ${state === null ? sql`` : state === "decided" ? sql`and state <> 'waiting'` : sql`and state = ${state}`}
      ${kind === null ? sql`` : sql`and kind = ${kind}`}
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
      ${after === null ? sql`` : sql`and (created_at, approval_id) < (${after.at}, ${after.id})`}
    order by created_at desc, approval_id desc limit ${filter.limit}`;
  return rows.map(toApproval);
}

const MAX_AT_ONCE = 50;

/** A condition: an approval is overdue, or its action is being carried out, maybe by a process that has died. */
export function hasDueApprovals(sql: Queryable, at: Date): Fragment {
  return sql`exists (select from approvals where state in ('waiting', 'approved') and (state = 'approved' or expires_at <= ${at}))`;
}

/** Waiting approvals that have expired. */
export async function findOverdue(sql: Queryable, now: number): Promise<readonly string[]> {
  const rows = await sql<{ approval_id: string }[]>`
    select approval_id from approvals where state = 'waiting' and expires_at <= ${new Date(now)} order by created_at limit ${MAX_AT_ONCE}`;
  return rows.map((row) => row.approval_id);
}

/** Approvals that were granted before a time and have not ended. Those that wait for a provider must not hold up the others. */
export async function findUnfinished(sql: Queryable, before: number, now: number): Promise<readonly string[]> {
  const rows = await sql<{ approval_id: string }[]>`
    select approval_id from approvals
    where state = 'approved' and (decided_at < ${new Date(before)} or decided_at > ${new Date(now + FUTURE_MILLISECONDS)})
    order by begun_at nulls first, created_at limit ${MAX_AT_ONCE}`;
  return rows.map((row) => row.approval_id);
}

export async function countWaiting(sql: Queryable, mode: AccountMode | null): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from approvals
    where state = 'waiting' and ${ofMode(sql, "approvals.account_id", mode)}`;
  return row?.waiting ?? 0;
}

export function isAgreed(approval: Approval | null): approval is Agreed {
  return approval?.state === "approved" && approval.decidedBy !== null;
}
