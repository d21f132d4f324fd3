import type { Vault } from "../../platform/crypto/vault.ts";
import type { Change } from "../audit/feed.ts";
import type { AccountDirectory } from "./directory.ts";

/** Updates the directory from the change feed. */
export function accountChanges(vault: Vault, directory: AccountDirectory): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "master_key")) {
      // Keys are loaded first, because rows may be sealed with a new one.
      await vault.reload();
      await directory.reload("all");
      return;
    }
    const accountIds = new Set(changes.filter((change) => change.kind === "account").map((change) => change.id));
    if (accountIds.size > 0) await directory.reload([...accountIds]);
  };
}
