import type { z } from "zod";
import { readNames } from "../../../domain/accounts/read-names.ts";
import type { Approval, ApprovalKind, Asker } from "../../../domain/approvals/approval.ts";
import { type ApprovalObstacles, readApprovalObstacles } from "../../../domain/approvals/approval-obstacles.ts";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { add, formatMoney } from "../../../platform/core/money.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { ADMINS, MONEY, OPERATIONS, SETTLERS } from "../access.ts";
import { type Caller, isOneOf } from "../caller.ts";
import type { approvalDetailOutput, approvalOutput } from "./outputs.ts";

// Only roles that may make a change may approve it.
const DECIDERS: Record<ApprovalKind, readonly StaffRole[]> = {
  wallet: MONEY,
  rules: ADMINS,
  settle: SETTLERS,
  reverse: SETTLERS,
  refund: SETTLERS,
  cancel: SETTLERS,
  complaint_refund: SETTLERS,
  reconcile: SETTLERS,
  bulk_settle: SETTLERS,
  pricing: MONEY,
  pricing_end: MONEY,
  transfer_settings: MONEY,
  provider: OPERATIONS,
  provider_secret: OPERATIONS,
  operator_key: ADMINS,
  single_sign_on: ADMINS,
};

export function mayDecide(caller: Caller, kind: ApprovalKind): boolean {
  return isOneOf(caller, DECIDERS[kind]);
}

type ApprovalOutput = z.output<typeof approvalOutput>;
type ApprovalDetailOutput = z.output<typeof approvalDetailOutput>;

/** The caller who views an approval, the current time, and the database with the users and keys. */
type Viewer = { readonly caller: Caller; readonly now: number; readonly usersSql: Queryable };

export async function approvalViews(sql: Queryable, approvals: readonly Approval[], viewer: Viewer): Promise<readonly ApprovalOutput[]> {
  const [names, barred] = [await readDisplayNames(sql, approvals, viewer), await readBarredFrom(sql, approvals, viewer)];
  return approvals.map((one) => approvalView(one, names, barred, viewer));
}

/** An approval with its effect on the wallet's balance, if it has one. */
export async function approvalDetail(sql: Queryable, one: Approval, viewer: Viewer): Promise<ApprovalDetailOutput> {
  const [names, balances] = await Promise.all([readDisplayNames(sql, [one], viewer), readBalances(sql, one)]);
  const barred = await readBarredFrom(sql, [one], viewer);
  return { ...approvalView(one, names, barred, viewer), ...balances };
}

async function readBarredFrom(sql: Queryable, approvals: readonly Approval[], { caller, now }: Viewer): Promise<ApprovalObstacles> {
  const open = approvals.filter((one) => one.state === "waiting");
  return await readApprovalObstacles(
    sql,
    caller,
    open.map((one) => one.makerPerson),
    now,
  );
}

function approvalView(one: Approval, names: Names, barred: ApprovalObstacles, { caller, now }: Viewer): ApprovalOutput {
  const mine = isMine(one, caller);
  const open = one.state === "waiting" && one.expiresAt > now;
  return {
    approval_id: one.approvalId,
    kind: one.kind,
    state: one.state,
    amount: one.amount === null ? null : formatMoney(one.amount),
    account_id: one.accountId,
    account_name: one.accountId === null ? null : (names.get(one.accountId) ?? null),
    order_id: one.orderId,
    input: one.input,
    made_by: one.madeBy,
    made_by_name: names.get(one.madeBy) ?? null,
    decided_by: one.decidedBy,
    decided_by_name: one.decidedBy === null ? null : (names.get(one.decidedBy) ?? null),
    reason: one.reason,
    result: one.result,
    created_at: indiaDateTime(one.createdAt),
    expires_at: indiaDateTime(one.expiresAt),
    decided_at: time(one.decidedAt),
    finished_at: time(one.finishedAt),
    mine,
    may_decide: open && !mine && mayDecide(caller, one.kind),
    barred: open && !mine ? (barred.get(one.makerPerson) ?? null) : null,
    may_withdraw: open && mine,
  };
}

function isMine(one: Approval, caller: Asker): boolean {
  return one.makerPerson === caller.person;
}

type Balances = Pick<ApprovalDetailOutput, "balance_before" | "balance_after">;

async function readBalances(sql: Queryable, one: Approval): Promise<Balances> {
  if (one.kind !== "wallet" || one.accountId === null || one.amount === null) return {};
  const after = one.result?.["balance"];
  const before = one.result?.["balance_before"];
  if (typeof after === "string" && typeof before === "string") return { balance_before: before, balance_after: after };
  if (one.state !== "waiting" && one.state !== "approved") return { balance_before: null, balance_after: null };
  const { available } = await readWallet(sql, one.accountId);
  return { balance_before: formatMoney(available), balance_after: formatMoney(add(available, one.amount)) };
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : indiaDateTime(milliseconds);
}

/** Display names by actor and by account. */
type Names = ReadonlyMap<string, string>;

async function readDisplayNames(sql: Queryable, approvals: readonly Approval[], { usersSql }: Viewer): Promise<Names> {
  const actors = new Set(approvals.flatMap((one) => [one.madeBy, one.decidedBy ?? one.madeBy]));
  const accounts = approvals.flatMap((one) => one.accountId ?? []);
  const [actorNames, accountNames] = await Promise.all([readActorNames(usersSql, [...actors]), readNames(sql, accounts)]);
  return new Map([...actorNames, ...accountNames]);
}

/** The names of staff members and operator keys. */
export async function readActorNames(sql: Queryable, actors: readonly string[]): Promise<Names> {
  const rows = await sql<{ actor: string; name: string }[]>`
    select actors.actor, coalesce(users.name, operator_keys.name) as name from unnest(${actors as string[]}::text[]) as actors (actor)
    left join users on users.realm = 'console' and users.user_id = split_part(actors.actor, ':', 2)
    left join operator_keys on operator_keys.key_id = split_part(actors.actor, ':', 2)
    where coalesce(users.name, operator_keys.name) is not null`;
  return new Map(rows.map((row) => [row.actor, row.name]));
}
