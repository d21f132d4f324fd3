import type { AssigneeFilter } from "../../../domain/work/assignee-filter.ts";
import type { Caller } from "../caller.ts";
import { word } from "../filters.ts";
import { type Refusal, wrongFields } from "../refusal.ts";

/** A filter of lists: `me`, `nobody`, or the user id of a staff member. */
export const assigneeFilter = word;

/** The filter with the caller's own user id instead of `me`. */
export function resolveAssignee({ staff }: Caller, asked: string | undefined): AssigneeFilter | Refusal {
  if (asked !== "me") return asked ?? null;
  return (
    staff?.userId ??
    wrongFields({ assigned_to: "Must be the id of a staff member, or the word nobody. Items cannot be assigned to an operator key." })
  );
}
