import type { Approval } from "../../../domain/approvals/approval.ts";
import type { Queryable } from "../../../platform/db/connection.ts";

/** Display names by actor and by account. */
export type Names = ReadonlyMap<string, string>;

export async function readNames(sql: Queryable, approvals: readonly Approval[]): Promise<Names> {
  const actors = [...new Set(approvals.flatMap((one) => [one.madeBy, one.decidedBy ?? one.madeBy]))];
  const accounts = [...new Set(approvals.flatMap((one) => (one.accountId === null ? [] : [one.accountId])))];
  if (actors.length === 0) return new Map();
  const rows = await sql<{ of: string; name: string }[]>`
    select a.actor as of, coalesce(u.name, k.name) as name from unnest(${actors}::text[]) as a (actor)
    left join users u on u.realm = 'console' and u.user_id = split_part(a.actor, ':', 2)
    left join operator_keys k on k.key_id = split_part(a.actor, ':', 2)
    where coalesce(u.name, k.name) is not null
    union all
    select account_id, name from accounts where account_id = any(${accounts}::text[])`;
  return new Map(rows.map((row) => [row.of, row.name]));
}
