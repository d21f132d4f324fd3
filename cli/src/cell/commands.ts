import type { Command } from "commander";
import { reporting } from "../shared/reporting.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { MoveOptions } from "./move-account.ts";

// Loaded on demand, because the service's modules take longer to load than the rest of the CLI.
const verbs = {
  list: async (ctx: CommandContext) => await (await import("./list-cells.ts")).listCells(ctx),
  add: async (ctx: CommandContext, number: string) => await (await import("./add-cell.ts")).addCell(ctx, number),
  move: async (ctx: CommandContext, accountId: string, cell: string, options: MoveOptions) =>
    await (await import("./move-account.ts")).moveToCell(ctx, accountId, cell, options),
};

/** The commands under `corprail cell`. */
export function cellCommands(cell: Command): void {
  reporting(cell.command("list"), verbs.list, "corprail cell list").description("Show the cells and how many accounts each has");
  reporting(cell.command("add <number>"), verbs.add, "CORPRAIL_CELLS='1=postgres://db1/corprail' corprail cell add 1")
    .summary("Prepare the database of a new cell")
    .description(
      "Prepare the database of a cell that CORPRAIL_CELLS names, as the next start of the service would. Running it again changes nothing.",
    );
  const move = cell
    .command("move-account <account-id> <cell>")
    .option("--cancel", "let the old cell serve the account again; possible until the new one does");
  reporting(move, verbs.move, "corprail cell move-account AZHBERR1TAHP 2")
    .summary("Move an account to another cell")
    .description(
      "Move an account and its sandbox with their history to another cell. Requests about them are refused as busy for a few seconds. Run it again if it was interrupted.",
    );
}
