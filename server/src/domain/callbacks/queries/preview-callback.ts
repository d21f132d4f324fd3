import { type Clock, unixSeconds } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { destinationOf, factsOf, type MessageContext, messageFor } from "../delivery/attempt.ts";
import type { ClaimedRow } from "../delivery/store.ts";
import { type ShownRequest, shownRequest } from "./shown-request.ts";

export type PreviewContext = MessageContext & { readonly sql: Sql; readonly clock: Clock };
export type Preview = { readonly request: ShownRequest | null; readonly why: string | null };

type Row = Omit<ClaimedRow, "url" | "attempts" | "retry_step" | "ts" | "troubled" | "callback_id"> & { readonly url: string | null };

/** Creates the request as an attempt would send it now, with its own time and nonce, without sending it. */
export async function previewCallback(ctx: PreviewContext, accountId: string, callbackId: string): Promise<Preview> {
  const [row] = await ctx.sql<Row[]>`
    select c.account_id, c.kind, c.order_id, c.urid, c.status, c.amount, c.target, c.operator_ref, c.complaint_ref, c.refund_amount, c.reason,
      c.resolved_at, c.created_at, case c.kind when 'status' then a.callback_url else a.complaint_callback_url end as url,
      a.callback_version as version, s.credential_id, s.key_id, s.sealed
    from callbacks c join accounts a on a.account_id = c.account_id
    left join credentials s on s.account_id = a.account_id and s.expires_at is null and s.is_primary
      and s.kind = case a.callback_version when 3 then 'callback_secret' else 'api_token' end
    where c.account_id = ${accountId} and c.callback_id = ${callbackId}`;
  if (!row || row.url === null) return { request: null, why: "The account has no URL for this callback." };
  const message = await messageFor(ctx, factsOf(row), destinationOf({ ...row, url: row.url }), unixSeconds(ctx.clock));
  return typeof message === "string" ? { request: null, why: message } : { request: shownRequest(message), why: null };
}
