import type { Money } from "../../platform/core/money.ts";
import type { AccountMode } from "../accounts/account-mode.ts";

export const BULK_ACTIONS = ["requery", "settle", "resend"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** An order or callback that a bulk action may be about. */
export type FoundItem = {
  readonly accountId: string;
  readonly itemId: string;
  readonly amount: Money;
  /** The order's attempt that the preview showed; null for a callback. */
  readonly attempt: number | null;
  /** Why it is left out; null if it is part of the selection. */
  readonly skip: string | null;
};

/** The same with the cell that it was found in. */
export type Candidate = FoundItem & { readonly cell: number };

/** The orders or callbacks that a preview showed. They are carried out as shown, at most once. */
export type Selection = {
  readonly selectionId: string;
  readonly action: BulkAction;
  readonly mode: AccountMode | null;
  readonly madeBy: string;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly items: number;
  readonly amount: Money;
};

export type BulkItem = {
  readonly place: number;
  readonly accountId: string;
  readonly itemId: string;
  readonly amount: Money;
  /** The order's attempt that the preview showed; null for a callback. */
  readonly attempt: number | null;
  readonly state: "waiting" | "done" | "skipped";
  readonly detail: string;
};

/** The largest selections. Every requery is a call to a provider, and every settlement moves money. */
export const MAX_ORDERS = 1_000;
export const MAX_CALLBACKS = 10_000;

/** The reasons why candidates are left out, with their numbers, the most frequent first. */
export function skippedReasons(candidates: readonly FoundItem[]): readonly { readonly reason: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { skip } of candidates) if (skip !== null) counts.set(skip, (counts.get(skip) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((one, other) => other.count - one.count);
}
