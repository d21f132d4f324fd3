import type { Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import type { Cancel, FailOver, Operation, Settle } from "./operations.ts";

// A connector that names a later time is at fault; PostgreSQL could not even store some of them.
const LONGEST_RECHECK_MILLISECONDS = 31 * 24 * 3_600_000;

/** Writes the rows that only the locked write has: attempts, provider results, refunds, rechecks and audit entries. */
export async function writeDetails(tx: Transaction, operations: readonly Operation[], at: number): Promise<void> {
  for (const operation of operations) {
    if (operation.kind === "fail over") await failOver(tx, operation, new Date(at));
    if (operation.kind === "cancel") await noteRefund(tx, operation, new Date(at));
    if (operation.kind === "settle" && operation.result) await keepResult(tx, operation.order, operation.result);
    if ("audit" in operation && operation.audit) await appendAudit(tx, new Date(at), operation.audit);
    if (operation.kind === "settle" && operation.recheckAt !== undefined) {
      await tx`
        insert into pending_polls (account_id, order_id, why, since, due_at)
        values (${operation.order.accountId}, ${operation.order.orderId}, 'may be taken back', ${new Date(at)}, ${new Date(Math.min(operation.recheckAt, at + LONGEST_RECHECK_MILLISECONDS))})
        on conflict (account_id, order_id) do update set why = excluded.why, due_at = excluded.due_at, polls = 0`;
    }
  }
}

async function keepResult(tx: Transaction, order: Settle["order"], result: NonNullable<Settle["result"]>): Promise<void> {
  await tx`
    insert into order_results (account_id, order_id, result) values (${order.accountId}, ${order.orderId}, ${storableJson(result)}::text::jsonb)
    on conflict (account_id, order_id) do update set result = excluded.result`;
}

/** PostgreSQL stores neither a NUL character nor half of a surrogate pair, and the success must be stored all the same. */
function storableJson(result: NonNullable<Settle["result"]>): string {
  return JSON.stringify(result, (_, value: unknown) => (typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value));
}

async function noteRefund(tx: Transaction, operation: Cancel, at: Date): Promise<void> {
  const { order } = operation;
  await tx`
    update orders set refunded = coalesce(refunded, 0) + ${operation.refund}, updated_at = ${at}
    where account_id = ${order.accountId} and order_id = ${order.orderId}`;
}

async function failOver(tx: Transaction, operation: FailOver, at: Date): Promise<void> {
  const { order } = operation;
  await tx`
    insert into order_attempts (account_id, order_id, attempt, provider, started_at, outcome, detail, ended_at)
    values (${order.accountId}, ${order.orderId}, ${order.attempt}, ${order.provider}, ${new Date(order.updatedAt)},
      ${operation.outcome}, ${operation.detail}, ${at})
    on conflict (account_id, order_id, attempt) do update set outcome = excluded.outcome, detail = excluded.detail, ended_at = excluded.ended_at`;
  await tx`
    insert into order_attempts (account_id, order_id, attempt, provider, started_at)
    values (${order.accountId}, ${order.orderId}, ${order.attempt + 1}, ${operation.provider}, ${at})
    on conflict do nothing`;
  await tx`
    update orders set provider = ${operation.provider}, provider_version = ${operation.providerVersion}, attempt = ${order.attempt + 1}, updated_at = ${at}
    where account_id = ${order.accountId} and order_id = ${order.orderId} and state = 0`;
  // "Not found" counts only twice in a row at the same provider.
  await tx`update pending_polls set not_found = 0 where account_id = ${order.accountId} and order_id = ${order.orderId}`;
  // The roll-ups of orders have the provider; younger orders are not rolled up yet.
  if (at.getTime() - order.createdAt > ROLLED_UP_MILLISECONDS)
    await tx`
      insert into order_rollup_changes (account_id, order_id, state, attempt)
      values (${order.accountId}, ${order.orderId}, 0, ${order.attempt + 1}) on conflict do nothing`;
}

const ROLLED_UP_MILLISECONDS = 30_000;
