import type { Queryable, Sql } from "../../../platform/db/connection.ts";

// Longer than a notification is shown.
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** Which of these notifications the staff member has marked as read. */
export async function readMarked(sql: Queryable, userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ notification_id: string }[]>`
    select notification_id from notification_reads where user_id = ${userId} and notification_id = any(${[...ids]}::text[])`;
  return new Set(rows.map((row) => row.notification_id));
}

/** Marks notifications as read, and forgets marks of those that are no longer shown. */
export async function markRead(sql: Sql, userId: string, ids: readonly string[], now: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into notification_reads (user_id, notification_id, read_at)
      select ${userId}, id, ${new Date(now)} from unnest(${[...ids]}::text[]) as id on conflict do nothing`;
    await tx`delete from notification_reads where user_id = ${userId} and read_at < ${new Date(now - KEPT_MILLISECONDS)}`;
  });
}
