import type { Command } from "commander";
import { reporting } from "../shared/reporting.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { FindOptions } from "./find-archived.ts";
import type { MoveOptions } from "./move-archive.ts";

// Loaded when they run, as in program.ts.
const verbs = {
  make: async (ctx: CommandContext, month: string, folder: string) =>
    await (await import("./make-archive.ts")).makeArchive(ctx, month, folder),
  move: async (ctx: CommandContext, folder: string, options: MoveOptions) =>
    await (await import("./move-archive.ts")).moveArchive(ctx, folder, options),
  verify: async (ctx: CommandContext, folder: string) => await (await import("./verify-archive.ts")).verifyArchive(ctx, folder),
  find: async (ctx: CommandContext, folder: string, options: FindOptions) =>
    await (await import("./find-archived.ts")).findArchived(ctx, folder, options),
  restore: async (ctx: CommandContext, month: string, folder: string) =>
    await (await import("./restore-archive.ts")).restoreArchive(ctx, month, folder),
};

export function archiveCommands(archive: Command): void {
  reporting(archive.command("make <month> <folder>"), verbs.make, "corprail archive make 2026-01 /archive")
    .summary("Write a month of history as files")
    .description(
      "Write the orders and transfers of a month that is over, with what belongs to them, as Parquet files with checksums and closing balances. It only reads, also while the service runs, and deletes nothing.",
    );
  const move = archive
    .command("move <folder>")
    .requiredOption("--keep-months <number>", "how many whole months before the present one stay in the database; 3 or more");
  reporting(move, verbs.move, "corprail archive move /archive --keep-months 24")
    .summary("Move old months from the database to files")
    .description(
      "Write every month that is older as Parquet files, verify them, and only then drop the month from the database, also while the service runs. A month with pending orders, open complaints or undelivered callbacks stays. An interrupted run is continued by the next one.",
    );
  reporting(archive.command("verify <folder>"), verbs.verify, "corprail archive verify /archive --json")
    .summary("Check the files and the ledger in them")
    .description(
      "Check every file against its checksum, every account from its opening over its transfers to its closing balances, and each month against the one before.",
    );
  const find = archive
    .command("find <folder>")
    .option("--order <order_id>", "the order with this id")
    .option("--account <account_id>", "the account of --reference or --month")
    .option("--reference <reference>", "the newest order with this urid or request_id")
    .option("--provider-reference <reference>", "the newest order with this reference of an operator or a provider")
    .option("--month <month>", "the account's transfers and balances of this month");
  reporting(find, verbs.find, "corprail archive find /archive --account A0123456789B --reference INV-1")
    .summary("Find an order or a statement in the files")
    .description(
      "Find an order by its id, its reference or its provider's reference, or an account's statement of a month. It reads the files only.",
    );
  reporting(archive.command("restore <month> <folder>"), verbs.restore, "corprail archive restore 2026-01 /archive")
    .summary("Put missing rows of a month back")
    .description("Check the month's files, then insert into the database what it lacks of them. Rows that are there are left as they are.");
}
