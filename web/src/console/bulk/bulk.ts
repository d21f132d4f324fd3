import type { Schemas } from "../../operator-api.ts";
import { countText } from "../../ui/formats/format.ts";
import { post } from "../api.ts";

export type BulkAction = Schemas["BulkPreview"]["action"];
export type BulkPreview = Schemas["BulkPreview"];

/** What a bulk action is about: ids that were selected, or a filter. */
export type BulkChoice =
  | { readonly order_ids: readonly string[] }
  | { readonly callback_ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, unknown>> };

/** The service checks the choice. */
export function previewBulk(action: BulkAction, choice: BulkChoice): Promise<BulkPreview> {
  if (action === "requery") return post("/bulk/requery/preview", choice as never);
  return action === "settle" ? post("/bulk/settle/preview", choice as never) : post("/bulk/resend/preview", choice as never);
}

export type BulkStart = { readonly reason: string; readonly status: "SUCCESS" | "FAILED" };

export function startBulk({ action, selection_id, count, amount }: BulkPreview, { reason, status }: BulkStart) {
  const shown = { selection_id, count };
  if (action === "settle") return post("/bulk/settle", { ...shown, amount, status, reason });
  const why = reason === "" ? {} : { reason };
  return action === "requery" ? post("/bulk/requery", { ...shown, ...why }) : post("/bulk/resend", { ...shown, ...why });
}

const NOUNS = { requery: "transaction", settle: "transaction", resend: "callback" } as const;

/** "1 transaction", "12 callbacks". */
export function itemsText(action: BulkAction, count: number): string {
  return `${countText(count)} ${NOUNS[action]}${count === 1 ? "" : "s"}`;
}

type Texts = { readonly verb: string; readonly effect: string };

export const TEXTS: Readonly<Record<BulkAction, Texts>> = {
  requery: {
    verb: "Requery",
    effect: "Asks each transaction's provider now. A definite answer ends the transaction. Otherwise nothing changes.",
  },
  settle: {
    verb: "Settle",
    effect: "Gives each transaction its final state. Money is captured or returned, and clients are notified. This cannot be undone.",
  },
  resend: {
    verb: "Resend",
    effect: "Sends each callback again now, also those that were delivered. Receivers must ignore what they have seen before.",
  },
};
