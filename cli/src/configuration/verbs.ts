import { stat } from "node:fs/promises";
import { confirmed } from "../shared/confirm.ts";
import { done, EXIT_CODES, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { shellWord } from "../shared/shell-words.ts";
import { applyPlan } from "./apply-plan.ts";
import { applicable, loadPlan, makePlan, planText, readLive, savePlan, summary } from "./make-plan.ts";
import { connectOperatorApi } from "./operator-api.ts";
import { readFolder } from "./read-folder.ts";
import { exportFiles, readKinds, writeFiles } from "./write-folder.ts";

export type PlanCommandOptions = {
  readonly out?: string;
  readonly drift?: boolean;
  readonly remove?: boolean;
  readonly setSecrets?: boolean;
};
export type ApplyCommandOptions = Omit<PlanCommandOptions, "out" | "drift"> & {
  readonly reason?: string;
  readonly alertOnDrift?: boolean;
  readonly yes?: boolean;
};
export type ExportOptions = { readonly format?: string; readonly only?: string; readonly replace?: boolean };

/** Exit code 2 of a plan means differences, so wrong usage ends with 1 here. */
export async function plan(ctx: ClientContext, folder: string | undefined, options: PlanCommandOptions): Promise<Outcome> {
  try {
    return options.drift ? await showDrift(ctx, folder) : await showPlan(ctx, folder, options);
  } catch (error) {
    if (error instanceof UsageFault) return failed(error.message);
    throw error;
  }
}

async function showPlan(ctx: ClientContext, path: string | undefined, options: PlanCommandOptions): Promise<Outcome> {
  if (path === undefined) throw new UsageFault("Name the folder with the configuration files.");
  const folder = await readFolder(path, Date.now());
  const made = await makePlan(connectOperatorApi(ctx), folder, options);
  if (options.out !== undefined) await savePlan(options.out, made);
  const { changes, fingerprint } = made;
  const fields = { differences: changes.length, fingerprint, changes, ...(options.out === undefined ? {} : { plan: options.out }) };
  if (changes.length === 0) return done("The settings are those of the files.", fields);
  const kept = options.remove || !changes.some(({ action }) => action === "remove") ? "" : " Removals are applied only with --remove.";
  const next = `corprail apply ${shellWord(options.out ?? path)}`;
  return differences(`${summary(changes)}.${kept} Apply: ${next}`, fields, planText(changes));
}

/** Compares with what was applied last; no files are needed. */
async function showDrift(ctx: ClientContext, folder: string | undefined): Promise<Outcome> {
  if (folder !== undefined) throw new UsageFault("--drift compares with what was applied last, without files. Leave the folder out.");
  type Reply = { readonly applied: { readonly applied_at: string; readonly fingerprint: string; readonly drift: string | null } | null };
  const { applied } = await connectOperatorApi(ctx).get<Reply>("/configuration/applied");
  if (applied === null) return failed("No configuration files were applied yet, so there is nothing to compare with.");
  if (applied.drift !== null) return differences(applied.drift, { ...applied }, null);
  return done(`The settings are those that were applied on ${applied.applied_at}.`, { ...applied });
}

function differences(text: string, fields: Outcome["fields"], report: string | null): Outcome {
  return { ok: false, exitCode: EXIT_CODES.usage, text, fields, report };
}

export async function apply(ctx: ClientContext, path: string, options: ApplyCommandOptions): Promise<Outcome> {
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

export async function exportSettings(ctx: ClientContext, folder: string, options: ExportOptions): Promise<Outcome> {
  const { format = "yaml" } = options;
  if (format !== "yaml" && format !== "json") throw new UsageFault("--format is yaml or json.");
  const kinds = readKinds(options.only);
  const { objects } = await readLive(connectOperatorApi(ctx), kinds);
  const written = await writeFiles(folder, exportFiles(objects, kinds, format), options.replace === true);
  return done(`${objects.length} objects are in ${folder}; ${written.length} files were written.`, { objects: objects.length, written });
}
