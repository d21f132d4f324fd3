import { type Command, InvalidArgumentError, Option } from "commander";
import { collect, count } from "../client/commands.ts";
import { reporting } from "../shared/reporting.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { AllowOptions } from "./allow-address.ts";
import type { CreateOptions } from "./create-account.ts";
import type { ListOptions } from "./list-accounts.ts";
import type { TopUpOptions } from "./top-up.ts";

// Loaded on demand, because the service's modules take longer to load than the rest of the CLI.
const verbs = {
  create: async (ctx: CommandContext, name: string, options: CreateOptions) =>
    await (await import("./create-account.ts")).createOne(ctx, name, options),
  list: async (ctx: CommandContext, options: ListOptions) => await (await import("./list-accounts.ts")).listAll(ctx, options),
  show: async (ctx: CommandContext, accountId: string) => await (await import("./show-account.ts")).showAccount(ctx, accountId),
  allow: async (ctx: CommandContext, accountId: string, addresses: readonly string[], options: AllowOptions) =>
    await (await import("./allow-address.ts")).allowAddresses(ctx, accountId, addresses, options),
  disallow: async (ctx: CommandContext, accountId: string, addresses: readonly string[]) =>
    await (await import("./allow-address.ts")).disallowAddresses(ctx, accountId, addresses),
  service: async (ctx: CommandContext, accountId: string, service: string, wanted: "on" | "off") =>
    await (await import("./switch-service.ts")).switchService(ctx, accountId, service, wanted),
  topUp: async (ctx: CommandContext, accountId: string, amount: string, options: TopUpOptions) =>
    await (await import("./top-up.ts")).topUpWallet(ctx, accountId, amount, options),
};

/** The commands under `corprail account`. */
export function accountCommands(account: Command): void {
  addCreate(account);
  const list = account
    .command("list")
    .option("--search <text>", "only those whose name or id holds this")
    .addOption(new Option("--standing <standing>", "only those").choices(["active", "paused", "inactive"]))
    .addOption(new Option("--most <number>", "how many; 50 unless given").argParser(count));
  reporting(list, verbs.list, "corprail account list --search acme").description("Show accounts and their balances, the newest first");
  reporting(account.command("show <account-id>"), verbs.show, "corprail account show AZHBERR1TAHP")
    .summary("Show an account's settings")
    .description("Show an account's standing, services, addresses, limits, callbacks and balance; of its secrets only which are set.");
  addAddresses(account);
  const service = account.command("service <account-id> <service>").argument("<on|off>", "whether the account may use it", onOrOff);
  reporting(service, verbs.service, "corprail account service AZHBERR1TAHP bills on")
    .summary("Switch a service on or off for an account")
    .description(
      "Switch a service (recharge, bills, transfers, bus, aeps) on or off for an account. Running services know it within a second.",
    );
  addTopUp(account);
}

function addCreate(account: Command): void {
  const create = account
    .command("create <name>")
    .option("--sandbox", "pin it to the simulator; its token begins with tok_test_")
    .addOption(new Option("--allow <address>", "an address or CIDR range that may call; may be given several times").argParser(collect))
    .option("--profile <name>", "keep the token in a new profile of yours too")
    .option("--base-url <url>", "with --profile: where clients reach the service; http://HOST:PORT of the configuration unless given");
  reporting(create, verbs.create, 'corprail account create "Acme Ltd" --allow 203.0.113.7 --profile acme')
    .summary("Create an account and show its token once")
    .description("Create an account and show its API token, only this once. It is active, recharge is switched on, its wallet is empty.");
}

function addAddresses(account: Command): void {
  const allow = account.command("allow <account-id> <address...>").option("--yes", "do not ask before a range that allows every address");
  reporting(allow, verbs.allow, "corprail account allow AZHBERR1TAHP 203.0.113.7 198.51.100.0/24")
    .summary("Add addresses to the allowlist")
    .description(
      "Add addresses or CIDR ranges to the allowlist, from which an account may call. Running services know it within a second.",
    );
  reporting(account.command("disallow <account-id> <address...>"), verbs.disallow, "corprail account disallow AZHBERR1TAHP 203.0.113.7")
    .summary("Remove addresses from the allowlist")
    .description(
      "Remove addresses or CIDR ranges from the allowlist, written as account show lists them. Running services know it within a second.",
    );
}

function addTopUp(account: Command): void {
  const topUp = account
    .command("topup <account-id> <amount>")
    .requiredOption("--reference <reference>", "your own reference: sent again with the same one, nothing more is added")
    .option("--note <text>", "what the account's statement says of it")
    .option("--yes", "do not ask before the money is added; needed without a terminal");
  reporting(topUp, verbs.topUp, "corprail account topup AZHBERR1TAHP 5000.00 --reference BANK-2025-0615-7")
    .summary("Add money to an account's wallet")
    .description(
      "Add money to an account's wallet, once for each reference. Refused while four eyes are on for wallets: use the console or the operator API then.",
    );
}

function onOrOff(text: string): "on" | "off" {
  if (text === "on" || text === "off") return text;
  throw new InvalidArgumentError("It must be on or off.");
}
