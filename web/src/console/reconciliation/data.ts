import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get, post, type Query } from "../../ui/api.ts";
import type { Tone } from "../../ui/badge.tsx";

export type OrderStatus = "SUCCESS" | "FAILED" | "pending";
export type Outcome = Schemas["ReconciliationItem"]["outcome"];

export type Mapping = {
  readonly reference: string | null;
  readonly provider_reference: string | null;
  readonly amount: string | null;
  readonly status: string | null;
  readonly success: readonly string[];
  readonly failed: readonly string[];
  readonly pending: readonly string[];
};

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
    queryFn: ({ signal }) => get<ReconciliationDetail>(`/reconciliations/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_MILLISECONDS : false),
  });
}

/** Posts and then reads reconciliations and jobs again. */
export function useReconciliationPost() {
  const queries = useQueryClient();
  return async <Answer>(path: string, body: object = {}, query: Query = {}): Promise<Answer> => {
    const answer = await post<Answer>(`/reconciliations${path}`, body, query);
    await queries.invalidateQueries({
      predicate: ({ queryKey: [first] }) => typeof first === "string" && /^\/(reconciliations|jobs)/.test(first),
    });
    return answer;
  };
}

/** The names of all providers. */
export const providerNamesQuery = queryOptions({
  queryKey: ["/providers", "names"],
  queryFn: ({ signal }) => get<{ items: readonly { provider: string }[] }>("/providers", { limit: 200 }, signal),
  select: ({ items }) => items.map((item) => item.provider),
});

export function bytesText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
