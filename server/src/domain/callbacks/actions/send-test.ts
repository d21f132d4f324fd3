import { type Clock, unixSeconds } from "../../../platform/core/clock.ts";
import { NO_MONEY } from "../../../platform/core/money.ts";
import type { CredentialKind } from "../../../platform/crypto/vault.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { withReason } from "../../accounts/account-change.ts";
import { appendAudit } from "../../audit/append.ts";
import { type Destination, messageFor } from "../delivery/attempt.ts";
import type { CallbacksContext } from "../delivery/context.ts";
import type { Message } from "../delivery/formats.ts";
import type { CallbackVersion, ComplaintFacts, Facts } from "../facts.ts";

export type TestResult = {
  readonly delivered: boolean;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** The request that was sent; null when it could not be created. */
  readonly message: Message | null;
};

/** Contract, section 7: sends a test complaint once and returns the result. Null without a complaint URL. */
export async function sendTest(ctx: CallbacksContext, accountId: string): Promise<TestResult | null> {
  const destination = await complaintDestination(ctx, accountId);
  if (!destination) return null;
  return await sendOnceForTest(ctx, testComplaint(ctx), destination);
}

export async function sendOnceForTest(ctx: CallbacksContext, facts: Facts, destination: Destination): Promise<TestResult> {
  const message = await messageFor(ctx, facts, destination, unixSeconds(ctx.clock));
  if (typeof message === "string") return { delivered: false, httpStatus: null, error: message, message: null };
  const { httpStatus, error } = await ctx.sender.send(message);
  return { delivered: error === null, httpStatus, error, message };
}

function testComplaint(ctx: CallbacksContext): ComplaintFacts {
  const now = ctx.clock.now();
  const id = ctx.ids.entry(now);
  return {
    kind: "complaint",
    complaintRef: `TEST-CMP${id.slice(-12)}`,
    orderId: `TEST-${ctx.ids.order(now)}`,
    urid: `TEST-${id}`,
    status: "RESOLVED",
    refundAmount: NO_MONEY,
    reason: "This is a test. No complaint was resolved.",
    resolvedAt: now,
    isTest: true,
  };
}

type SettingsRow = {
  readonly url: string;
  readonly version: CallbackVersion;
  readonly kind: CredentialKind | null;
  readonly credential_id: string | null;
  readonly key_id: string | null;
  readonly sealed: Buffer | null;
};

async function complaintDestination(ctx: CallbacksContext, accountId: string): Promise<Destination | null> {
  const [row] = await ctx.sql<SettingsRow[]>`
    select a.complaint_callback_url as url, a.callback_version as version, s.kind, s.credential_id, s.key_id, s.sealed
    from accounts a left join credentials s on s.account_id = a.account_id and s.expires_at is null and s.is_primary
      and s.kind = case a.callback_version when 3 then 'callback_secret' else 'api_token' end
    where a.account_id = ${accountId} and a.complaint_callback_url is not null`;
  if (!row) return null;
  const { kind, credential_id: credentialId, key_id: keyId, sealed, url, version } = row;
  const found = kind !== null && credentialId !== null && keyId !== null && sealed !== null;
  return { url, version, credential: found ? { accountId, credentialId, kind, keyId, sealed } : null };
}

type TestRecord = {
  readonly action?: "account.test_complaint_sent" | "account.version_3_test_sent";
  readonly reason?: string | undefined;
};

export type RecordContext = { readonly sql: Sql; readonly clock: Clock };

/** Audits who sent a test callback to a client. */
export async function recordTest(
  ctx: RecordContext,
  actor: string,
  accountId: string,
  result: TestResult,
  { action = "account.test_complaint_sent", reason }: TestRecord = {},
): Promise<void> {
  const details = withReason({ delivered: result.delivered, http_status: result.httpStatus, error: result.error }, reason);
  await ctx.sql.begin((tx) =>
    appendAudit(tx, new Date(ctx.clock.now()), {
      actor,
      action,
      subject: { kind: "account", id: accountId },
      details,
    }),
  );
}
