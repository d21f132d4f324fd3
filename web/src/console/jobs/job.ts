import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";
import { SETTLERS, type StaffRole, SUPPORT, useMay, WORKERS } from "../session.ts";

export type Job = Schemas["Job"];

/** The latest jobs of a kind. */
export function jobsQuery(kind: string, limit: number) {
  return queryOptions({
    queryKey: ["/jobs", kind],
    queryFn: async ({ signal }) => (await get("/jobs", { kind, limit: String(limit) }, signal)).items,
  });
}

type Kind = {
  readonly label: string;
  /** Roles that may cancel the job and download its file, the same as STAFF_KINDS in the service. */
  readonly who: readonly StaffRole[];
  /** What the job is about, such as its provider and day. */
  readonly about?: (input: Job["input"]) => string;
};

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const countAbout = (input: Job["input"]) => `${text(input["count"])} items`;

const KINDS: Readonly<Record<string, Kind>> = {
  reconcile: { label: "Reconciliation", who: SETTLERS, about: (input) => `${text(input["provider"])} ${text(input["day"])}` },
  reconcile_settle: { label: "Settlement from a reconciliation", who: SETTLERS },
  reconcile_export: { label: "Reconciliation export", who: SETTLERS, about: (input) => text(input["outcome"]).replaceAll("_", " ") },
  statement_export: {
    label: "Statement export",
    who: WORKERS,
    about: (input) => `${text(input["account_id"])} ${text(input["month"])}`,
  },
  orders_export: { label: "Transaction export", who: WORKERS, about: (input) => `${text(input["from"])} to ${text(input["to"])}` },
  bulk_requery: { label: "Bulk requery", who: SETTLERS, about: countAbout },
  bulk_settle: { label: "Bulk settlement", who: SETTLERS, about: countAbout },
  bulk_resend: { label: "Callback replay", who: SUPPORT, about: countAbout },
  callbacks_recover: { label: "Callback recovery", who: WORKERS, about: (input) => text(input["account_id"]) },
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));

export const STATE_OPTIONS = ["waiting", "running", "done", "failed", "cancelled"].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** What a kind of job is called. */
export function kindName(kind: string): string {
  return KINDS[kind]?.label ?? kind.replaceAll("_", " ");
}

export function jobTitle({ kind, input }: Pick<Job, "kind" | "input">): string {
  const known = KINDS[kind];
  const about = known?.about?.(input).trim() ?? "";
  return kindName(kind) + (about === "" ? "" : `, ${about}`);
}

/** Whether the user may cancel a job of this kind and download its file. */
export function useMayJob(kind: string | undefined): boolean {
  return useMay(KINDS[kind ?? ""]?.who ?? ["admin"]);
}
