import { z } from "zod";
import type { AccountMode } from "../../../domain/accounts/account-mode.ts";
import type { BrowseFilter } from "../../../domain/orders/queries/browse-filter.ts";
import { type Days, dayField } from "../../sites/days.ts";
import { left, word } from "../filters.ts";
import { assigneeFilter } from "../work/assignee.ts";

const MINUTES = /^[1-9][0-9]{0,5}$/;
const MINUTE_MILLISECONDS = 60_000;

/** What a list of orders, or a file of them, can be narrowed by. */
export const orderFilter = z.object({
  account_id: word,
  service: word,
  operator: word,
  provider: word,
  circle: word,
  // Not `reason`: in a change, that is why it was made, and belongs to the audit log (contract, section 9b).
  failure: word,
  status: left(z.enum(["SUCCESS", "FAILED", "pending", "Reversed"])),
  in_doubt: left(z.literal("true")),
  needs_human: left(z.literal("true")),
  min_age: left(z.string().regex(MINUTES, "Must be a whole number of minutes.")),
  assigned_to: assigneeFilter,
  search: left(z.string().trim().min(1).max(64)),
  from: left(dayField),
  to: left(dayField),
});
export type OrderFilter = z.infer<typeof orderFilter>;

/** The filter for the order queries. `assigned_to` must be resolved before: "me" is not understood here. */
export function filterOf(asked: OrderFilter, mode: AccountMode | null, days: Days, now: number): Omit<BrowseFilter, "before" | "limit"> {
  const youngest = asked.min_age === undefined ? days.toMilliseconds : now - Number(asked.min_age) * MINUTE_MILLISECONDS;
  return {
    accountId: asked.account_id ?? null,
    mode,
    fromMilliseconds: days.fromMilliseconds,
    toMilliseconds: Math.min(days.toMilliseconds, youngest),
    service: asked.service ?? null,
    operator: asked.operator ?? null,
    provider: asked.provider ?? null,
    circle: asked.circle ?? null,
    reason: asked.failure ?? null,
    status: asked.status ?? null,
    doubt: doubtOf(asked),
    assignedTo: asked.assigned_to ?? null,
    search: asked.search ?? null,
  };
}

function doubtOf({ in_doubt: inDoubt, needs_human: needsHuman }: OrderFilter): BrowseFilter["doubt"] {
  if (needsHuman !== undefined) return "for a person";
  return inDoubt === undefined ? null : "any";
}
