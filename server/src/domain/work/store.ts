import type { Fragment } from "postgres";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { WorkItem, WorkKey, WorkKind, WorkNote } from "./work-item.ts";

// Older notes of an item stay in the audit log.
const MAX_NOTES = 200;

type NoteRow = Pick<Row<"work_notes">, "note_id" | "author" | "text" | "assigned_to" | "at"> & { readonly event: WorkNote["event"] };

function keyed(sql: Queryable, { accountId, kind, itemId }: WorkKey): Fragment {
  return sql`account_id = ${accountId} and kind = ${kind} and item_id = ${itemId}`;
}

export async function readWorkItem(sql: Queryable, key: WorkKey): Promise<WorkItem> {
  const [item] = await sql<Pick<Row<"work_items">, "assigned_to" | "assigned_by" | "assigned_at">[]>`
    select assigned_to, assigned_by, assigned_at from work_items where ${keyed(sql, key)} and assigned_to is not null`;
  const notes = await sql<NoteRow[]>`
    select note_id, event, author, text, assigned_to, at from work_notes where ${keyed(sql, key)}
    order by note_id desc limit ${MAX_NOTES}`;
  return {
    assignedTo: item?.assigned_to ?? null,
    assignedBy: item?.assigned_by ?? null,
    assignedAt: item?.assigned_at ?? null,
    notes: notes.map(toNote).toReversed(),
  };
}

function toNote(row: NoteRow): WorkNote {
  return { noteId: row.note_id, event: row.event, author: row.author, text: row.text, assignedTo: row.assigned_to, at: row.at };
}

/** Who handles these items of one kind; items that nobody handles are missing. */
export async function readAssignees(
  sql: Queryable,
  kind: WorkKind,
  items: readonly { readonly accountId: string; readonly itemId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ item_id: string; assigned_to: string }[]>`
    select w.item_id, w.assigned_to from work_items w
    join unnest(${items.map((one) => one.accountId)}::text[], ${items.map((one) => one.itemId)}::text[]) as i (account_id, item_id)
      on w.account_id = i.account_id and w.kind = ${kind} and w.item_id = i.item_id
    where w.assigned_to is not null`;
  return new Map(rows.map((row) => [row.item_id, row.assigned_to]));
}

/** Locks the item until the transaction ends and returns who handles it. */
export async function lockAssignee(tx: Transaction, key: WorkKey, by: string, at: Date): Promise<string | null> {
  await tx`
    insert into work_items (account_id, kind, item_id, assigned_by, assigned_at)
    values (${key.accountId}, ${key.kind}, ${key.itemId}, ${by}, ${at}) on conflict do nothing`;
  const [row] = await tx<{ assigned_to: string | null }[]>`select assigned_to from work_items where ${keyed(tx, key)} for update`;
  return row?.assigned_to ?? null;
}

export async function updateAssignee(tx: Transaction, key: WorkKey, to: string | null, by: string, at: Date): Promise<void> {
  await tx`update work_items set assigned_to = ${to}, assigned_by = ${by}, assigned_at = ${at} where ${keyed(tx, key)}`;
}

export type NewNote = WorkNote & { readonly notifies: readonly string[] };

export async function insertNote(tx: Transaction, key: WorkKey, note: NewNote): Promise<void> {
  await tx`
    insert into work_notes (account_id, kind, item_id, note_id, event, author, text, assigned_to, notifies, at)
    values (${key.accountId}, ${key.kind}, ${key.itemId}, ${note.noteId}, ${note.event}, ${note.author}, ${note.text},
      ${note.assignedTo}, ${[...note.notifies]}::text[], ${note.at})`;
}
