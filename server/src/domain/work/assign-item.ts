import { appendAudit } from "../audit/append.ts";
import { insertNote, lockAssignee, updateAssignee } from "./store.ts";
import type { WorkContext, Worker, WorkKey } from "./work-item.ts";

export type Assignment = {
  /** The staff member who handles the item from now on; null releases it. */
  readonly to: string | null;
  /** What the next person must know. */
  readonly note: string;
};

export type Assigned =
  | { readonly kind: "done" }
  /** Handing an item to somebody else, or taking it from somebody, needs a note. */
  | { readonly kind: "note missing" }
  | { readonly kind: "conflict"; readonly reason: string };

/** Assigns an item, hands it over or releases it. The old and the new holder are notified. */
export async function assignItem(ctx: WorkContext, worker: Worker, key: WorkKey, { to, note }: Assignment): Promise<Assigned> {
  return await ctx.sql.begin(async (tx): Promise<Assigned> => {
    const now = ctx.clock.now();
    const at = new Date(now);
    const from = await lockAssignee(tx, key, worker.actor, at);
    if (from === to)
      return { kind: "conflict", reason: to === null ? "It is assigned to nobody." : "It is already assigned to this person." };
    if (note === "" && needsNote(worker, from, to)) return { kind: "note missing" };
    await updateAssignee(tx, key, to, worker.actor, at);
    const notifies = [from, to].filter((one) => one !== null && one !== worker.userId) as readonly string[];
    const event = to === null ? "released" : "assigned";
    await insertNote(tx, key, { noteId: ctx.ids.entry(now), event, author: worker.actor, text: note, assignedTo: to, notifies, at });
    const details = { from, assigned_to: to, ...(note === "" ? {} : { note }) };
    await appendAudit(tx, at, {
      actor: worker.actor,
      action: `${key.kind}.${event}`,
      subject: { kind: key.kind, id: key.itemId },
      details,
    });
    return { kind: "done" };
  });
}

/** Nobody else is concerned by taking a free item or releasing one's own. */
function needsNote({ userId }: Worker, from: string | null, to: string | null): boolean {
  return [from, to].some((one) => one !== null && one !== userId);
}
