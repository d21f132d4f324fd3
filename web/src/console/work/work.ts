import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useMembers } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import type { Option } from "../../ui/forms/field.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { get, post } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { STAFF } from "../staff/staff.ts";

export type WorkItem = Schemas["WorkItem"];

/** A complaint, order or alert that staff work on. */
export type WorkSubject = { readonly kind: "complaint" | "order" | "alert"; readonly id: string };

export function workQuery({ kind, id }: WorkSubject) {
  return queryOptions({
    queryKey: ["/work", kind, id],
    queryFn: ({ signal }): Promise<WorkItem> => {
      if (kind === "complaint") return get("/complaints/:complaint_ref/work", { complaint_ref: id }, signal);
      if (kind === "order") return get("/orders/:order_id/work", { order_id: id }, signal);
      return get("/alerts/:alert_id/work", { alert_id: id }, signal);
    },
    refetchInterval: 15_000,
  });
}

type Assignment = { readonly assigned_to: string | null; readonly note: string };

function assign({ kind, id }: WorkSubject, body: Assignment): Promise<WorkItem> {
  if (kind === "complaint") return post("/complaints/:complaint_ref/assign", { complaint_ref: id, ...body });
  if (kind === "order") return post("/orders/:order_id/assign", { order_id: id, ...body });
  return post("/alerts/:alert_id/assign", { alert_id: id, ...body });
}

function addNote({ kind, id }: WorkSubject, text: string): Promise<WorkItem> {
  if (kind === "complaint") return post("/complaints/:complaint_ref/notes", { complaint_ref: id, text });
  if (kind === "order") return post("/orders/:order_id/notes", { order_id: id, text });
  return post("/alerts/:alert_id/notes", { alert_id: id, text });
}

const LISTS = { complaint: "/complaints", order: "/orders", alert: "/alerts" } as const;

/** Changes who handles an item, or adds a note. The lists and the menu's numbers are read again. */
export function useWorkChanges(subject: WorkSubject) {
  const queries = useQueryClient();
  const changed = async (item: WorkItem) => {
    queries.setQueryData(workQuery(subject).queryKey, item);
    await queries.invalidateQueries({ queryKey: [LISTS[subject.kind], "list"] });
    await queries.invalidateQueries({ queryKey: ["/work/counts"] });
  };
  return {
    assign: async (body: Assignment) => changed(await assign(subject, body)),
    addNote: async (text: string) => changed(await addNote(subject, text)),
  };
}

/** Gives the name of a staff member by user id. */
export function usePersonName(): (userId: string) => string {
  const nameOf = useActorNames();
  return (userId) => {
    const name = nameOf(`staff:${userId}`);
    return name === `staff:${userId}` ? userId : name;
  };
}

/** Active staff to whom items can be assigned. */
export function useAssignable(): readonly Option[] {
  const { data } = useMembers(STAFF);
  const able = data?.members.filter(({ role, status }) => role !== "auditor" && status !== "disabled") ?? [];
  return able.map(({ user_id: value, name }) => ({ value, label: name }));
}

/** The filter "Assigned to" of a list. */
export function useAssigneeFilter(): Filter {
  const options = [{ value: "me", label: "Me" }, { value: "nobody", label: "Nobody" }, ...useAssignable()];
  return { kind: "choice", name: "assigned_to", label: "Assigned to", options };
}
