import { withInstallation } from "../shared/load-installation.ts";
import { done, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { noSuchAccount, readShown, type ShownAccount } from "./installed-account.ts";
import { namesOf } from "./list-accounts.ts";

/** Shows an account without its secrets. */
export async function showAccount(ctx: CommandContext, accountId: string): Promise<Outcome> {
  return await withInstallation(
    ctx,
    async (installation) => {
      const shown = await readShown(installation, accountId);
      return shown
        ? done(`${shown.name} is ${shown.closed_at === null ? shown.standing : "closed"}.`, { account: shown }, facts(shown))
        : noSuchAccount(accountId);
    },
    { accountId },
  );
}

function facts(account: ShownAccount): string {
  const lines: readonly (readonly [name: string, value: string])[] = [
    ["account id", account.account_id],
    ["name", `${account.name}${account.sandbox ? " (sandbox)" : ""}`],
    ["standing", account.closed_at === null ? account.standing : `closed at ${account.closed_at}`],
    ["KYC, agreement", `${account.kyc}, ${account.agreement}`],
    ["balance", `${account.balance}, held ${account.held}, wallet ${account.wallet}`],
    ["services", orNone(namesOf(account.services))],
    ["addresses", account.allowlist.length === 0 ? "none: every call is refused" : account.allowlist.join(", ")],
    ["signing", account.signing_required ? "required for every call" : "required where the service needs it"],
    ["signing secrets", String(account.signing_secrets.length)],
    ["calls a minute", `${account.money_per_minute} money, ${account.get_per_minute} GET`],
    ["daily limit", account.daily_limit ?? "none"],
    ["callback URL", account.callback_url ?? "none"],
    ["complaint URL", account.complaint_callback_url ?? "none"],
    ["callbacks", `version ${account.callback_version}${account.callbacks_paused ? ", paused" : ""}`],
    ["opened at", `${account.created_at} IST`],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function orNone(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
