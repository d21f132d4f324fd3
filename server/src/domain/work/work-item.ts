import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";

export type WorkKind = "complaint" | "order" | "alert";

/** A complaint, order or alert that staff work on. */
export type WorkKey = {
  readonly kind: WorkKind;
  /** Empty for an alert. */
  readonly accountId: string;
  readonly itemId: string;
};

export type WorkNote = {
  readonly noteId: string;
  readonly event: "note" | "assigned" | "released";
  /** The actor, as in the audit log. */
  readonly author: string;
  readonly text: string;
  /** The staff member who got the item; null unless it is an assignment. */
  readonly assignedTo: string | null;
  readonly at: Date;
};

/** Who handles an item, and its notes, oldest first. */
export type WorkItem = {
  readonly assignedTo: string | null;
  readonly assignedBy: string | null;
  readonly assignedAt: Date | null;
  readonly notes: readonly WorkNote[];
};

export type WorkContext = { readonly sql: Sql; readonly clock: Clock; readonly ids: Ids };

/** The caller: the actor for the audit log, and the user id if it is a staff member. */
export type Worker = { readonly actor: string; readonly userId: string | null };
