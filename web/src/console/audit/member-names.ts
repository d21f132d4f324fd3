import { useQueries } from "@tanstack/react-query";
import { get } from "../api.ts";
import { membersOf } from "../staff/staff.ts";
import type { AuditEntry } from "./entry.ts";

// A page of the log rarely shows members of more clients. The others are shown by their ids.
const MAX_ACCOUNTS = 20;

type Entry = Pick<AuditEntry, "actor" | "subject_kind" | "subject_id" | "details">;

/** The accounts whose members the entries name, as actor or as subject. */
export function accountsOfMembers(entries: readonly Entry[]): readonly string[] {
  const named = entries.filter((entry) => entry.actor.startsWith("user:") || entry.subject_kind === "portal_user");
  const accounts = named.map((entry) => (entry.subject_kind === "account" ? entry.subject_id : entry.details["account_id"]));
  return [...new Set(accounts.filter((account) => typeof account === "string"))].slice(0, MAX_ACCOUNTS);
}

/** Names of the members in the entries, by user id; the email address of those without a name. */
export function useMemberNames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: accountsOfMembers(entries).map((accountId) => ({
      queryKey: [`/accounts/${accountId}/people`],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        membersOf(await get("/accounts/:account_id/people", { account_id: accountId }, signal)),
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => (data?.members ?? []).map(({ user_id: id, name, email }) => [id, name || email] as const))),
  });
}
