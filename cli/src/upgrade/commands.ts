import type { Command } from "commander";
import { reporting } from "../shared/reporting.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { RunOptions } from "./run-upgrade.ts";

const verbs = {
  check: async (ctx: CommandContext) => await (await import("./check-upgrade.ts")).checkUpgrade(ctx),
  run: async (ctx: CommandContext, options: RunOptions) => await (await import("./run-upgrade.ts")).runUpgrade(ctx, options),
};

/** Upgrades of the database while the service runs. */
export function upgradeCommands(upgrade: Command): void {
  reporting(upgrade.command("check"), verbs.check, "corprail upgrade check")
    .summary("Show what the migrations of this version will do")
    .description("Show each step of an upgrade with its lock, whom it blocks, how long it takes and the disk it needs. It only reads.");
  const run = upgrade.command("run").option("--contract", "also remove what older versions need; none of them may run");
  reporting(run, verbs.run, "corprail upgrade run")
    .summary("Apply the migrations of this version")
    .description("Apply the migrations of this version while the previous version runs. It can be interrupted and run again.");
}
