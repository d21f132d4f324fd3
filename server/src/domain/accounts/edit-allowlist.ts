import { changeUnderLock } from "./account-change.ts";
import { MAX_ALLOWLIST_ENTRIES, parseAllowlist } from "./allowlist.ts";
import type { AccountsContext, Conflict, Done, NotFound } from "./context.ts";
import { saveAllowlist } from "./replace-allowlist.ts";

export type AllowlistEdit = { readonly accountId: string; readonly entry: string };
type InvalidEntry = { readonly kind: "invalid_entry" };

/** Adds one entry. Read and written under the lock, so that concurrent additions are kept. */
export async function addToAllowlist(
  ctx: AccountsContext,
  actor: string,
  input: AllowlistEdit,
): Promise<Done | NotFound | Conflict | InvalidEntry> {
  const parsed = parseAllowlist([input.entry]);
  if (!parsed.ok) return { kind: "invalid_entry" };
  return await changeUnderLock<Done | Conflict>(ctx, actor, input, async (tx, account, at) => {
    const entries = [...new Set([...account.allowlist, ...parsed.list.entries])];
    if (entries.length > MAX_ALLOWLIST_ENTRIES) return FULL;
    return await saveAllowlist(tx, account, entries, at);
  });
}

const FULL = {
  result: { kind: "conflict", reason: `The list can have at most ${MAX_ALLOWLIST_ENTRIES} entries. Remove one first.` },
  audit: null,
} as const;

/** Removes one entry, written as the list shows it. */
export async function removeFromAllowlist(ctx: AccountsContext, actor: string, input: AllowlistEdit): Promise<Done | NotFound> {
  return await changeUnderLock<Done | NotFound>(ctx, actor, input, async (tx, account, at) => {
    if (!account.allowlist.includes(input.entry)) return { result: { kind: "not_found" }, audit: null };
    return await saveAllowlist(
      tx,
      account,
      account.allowlist.filter((entry) => entry !== input.entry),
      at,
    );
  });
}
