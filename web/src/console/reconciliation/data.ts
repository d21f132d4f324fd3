import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import type { Tone } from "../../ui/formats/badge.tsx";
import { get, post, upload } from "../api.ts";

export type OrderStatus = "SUCCESS" | "FAILED" | "pending";
export type Outcome = Schemas["ReconciliationItem"]["outcome"];

export type Mapping = Preview["proposal"];

/** A reconciliation as it appears in the list. */
export type Reconciliation = Schemas["Reconciliation"];

export type ReconciliationDetail = Schemas["ReconciliationDetail"];

export type Preview = Schemas["ReconciliationPreview"];

export type Item = Schemas["ReconciliationItem"];

export type ItemDetail = Schemas["ReconciliationItemDetail"];

export const OUTCOMES: Readonly<Record<Outcome, { readonly label: string; readonly tone: Tone; readonly description: string }>> = {
  differing: { label: "Differing", tone: "wait", description: "The amount or status differs between the file and our order." },
  missing_here: { label: "Missing here", tone: "bad", description: "The file contains the line, but there is no such order here." },
  missing_there: {
    label: "Missing there",
    tone: "bad",
    description: "The order of that day is successful or pending here, but the file does not contain it.",
  },
  archived: {
    label: "Archived",
    tone: "plain",
    description: "The order is of a month that has left the database for the archive, so nothing was compared.",
  },
  matched: { label: "Matched", tone: "good", description: "The amount and status are the same." },
  duplicate: { label: "Duplicates", tone: "back", description: "The file contains the same order more than once." },
  unclear: { label: "Unclear", tone: "plain", description: "The line cannot be interpreted." },
};

export function isOutcome(text: string | undefined): text is Outcome {
  return text !== undefined && text in OUTCOMES;
}

const WHY: Readonly<Record<string, string>> = {
  amount: "Amount differs",
  status: "Status differs",
  "amount and status": "Amount and status differ",
  provider: "The order was never sent to this provider",
};

export function whyText({ why, outcome }: Pick<Item, "why" | "outcome">): string {
  return why === null ? OUTCOMES[outcome].description : (WHY[why] ?? why);
}

const POLL_MILLISECONDS = 2_000;

export function reconciliationQuery(id: string) {
  return queryOptions({
    queryKey: ["/reconciliations", id],
    queryFn: ({ signal }) => get("/reconciliations/:reconciliation_id", { reconciliation_id: id }, signal),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_MILLISECONDS : false),
  });
}

/** Posts and then reads reconciliations and jobs again. */
export function useReconciliationPost(): typeof post {
  const readAgain = useReadAgain();
  return async (path, ...args) => {
    const answer = await post(path, ...args);
    await readAgain();
    return answer;
  };
}

/** Uploads a file and then reads reconciliations and jobs again. */
export function useReconciliationUpload(): typeof upload {
  const readAgain = useReadAgain();
  return async (path, file, input) => {
    const answer = await upload(path, file, input);
    await readAgain();
    return answer;
  };
}

function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [first] }) => typeof first === "string" && /^\/(reconciliations|jobs)/.test(first),
    });
}

export function bytesText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
