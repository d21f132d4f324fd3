import { reasonText } from "../../complaints/labels.ts";
import type { Schemas } from "../../operator-api.ts";
import { type ApprovalKind, kindText, stateOf } from "../approvals/approval.ts";
import { kindName } from "../jobs/job.ts";

type Notification = Pick<Schemas["Notification"], "kind" | "actor" | "subject_kind" | "subject_id" | "text" | "state">;

/** What a notification says: a sentence, and below it the note or message. */
export function notificationText(one: Notification, nameOf: (actor: string) => string): { readonly title: string; readonly text: string } {
  const who = one.actor === null ? "The service" : nameOf(one.actor);
  const item = `${one.subject_kind === "order" ? "transaction" : one.subject_kind} ${one.subject_id}`;
  switch (one.kind) {
    case "assigned":
      return { title: `${who} assigned the ${item} to you.`, text: one.text };
    case "unassigned":
      return { title: `${who} took the ${item} from you.`, text: one.text };
    case "note":
      return { title: `${who} wrote about the ${item}.`, text: one.text };
    case "complaint_raised":
      return { title: `${one.text} raised the ${item}.`, text: reasonText(one.state) };
    case "alert":
      return { title: one.state === "page" ? "An alert needs action now." : "An alert was opened.", text: one.text };
    case "approval_asked":
      return { title: `${who} asks for approval: ${approvalName(one.text)}.`, text: "" };
    case "approval_decided":
      return { title: `Your request "${approvalName(one.text)}" is ${stateName(one.state)}.`, text: "" };
    case "job_finished":
      return { title: `Your job "${kindName(one.text)}" ${one.state === "done" ? "is done" : "has failed"}.`, text: "" };
  }
}

function approvalName(kind: string): string {
  return kindText({ kind: kind as ApprovalKind, amount: null }) ?? kind;
}

function stateName(state: string): string {
  return stateOf({ state: state as Parameters<typeof stateOf>[0]["state"] })?.label.toLowerCase() ?? state;
}
