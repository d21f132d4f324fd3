import { z } from "zod";
import { findUser } from "../../../domain/auth/store.ts";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { findQueued } from "../../../domain/complaints/queue.ts";
import { findById } from "../../../domain/orders/store.ts";
import { findAlert } from "../../../domain/reporting/alerts/store.ts";
import { addNote } from "../../../domain/work/add-note.ts";
import { assignItem } from "../../../domain/work/assign-item.ts";
import { readWorkItem } from "../../../domain/work/store.ts";
import type { WorkItem, WorkKey, WorkKind } from "../../../domain/work/work-item.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { complaintParams, id, orderParams } from "../fields.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../refusal.ts";
import { workItemOutput } from "./outputs.ts";

const words = z.string().trim().min(1).max(2000);
const assignBody = z.strictObject({
  assigned_to: z.union([z.literal("me"), id]).nullable(),
  note: z.string().trim().max(2000).default(""),
});
const noteBody = z.strictObject({ text: words });

type Subject = {
  readonly kind: WorkKind;
  readonly path: "/complaints/:complaint_ref" | "/orders/:order_id" | "/alerts/:alert_id";
  readonly params: z.ZodObject;
  /** The parameter of the path that names the item. */
  readonly name: string;
  /** The account that the item belongs to: empty for an alert, null if there is no such item. */
  readonly accountOf: (deps: OperatorApiDependencies, itemId: string) => Promise<string | null>;
};

const SUBJECTS: readonly Subject[] = [
  {
    kind: "complaint",
    path: "/complaints/:complaint_ref",
    params: complaintParams,
    name: "complaint_ref",
    accountOf: async ({ sql }, itemId) => (await findQueued(sql, itemId))?.accountId ?? null,
  },
  {
    kind: "order",
    path: "/orders/:order_id",
    params: orderParams,
    name: "order_id",
    accountOf: async ({ sql }, itemId) => (await findById(sql, itemId))?.accountId ?? null,
  },
  {
    kind: "alert",
    path: "/alerts/:alert_id",
    params: z.object({ alert_id: id }),
    name: "alert_id",
    accountOf: async ({ sql }, itemId) => ((await findAlert(sql, itemId)) ? "" : null),
  },
];

async function findKey(deps: OperatorApiDependencies, { kind, name, accountOf }: Subject, params: object): Promise<WorkKey | null> {
  const itemId = String((params as Readonly<Record<string, unknown>>)[name]);
  const accountId = await accountOf(deps, itemId);
  return accountId === null ? null : { kind, accountId, itemId };
}

function showWork(subject: Subject): Action {
  return action({
    path: `GET ${subject.path}/work`,
    summary: `Shows who handles the ${subject.kind}, and the notes of staff about it.`,
    roles: EVERYBODY,
    params: subject.params,
    output: workItemOutput,
    handler: async ({ deps, params }) => {
      const key = await findKey(deps, subject, params);
      return key ? workView(await readWorkItem(deps.sql, key)) : noSuch(subject.kind);
    },
  });
}

function assign(subject: Subject): Action {
  return action({
    path: `POST ${subject.path}/assign`,
    summary: `Assigns the ${subject.kind} to a staff member, hands it over with a note, or releases it.`,
    roles: WORKERS,
    params: subject.params,
    body: assignBody,
    output: workItemOutput,
    handler: async ({ deps, caller, actor, params, body }) => {
      const key = await findKey(deps, subject, params);
      if (!key) return noSuch(subject.kind);
      const to = await resolvePerson(deps, caller, body.assigned_to);
      if (typeof to === "object" && to !== null) return to;
      const worker = { actor, userId: caller.staff?.userId ?? null };
      const result = await assignItem(deps, worker, key, { to, note: body.note });
      if (result.kind === "conflict") return conflict(result.reason);
      if (result.kind === "note missing") return wrongFields({ note: "Must say what the other person needs to know." });
      return workView(await readWorkItem(deps.sql, key));
    },
  });
}

function note(subject: Subject): Action {
  return action({
    path: `POST ${subject.path}/notes`,
    summary: `Adds a note to the ${subject.kind}. Clients never see it.`,
    roles: WORKERS,
    params: subject.params,
    body: noteBody,
    output: workItemOutput,
    handler: async ({ deps, caller, actor, params, body: { text } }) => {
      const key = await findKey(deps, subject, params);
      if (!key) return noSuch(subject.kind);
      await addNote(deps, { actor, userId: caller.staff?.userId ?? null }, key, text);
      return workView(await readWorkItem(deps.sql, key));
    },
  });
}

/** The user id of an active staff member whose role is not read-only. */
async function resolvePerson(deps: OperatorApiDependencies, { staff }: Caller, asked: string | null): Promise<string | null | Refusal> {
  if (asked === null) return null;
  if (asked === "me") return staff?.userId ?? wrongFields({ assigned_to: "Must be a user id. Nothing is assigned to an operator key." });
  const user = await findUser(deps.staff.sql, "console", asked);
  if (!user || user.disabled_at !== null) return wrongFields({ assigned_to: "Must be the user id of an active staff member." });
  const mayWork = WORKERS.includes(user.role as StaffRole);
  return mayWork ? user.user_id : wrongFields({ assigned_to: "Must not be an auditor, whose role is read-only." });
}

function workView(item: WorkItem): z.output<typeof workItemOutput> {
  return {
    assigned_to: item.assignedTo,
    assigned_by: item.assignedBy,
    assigned_at: item.assignedAt && indiaDateTime(item.assignedAt.getTime()),
    notes: item.notes.map((one) => ({
      note_id: one.noteId,
      event: one.event,
      author: one.author,
      text: one.text,
      assigned_to: one.assignedTo,
      at: indiaDateTime(one.at.getTime()),
    })),
  };
}

/** Assignment, hand-over and notes of complaints, orders and alerts. */
export const workActions: readonly Action[] = SUBJECTS.flatMap((subject) => [showWork(subject), assign(subject), note(subject)]);
