import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { confirmed } from "../confirm.ts";
import { done, EXIT_CODES, failed, type Outcome, UsageFault } from "../outcome.ts";
import { reportingClient } from "../reporting.ts";
import type { ClientContext } from "../run-command.ts";

type PlanCommandOptions = { readonly out?: string; readonly drift?: boolean; readonly remove?: boolean; readonly setSecrets?: boolean };
type ApplyCommandOptions = Omit<PlanCommandOptions, "out" | "drift"> & {
  readonly reason?: string;
  readonly alertOnDrift?: boolean;
  readonly yes?: boolean;
};
type ExportOptions = { readonly format?: string; readonly only?: string; readonly replace?: boolean };

/** Exit code 2 of a plan means differences, so wrong usage ends with 1 here. */
async function plan(ctx: ClientContext, folder: string | undefined, options: PlanCommandOptions): Promise<Outcome> {
  try {
    return options.drift ? await showDrift(ctx, folder) : await showPlan(ctx, folder, options);
  } catch (error) {
    if (error instanceof UsageFault) return failed(error.message);
    throw error;
  }
}

async function showPlan(ctx: ClientContext, path: string | undefined, options: PlanCommandOptions): Promise<Outcome> {
  if (path === undefined) throw new UsageFault("Name the folder with the configuration files.");
  const { connectOperatorApi, makePlan, planText, readFolder, savePlan, summary } = await load();
  const folder = await readFolder(path, Date.now());
  const made = await makePlan(connectOperatorApi(ctx), folder, options);
  if (options.out !== undefined) await savePlan(options.out, made);
  const { changes, fingerprint } = made;
  const fields = { differences: changes.length, fingerprint, changes, ...(options.out === undefined ? {} : { plan: options.out }) };
  if (changes.length === 0) return done("The settings are those of the files.", fields);
  const kept = options.remove || !changes.some(({ action }) => action === "remove") ? "" : " Removals are applied only with --remove.";
  const next = options.out === undefined ? `corprail apply ${path}` : `corprail apply ${options.out}`;
  return differences(`${summary(changes)}.${kept} Apply: ${next}`, fields, planText(changes));
}

/** Compares with what was applied last; no files are needed. */
async function showDrift(ctx: ClientContext, folder: string | undefined): Promise<Outcome> {
  if (folder !== undefined) throw new UsageFault("--drift compares with what was applied last, without files. Leave the folder out.");
  const { connectOperatorApi } = await load();
  type Reply = { readonly applied: { readonly applied_at: string; readonly fingerprint: string; readonly drift: string | null } | null };
  const { applied } = await connectOperatorApi(ctx).get<Reply>("/configuration/applied");
  if (applied === null) return failed("No configuration files were applied yet, so there is nothing to compare with.");
  if (applied.drift !== null) return differences(applied.drift, { ...applied }, null);
  return done(`The settings are those that were applied on ${applied.applied_at}.`, { ...applied });
}

function differences(text: string, fields: Outcome["fields"], report: string | null): Outcome {
  return { ok: false, exitCode: EXIT_CODES.usage, text, fields, report };
}

async function apply(ctx: ClientContext, path: string, options: ApplyCommandOptions): Promise<Outcome> {
  const { applicable, applyPlan, connectOperatorApi, loadPlan, makePlan, planText, readFolder, summary } = await load();
  const api = connectOperatorApi(ctx);
  if ((await stat(path).catch(() => null))?.isFile()) {
    if (options.remove || options.setSecrets)
      throw new UsageFault("--remove and --set-secrets belong to corprail plan when a plan is applied.");
    const saved = await loadPlan(path);
    if (saved.base_url !== api.baseUrl) throw new UsageFault(`The plan is for ${saved.base_url}, not for ${api.baseUrl}.`);
    return await applyPlan(ctx, api, saved, options);
  }
  const made = await makePlan(api, await readFolder(path, Date.now()), options);
  const changes = applicable(made);
  if (changes.length > 0) {
    ctx.note(planText(changes));
    await confirmed(ctx, { question: `${summary(changes)}, at ${api.baseUrl}.`, yes: options.yes === true });
  }
  return await applyPlan(ctx, api, made, options);
}

async function exportSettings(ctx: ClientContext, folder: string, options: ExportOptions): Promise<Outcome> {
  const { connectOperatorApi, exportFiles, readKinds, readLive, writeFiles } = await load();
  const { format = "yaml" } = options;
  if (format !== "yaml" && format !== "json") throw new UsageFault("--format is yaml or json.");
  const kinds = readKinds(options.only);
  const { objects } = await readLive(connectOperatorApi(ctx), kinds);
  const written = await writeFiles(folder, exportFiles(objects, kinds, format), options.replace === true);
  return done(`${objects.length} objects are in ${folder}; ${written.length} files were written.`, { objects: objects.length, written });
}

// Loaded when a command runs, as the service's modules take long to load.
async function load() {
  const [api, folder, files, plans, applying] = await Promise.all([
    import("./operator-api.ts"),
    import("./read-folder.ts"),
    import("./write-folder.ts"),
    import("./make-plan.ts"),
    import("./apply-plan.ts"),
  ]);
  return { ...api, ...folder, ...files, ...plans, ...applying };
}

/** Configuration as code. */
export function configurationCommands(program: Command): void {
  const planned = program
    .command("plan [folder]")
    .option("--out <file>", "save the plan, for corprail apply FILE")
    .option("--drift", "compare the settings with what was applied last; needs no folder")
    .option("--remove", "the plan removes what the files do not contain")
    .option("--set-secrets", "the plan sets every secret of the files again");
  reportingClient(planned, plan, "corprail plan settings/")
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
    .option("--reason <text>", "for the audit trail and for approvals")
    .option("--yes", "do not ask for confirmation");
  reportingClient(applied, apply, "corprail apply settings/")
    .summary("Apply configuration files or a saved plan")
    .description("Make the changes of a plan through the operator API. Applying again changes nothing; a changed setting refuses a plan.");
  const exported = program
    .command("export <folder>")
    .option("--format <format>", "yaml or json; yaml unless given")
    .option("--only <kinds>", "only these kinds, such as routes,prices")
    .option("--replace", "write over the files of an earlier export");
  reportingClient(exported, exportSettings, "corprail export settings/")
    .summary("Write the settings into configuration files")
    .description("Write all settings into sorted configuration files with their JSON Schemas. Secrets become references.");
}
