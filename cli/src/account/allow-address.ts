import { MAX_ALLOWLIST_ENTRIES, parseAllowlist } from "@corprail/server/domain/accounts/allowlist";
import { addToAllowlist, removeFromAllowlist } from "@corprail/server/domain/accounts/edit-allowlist";
import { actor } from "../shared/actor.ts";
import { confirmed } from "../shared/confirm.ts";
import { type Installation, withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { findAccount, noSuchAccount } from "./installed-account.ts";

export type AllowOptions = { readonly yes?: boolean };

const EVERYBODY = ["0.0.0.0/0", "::/0"];

/** Adds addresses to an account's allowlist. */
export async function allowAddresses(
  ctx: CommandContext,
  accountId: string,
  addresses: readonly string[],
  { yes = false }: AllowOptions,
): Promise<Outcome> {
  const entries = parsed(addresses);
  return await withInstallation(
    ctx,
    async (installation) => {
      const account = await findAccount(installation, accountId);
      if (!account) return noSuchAccount(accountId);
      const wide = entries.filter((entry) => EVERYBODY.includes(entry));
      const question = `${wide.join(" and ")} lets every address in the world call as ${account.name} (${accountId}).`;
      if (wide.length > 0) await confirmed(ctx, { question, yes });
      for (const entry of entries) {
        const result = await addToAllowlist(installation, actor(), { accountId, entry });
        if (result.kind === "conflict") return failed(`${entry} was not added: the list holds ${MAX_ALLOWLIST_ENTRIES} entries at most.`);
      }
      return await listed(installation, accountId, `Calls of ${account.name} may now also come from ${entries.join(", ")}.`);
    },
    { accountId },
  );
}

/** Removes entries, written as the list shows them. If one is not in the list, nothing is changed. */
export async function disallowAddresses(ctx: CommandContext, accountId: string, addresses: readonly string[]): Promise<Outcome> {
  const entries = parsed(addresses);
  return await withInstallation(
    ctx,
    async (installation) => {
      const account = await findAccount(installation, accountId);
      if (!account) return noSuchAccount(accountId);
      const unknown = entries.filter((entry) => !account.allowlist.includes(entry));
      if (unknown.length > 0) return failed(`${unknown.join(", ")} is not in the list: ${account.allowlist.join(", ") || "it is empty"}.`);
      for (const entry of entries) await removeFromAllowlist(installation, actor(), { accountId, entry });
      return await listed(installation, accountId, `Calls of ${account.name} may no longer come from ${entries.join(", ")}.`);
    },
    { accountId },
  );
}

function parsed(addresses: readonly string[]): readonly string[] {
  const list = parseAllowlist(addresses);
  if (!list.ok) throw new UsageFault(`${JSON.stringify(list.wrong)} is neither an address nor a CIDR range.`);
  return list.list.entries;
}

async function listed(installation: Installation, accountId: string, words: string): Promise<Outcome> {
  const allowlist = (await findAccount(installation, accountId))?.allowlist ?? [];
  const report = allowlist.length === 0 ? "(empty: every call is refused)" : allowlist.join("\n");
  return done(words, { account_id: accountId, allowlist }, report);
}
