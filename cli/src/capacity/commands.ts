import type { Command } from "commander";
import { reportingClient } from "../shared/reporting.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { type CapacityOptions, showCapacity } from "./show-capacity.ts";

/** `corprail capacity` */
export function capacityCommand(program: Command): void {
  const command = program
    .command("capacity")
    .requiredOption("--orders-per-day <number>", "orders on a busy day")
    .option("--peak <factor>", "the busiest second divided by the average second of the day", "5")
    .option("--callbacks <percent>", "the percentage of orders with a callback", "30")
    .option("--keep-months <number>", "the months of history that stay in the database", "12")
    .option("--cores <number>", "the cores of one machine", "8");
  reportingClient(
    command,
    async (ctx: ClientContext, options: CapacityOptions) => await showCapacity(ctx, options),
    "corprail capacity --orders-per-day 2000000",
  )
    .summary("Estimate the capacity for a number of orders")
    .description(
      "Estimate cores, processes, cells, connections and disk for a number of orders, and up to how many orders each step of growth is enough. It needs no installation.",
    );
}
