import type { Queryable, Sql } from "../../platform/db/connection.ts";

export type AuditRow = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  /** Canonical JSON of an object. */
  readonly details: string;
  readonly hash: Buffer;
};

export type AuditQuery = {
  /** Entries before this one; null starts with the newest. */
  readonly before: bigint | null;
  readonly limit: number;
  readonly subject?: { readonly kind?: string | undefined; readonly id?: string | undefined };
  readonly actor?: string | undefined;
  /** An action, or a prefix such as `account.` */
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
};

/** Lists the audit log, newest first. */
export async function listAudit(sql: Sql, query: AuditQuery): Promise<readonly AuditRow[]> {
  const { kind, id } = query.subject ?? {};
  return await sql<AuditRow[]>`
    select seq, at, actor, action, subject_kind, subject_id, details, hash from audit_log
    where true
      ${query.before === null ? sql`` : sql`and seq < ${query.before}`}
      ${kind === undefined ? sql`` : sql`and subject_kind = ${kind}`}
      ${id === undefined ? sql`` : sql`and subject_id = ${id}`}
      ${query.actor === undefined ? sql`` : sql`and actor = ${query.actor}`}
      ${query.action === undefined ? sql`` : sql`and starts_with(action, ${query.action})`}
      ${query.from === undefined ? sql`` : sql`and at >= ${query.from}`}
      ${query.to === undefined ? sql`` : sql`and at < ${query.to}`}
    order by seq desc limit ${query.limit}`;
}

export type AccountAuditQuery = {
  readonly accountId: string;
  /** The account's users as actors. */
  readonly actors: readonly string[];
  readonly before: bigint | null;
  readonly limit: number;
};

/** Entries about an account and its users, and entries by its users. Each part uses its own index. */
export async function listAccountAudit(sql: Sql, query: AccountAuditQuery): Promise<readonly AuditRow[]> {
  const newest = sql`${query.before === null ? sql`` : sql`and seq < ${query.before}`} order by seq desc limit ${query.limit}`;
  return await sql<AuditRow[]>`
    select seq, at, actor, action, subject_kind, subject_id, details, hash from audit_log
    where seq in (
      (select seq from audit_log where subject_kind = 'account' and subject_id = ${query.accountId} ${newest})
      union all
      (select seq from audit_log where subject_kind = 'portal_user' and details::jsonb ->> 'account_id' = ${query.accountId} ${newest})
      union all
      (select done.seq from unnest(${query.actors as string[]}::text[]) as actors (name)
        cross join lateral (select seq from audit_log where actor = actors.name ${newest}) as done)
    )
    order by seq desc limit ${query.limit}`;
}

/** The number of the newest entry. */
export async function readAuditHead(sql: Queryable): Promise<bigint> {
  const [head] = await sql<{ seq: bigint }[]>`select seq from audit_head`;
  return head?.seq ?? 0n;
}
