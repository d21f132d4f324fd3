import type { Sql } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { CallCursor } from "./read-calls.ts";
import type { UsageKind } from "./usage.ts";

export type UsageRow = {
  readonly kind: UsageKind;
  readonly subject: string;
  readonly last_at: Date;
  readonly last_address: string;
  readonly calls: bigint;
};

/** When an account's credentials and allowlist entries were last used, the latest first. */
export async function readUsage(sql: Sql, accountId: string, kinds: readonly UsageKind[]): Promise<readonly UsageRow[]> {
  return await sql<UsageRow[]>`
    select kind, subject, last_at, last_address, calls from api_usage
    where account_id = ${accountId} and kind = any(${kinds as UsageKind[]}) order by last_at desc, subject`;
}

/** The number of requests by signing secret, from whole hours. */
export async function countSigned(sql: Sql, accountId: string, since: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ credential_id: string; calls: bigint }[]>`
    select credential_id, sum(calls)::bigint as calls from api_signed_calls
    where account_id = ${accountId} and hour > ${since} group by credential_id`;
  return new Map(rows.map((row) => [row.credential_id, Number(row.calls)]));
}

export type SignatureRow = Pick<
  Row<"api_refused_signatures">,
  "method" | "path" | "canonical_query" | "body_sha256" | "timestamp" | "nonce" | "reason"
>;

export async function readRefusedSignature(sql: Sql, accountId: string, { at, requestId }: CallCursor): Promise<SignatureRow | null> {
  const [row] = await sql<SignatureRow[]>`
    select method, path, canonical_query, body_sha256, timestamp, nonce, reason from api_refused_signatures
    where account_id = ${accountId} and at = ${at} and request_id = ${requestId}`;
  return row ?? null;
}
