import type { Transaction } from "../../platform/db/connection.ts";
import { changeUnderLock, type Decided } from "./account-change.ts";
import { parseAllowlist } from "./allowlist.ts";
import type { AccountsContext, Done, NotFound, WithReason } from "./context.ts";
import { type AccountRow, updateAllowlist } from "./store.ts";

export type NewAllowlist = WithReason & { readonly accountId: string; readonly entries: readonly string[] };
export type ReplaceAllowlistResult = Done | NotFound | { readonly kind: "invalid_entry"; readonly entry: string };

export async function replaceAllowlist(ctx: AccountsContext, actor: string, input: NewAllowlist): Promise<ReplaceAllowlistResult> {
  const parsed = parseAllowlist(input.entries);
  if (!parsed.ok) return { kind: "invalid_entry", entry: parsed.wrong };
  const entries = parsed.list.entries;
  return await changeUnderLock<Done>(ctx, actor, input, (tx, account, at) => saveAllowlist(tx, account, entries, at));
}

/** Requires the account's lock. Writes and audits nothing when the list is unchanged. */
export async function saveAllowlist(tx: Transaction, account: AccountRow, entries: readonly string[], at: Date): Promise<Decided<Done>> {
  if (sameList(account.allowlist, entries)) return { result: { kind: "done" }, audit: null };
  await updateAllowlist(tx, account.account_id, entries, at);
  const details = { changes: { allowlist: { from: account.allowlist, to: [...entries] } } };
  return { result: { kind: "done" }, audit: { action: "account.allowlist_replaced", details } };
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, place) => entry === other[place]);
}
