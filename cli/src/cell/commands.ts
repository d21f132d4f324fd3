import type { Command } from "commander";
import { reporting } from "../reporting.ts";
import type { CommandContext } from "../run-command.ts";

// Loaded on demand, because the service's modules take longer to load than the rest of the CLI.
const verbs = {
  list: async (ctx: CommandContext) => await (await import("./list-cells.ts")).listCells(ctx),
  add: async (ctx: CommandContext, number: string) => await (await import("./add-cell.ts")).addCell(ctx, number),
};

/** The commands under `corprail cell`. */
export function cellCommands(cell: Command): void {
  reporting(cell.command("list"), verbs.list, "corprail cell list").description("Show the cells and how many accounts each has");
  reporting(cell.command("add <number>"), verbs.add, "CORPRAIL_CELLS='1=postgres://db1/corprail' corprail cell add 1")
    .summary("Prepare the database of a new cell")
    .description(
      "Prepare the database of a cell that CORPRAIL_CELLS names, as the next start of the service would. Running it again changes nothing.",
    );
}
