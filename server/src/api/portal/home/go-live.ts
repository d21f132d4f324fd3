import type { z } from "zod";
import { readFirstOrderTime } from "../../../domain/orders/queries/count-pending.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { checklistOutput } from "./outputs.ts";

type SettingsRow = {
  readonly token_at: Date | null;
  readonly secret_at: Date | null;
  readonly has_address: boolean;
  readonly version: number;
};

// A working receiver has accepted at least one of this many callbacks.
const CALLBACKS_LOOKED_AT = 1_000;
const CALLS_LOOKED_AT = 1_000;

/** The account's go-live checklist, from the first token to signed callbacks. */
export async function readChecklist(sql: Sql, accountId: string): Promise<z.output<typeof checklistOutput>> {
  const [settings, firstCall, delivered] = await Promise.all([
    readSettings(sql, accountId),
    readFirstCall(sql, accountId),
    readDelivery(sql, accountId),
  ]);
  return [
    { step: "token", ...since(settings?.token_at ?? null) },
    { step: "address", done: settings?.has_address ?? false, at: null },
    { step: "first_call", ...since(firstCall) },
    { step: "signing_secret", ...since(settings?.secret_at ?? null) },
    { step: "callback_2xx", ...since(delivered) },
    { step: "version_3", done: settings?.version === 3, at: null },
  ];
}

function since(at: Date | null): { readonly done: boolean; readonly at: string | null } {
  return { done: at !== null, at: at && indiaDateTime(at.getTime()) };
}

async function readSettings(sql: Sql, accountId: string): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow[]>`
    select a.allowlist <> '{}' as has_address, a.callback_version as version,
      (select c.created_at from credentials c where c.account_id = a.account_id and c.kind = 'api_token' and c.expires_at is null and c.is_primary)
        as token_at,
      (select c.created_at from credentials c where c.account_id = a.account_id and c.kind = 'signing_secret' and c.expires_at is null)
        as secret_at
    from accounts a where a.account_id = ${accountId}`;
  return row;
}

/** The API log is deleted after some time, orders are not. */
async function readFirstCall(sql: Sql, accountId: string): Promise<Date | null> {
  const ordered = await readFirstOrderTime(sql, accountId);
  if (ordered) return ordered;
  const [row] = await sql<{ at: Date | null }[]>`
    select min(at) as at from (
      select at, status from api_calls where account_id = ${accountId} order by at limit ${CALLS_LOOKED_AT}) first where status < 400`;
  return row?.at ?? null;
}

/** A delivered callback or test callback. */
async function readDelivery(sql: Sql, accountId: string): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(at) as at from (
      (select delivered_at as at from callbacks where account_id = ${accountId} order by callback_id desc limit ${CALLBACKS_LOOKED_AT})
      union all select at from callback_tests where account_id = ${accountId} and error is null) delivered`;
  return row?.at ?? null;
}
