import type { Approval } from "../../../domain/approvals/approval.ts";
import type { AskResult } from "../../../domain/approvals/ask-approval.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { conflict, type Refusal } from "../refusal.ts";

/** An action that waits for a second person's approval, and fields that its reply shows beside the approval. */
export class Held {
  readonly approval: Approval;
  readonly shown: JsonObject;

  constructor(approval: Approval, shown: JsonObject = {}) {
    this.approval = approval;
    this.shown = shown;
  }
}

/** The result of a request for approval as an action returns it. Null: no approval is needed. */
export function heldOrRefusal(asked: AskResult | null, shown: JsonObject = {}): Held | Refusal | null {
  if (asked === null) return null;
  return asked.kind === "conflict" ? conflict(asked.reason) : new Held(asked.approval, shown);
}
