import type { Command } from "commander";
import { reportingClient } from "../shared/reporting.ts";
import type { ClientContext } from "../shared/run-command.ts";
import type { ApplyCommandOptions, ExportOptions, PlanCommandOptions } from "./verbs.ts";

// Loaded when they run, as the service's modules take long to load.
const verbs = {
  plan: async (ctx: ClientContext, folder: string | undefined, options: PlanCommandOptions) =>
    await (await import("./verbs.ts")).plan(ctx, folder, options),
  apply: async (ctx: ClientContext, path: string, options: ApplyCommandOptions) =>
    await (await import("./verbs.ts")).apply(ctx, path, options),
  exportSettings: async (ctx: ClientContext, folder: string, options: ExportOptions) =>
    await (await import("./verbs.ts")).exportSettings(ctx, folder, options),
};

/** Configuration as code. */
export function configurationCommands(program: Command): void {
  const planned = program
    .command("plan [folder]")
    .option("--out <file>", "save the plan, for corprail apply FILE")
    .option("--drift", "compare the settings with what was applied last; needs no folder")
    .option("--remove", "the plan removes what the files do not contain")
    .option("--set-secrets", "the plan sets every secret of the files again");
  reportingClient(planned, verbs.plan, "corprail plan settings/")
    .summary("Show how the settings differ from configuration files")
    .description(
      "Show every difference between configuration files and the settings, and what it would hit. Ends with 2 if there are any.",
    );
  const applied = program
    .command("apply <folder-or-plan>")
    .option("--remove", "also remove what the files do not contain")
    .option("--set-secrets", "set every secret of the files again")
    .option("--alert-on-drift", "open an alert when the settings are changed elsewhere afterwards")
    .option("--no-alert-on-drift", "end that alert")
    .option("--reason <text>", "for the audit log and for approvals")
    .option("--yes", "do not ask for confirmation");
  reportingClient(applied, verbs.apply, "corprail apply settings/")
    .summary("Apply configuration files or a saved plan")
    .description("Make the changes of a plan through the operator API. Applying again changes nothing; a changed setting refuses a plan.");
  const exported = program
    .command("export <folder>")
    .option("--format <format>", "yaml or json; yaml unless given")
    .option("--only <kinds>", "only these kinds, such as routes,prices")
    .option("--replace", "write over the files of an earlier export");
  reportingClient(exported, verbs.exportSettings, "corprail export settings/")
    .summary("Write the settings into configuration files")
    .description("Write all settings into sorted configuration files with their JSON Schemas. Secrets become references.");
}
