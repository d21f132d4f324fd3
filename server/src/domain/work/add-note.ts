import { appendAudit } from "../audit/append.ts";
import { insertNote, lockAssignee } from "./store.ts";
import type { WorkContext, Worker, WorkKey } from "./work-item.ts";

/** Adds a note to an item. The staff member who handles it is notified. */
export async function addNote(ctx: WorkContext, worker: Worker, key: WorkKey, text: string): Promise<void> {
  await ctx.sql.begin(async (tx) => {
    const now = ctx.clock.now();
    const at = new Date(now);
    const assignee = await lockAssignee(tx, key, worker.actor, at);
    const notifies = assignee === null || assignee === worker.userId ? [] : [assignee];
    await insertNote(tx, key, { noteId: ctx.ids.entry(now), event: "note", author: worker.actor, text, assignedTo: null, notifies, at });
    const subject = { kind: key.kind, id: key.itemId };
    await appendAudit(tx, at, { actor: worker.actor, action: `${key.kind}.noted`, subject, details: { note: text } });
  });
}
