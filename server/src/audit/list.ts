import type { Sql } from "../db/connection.ts";

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
  /** Entries before this one; null begins with the newest. */
  readonly before: bigint | null;
  readonly limit: number;
  readonly subject?: { readonly kind?: string | undefined; readonly id?: string | undefined };
};

/** The trail, newest first. */
export async function listAudit(sql: Sql, query: AuditQuery): Promise<readonly AuditRow[]> {
  const { kind, id } = query.subject ?? {};
  return await sql<AuditRow[]>`
    select seq, at, actor, action, subject_kind, subject_id, details, hash from audit_log
    where true
      ${query.before === null ? sql`` : sql`and seq < ${query.before}`}
      ${kind === undefined ? sql`` : sql`and subject_kind = ${kind}`}
      ${id === undefined ? sql`` : sql`and subject_id = ${id}`}
    order by seq desc limit ${query.limit}`;
}
