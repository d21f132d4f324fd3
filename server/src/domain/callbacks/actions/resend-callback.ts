import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import type { Conflict, NotFound } from "../../accounts/context.ts";
import { advanceCallbackEpoch } from "../../accounts/store.ts";
import { appendAudit } from "../../audit/append.ts";
import { type CallbackRow, readCallback } from "../queries/read-callbacks.ts";

export type ResendContext = { readonly sql: Sql; readonly clock: Clock; readonly refresh: () => Promise<void> };
export type Resend = {
  readonly callbackId: string;
  /** Only if the callback belongs to this account. */
  readonly accountId?: string | undefined;
  readonly reason?: string | undefined;
};
export type Resent = { readonly kind: "done"; readonly accountId: string } | NotFound | Conflict;

/**
 * Sends a callback again now, even if it was delivered. As after a change of settings, everything that waits for the receiver
 * is due and its breaker is closed. A current attempt is not interrupted; if it fails, the next one follows at once.
 */
export async function resendCallback(ctx: ResendContext, actor: string, input: Resend): Promise<Resent> {
  const resent = await ctx.sql.begin(async (tx): Promise<Resent> => {
    const callback = await readCallback(tx, input.callbackId, input.accountId);
    if (!callback) return { kind: "not_found" };
    const { account_id: accountId, callback_id: callbackId } = callback;
    await tx`select 1 from callbacks where account_id = ${accountId} and callback_id = ${callbackId} for update`;
    if (await isSuperseded(tx, callback)) return SUPERSEDED;
    const at = new Date(ctx.clock.now());
    await tx`
      update callbacks set state = 'waiting', retry_step = 0, next_at = ${at}
      where account_id = ${accountId} and callback_id = ${callbackId}`;
    await advanceCallbackEpoch(tx, accountId);
    const details = { callback_id: callbackId, ...(input.reason === undefined ? {} : { reason: input.reason }) };
    await appendAudit(tx, at, { actor, action: "callback.resent", subject: { kind: "account", id: accountId }, details });
    return { kind: "done", accountId };
  });
  if (resent.kind === "done") await ctx.refresh();
  return resent;
}

const SUPERSEDED: Conflict = {
  kind: "conflict",
  reason: "The order's status has changed since this callback, so it cannot be sent again.",
};

async function isSuperseded(tx: Transaction, callback: CallbackRow): Promise<boolean> {
  const { kind, account_id: accountId, order_id: orderId, callback_id: callbackId, status } = callback;
  if (kind !== "status") return false;
  const later = await tx`
    select 1 from callbacks where account_id = ${accountId} and order_id = ${orderId} and kind = 'status'
      and callback_id > ${callbackId} and status <> ${status} limit 1`;
  return later.length > 0;
}
