import { moneyOf } from "../../../platform/core/money.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { destinationOf } from "../delivery/attempt.ts";
import type { CallbacksContext } from "../delivery/context.ts";
import type { StatusFacts } from "../facts.ts";
import { sendOnceForTest, type TestResult } from "./send-test.ts";

const TEST_AMOUNT = moneyOf(100_000n);

type SettingsRow = {
  readonly account_id: string;
  readonly url: string;
  readonly settings_version: number;
  readonly credential_id: string | null;
  readonly key_id: string | null;
  readonly sealed: Buffer | null;
};

/**
 * Sends a version 3 status callback once, whatever the account's version; null without a callback URL. The result is stored
 * with its URL and secret, so that it does not apply to others.
 */
export async function sendVersion3Test(ctx: CallbacksContext, accountId: string): Promise<TestResult | null> {
  const [row] = await ctx.sql<SettingsRow[]>`
    select a.account_id, a.callback_url as url, a.callback_settings_version as settings_version, s.credential_id, s.key_id, s.sealed
    from accounts a left join credentials s on s.account_id = a.account_id and s.kind = 'callback_secret' and s.expires_at is null
    where a.account_id = ${accountId} and a.callback_url is not null`;
  if (!row) return null;
  const result = await sendOnceForTest(ctx, testStatus(ctx), destinationOf({ ...row, version: 3 }));
  const at = new Date(ctx.clock.now());
  // Of two concurrent tests, the result for the later settings is kept.
  await ctx.sql`
    insert into callback_tests as t (account_id, settings_version, url, credential_id, at, http_status, error)
    values (${accountId}, ${row.settings_version}, ${row.url}, ${row.credential_id}, ${at}, ${result.httpStatus}, ${result.error})
    on conflict (account_id) do update set settings_version = excluded.settings_version, url = excluded.url,
      credential_id = excluded.credential_id, at = excluded.at, http_status = excluded.http_status, error = excluded.error
    where t.settings_version <= excluded.settings_version`;
  return result;
}

function testStatus(ctx: CallbacksContext): StatusFacts {
  const now = ctx.clock.now();
  return {
    kind: "status",
    orderId: `TEST-${ctx.ids.order(now)}`,
    urid: `TEST-${ctx.ids.entry(now)}`,
    status: "SUCCESS",
    amount: TEST_AMOUNT,
    target: "9999999999",
    operatorRef: "TEST",
  };
}

export type Version3Test = {
  readonly at: Date;
  readonly http_status: number | null;
  /** Null for a delivery. */
  readonly error: string | null;
  /** The version of the callback settings when this was read. */
  readonly current_settings_version: number;
  /** Whether the URL and the secret are still those of the test. */
  readonly holds: boolean;
};

export async function readVersion3Test(sql: Queryable, accountId: string): Promise<Version3Test | null> {
  const [row] = await sql<Version3Test[]>`
    select t.at, t.http_status, t.error, a.callback_settings_version as current_settings_version,
      a.callback_url is not distinct from t.url and s.credential_id is not distinct from t.credential_id as holds
    from callback_tests t join accounts a on a.account_id = t.account_id
    left join credentials s on s.account_id = a.account_id and s.kind = 'callback_secret' and s.expires_at is null
    where t.account_id = ${accountId}`;
  return row ?? null;
}
