import { CONFIGURATION_KINDS, type ConfigurationKind, fingerprintOf } from "@corprail/server/domain/configuration/configuration";
import { EXIT_CODES, type Outcome } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { type Change, compare } from "./compare.ts";
import { applicable, type Live, type Plan, readLive } from "./make-plan.ts";
import { ApiRefusal, NoAnswer, type OperatorApi } from "./operator-api.ts";
import type { Folder } from "./read-folder.ts";
import { callsOf } from "./requests.ts";

export type ApplyOptions = { readonly reason?: string; readonly alertOnDrift?: boolean };

type State = "done" | "waiting" | "failed" | "not_tried";
type Result = { readonly change: Change; readonly state: State; readonly note: string | null };

// The reason is part of a request for approval: the same text makes a repeated apply find the open request.
const USUAL_REASON = "Applied from configuration files.";

/** Makes the changes one after the other, and stops at the first that fails. */
export async function applyPlan(ctx: ClientContext, api: OperatorApi, plan: Plan, options: ApplyOptions): Promise<Outcome> {
  const live = await readLive(api, plan.folder.kinds);
  if (fingerprintOf(live.objects) !== plan.fingerprint) return refused();
  const results: Result[] = [];
  let { revision } = live;
  for (const change of applicable(plan)) {
    const blocked = results.some(({ state }) => state === "failed") ? "" : waitsFor(results, change);
    if (blocked !== null) {
      results.push({ change, state: blocked === "" ? "not_tried" : "waiting", note: blocked || null });
      continue;
    }
    const made = await makeChange(ctx, api, { change, revision, reason: options.reason ?? USUAL_REASON });
    revision = made.revision;
    results.push(made.result);
    ctx.note(lineOf(made.result));
  }
  const isWhole = results.every(({ state }) => state === "done");
  const problem = isWhole ? await recordApplied(api, plan.folder, options) : null;
  return outcomeOf(results, problem);
}

function refused(): Outcome {
  const text = "The settings have changed since the plan was made. Nothing was applied. Make a new plan.";
  return { ok: false, exitCode: EXIT_CODES.failed, text, fields: { error: text, applied: [] }, report: null };
}

/** A route to a provider that waits for approval cannot be saved yet. */
function waitsFor(results: readonly Result[], { kind, value }: Change): string | null {
  if (kind !== "routes") return null;
  const provider = results.find(
    ({ change, state }) => state === "waiting" && change.kind === "providers" && change.name === value["provider"],
  );
  return provider === undefined ? null : `waits for the provider ${provider.change.name}`;
}

type Attempt = { readonly change: Change; readonly revision: string; readonly reason: string };

async function makeChange(
  ctx: ClientContext,
  api: OperatorApi,
  attempt: Attempt,
): Promise<{ readonly result: Result; readonly revision: string }> {
  const { change, reason } = attempt;
  let { revision } = attempt;
  try {
    const waiting: string[] = [];
    for (const { path, body } of await callsOf(change, ctx.environment)) {
      const made = await api.change(path, { ...body, reason }, revision);
      revision = made.revision;
      if (made.approvalId !== null) waiting.push(made.approvalId);
      // The next call may depend on it.
      if (made.approvalId !== null) break;
    }
    const note = waiting.length === 0 ? null : `waits for approval ${waiting.join(", ")}`;
    return { result: { change, state: note === null ? "done" : "waiting", note }, revision };
  } catch (error) {
    if (error instanceof ApiRefusal || error instanceof NoAnswer || isMissingSecret(error))
      return { result: { change, state: "failed", note: error.message }, revision };
    throw error;
  }
}

function isMissingSecret(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith("The secret in ");
}

/** Remembers in the service what was applied, unless it has it already. Returns why this was not possible. */
async function recordApplied(api: OperatorApi, folder: Folder, { alertOnDrift }: ApplyOptions): Promise<string | null> {
  const after = await readLive(api, folder.kinds);
  const left = compare(after.objects, folder, { setSecrets: false }).changes.filter(({ action }) => action !== "remove");
  if (left.length > 0)
    return `Somebody changed ${left.map(({ kind, name }) => `${kind} ${name}`).join(", ")} while it was applied. Apply again.`;
  const managed = managedObjects(after, folder);
  const chosen = after.objects.filter(({ kind, name }) => managed[kind] === "all" || managed[kind]?.includes(name));
  const fingerprint = fingerprintOf(chosen);
  type Known = { readonly applied: { readonly fingerprint: string; readonly alert_on_drift: boolean } | null };
  const { applied } = await api.get<Known>("/configuration/applied");
  if (applied?.fingerprint === fingerprint && applied.alert_on_drift === (alertOnDrift ?? applied.alert_on_drift)) return null;
  const body = { managed, fingerprint, ...(alertOnDrift === undefined ? {} : { alert_on_drift: alertOnDrift }) };
  try {
    await api.change("/configuration/applied", body, after.revision);
    return null;
  } catch (error) {
    if (error instanceof ApiRefusal) return `The service could not record what was applied: ${error.message}`;
    throw error;
  }
}

function managedObjects({ objects }: Live, folder: Folder): Partial<Record<ConfigurationKind, "all" | string[]>> {
  return Object.fromEntries(
    CONFIGURATION_KINDS.filter((kind) => folder.kinds.includes(kind)).map((kind) => {
      const names = folder.objects.filter((one) => one.kind === kind).map(({ name }) => name);
      const isWhole = objects.filter((one) => one.kind === kind).every(({ name }) => names.includes(name));
      return [kind, isWhole ? "all" : names];
    }),
  );
}

const WORDS: Readonly<Record<State, string>> = { done: "done", waiting: "waiting", failed: "FAILED", not_tried: "not tried" };

function lineOf({ change: { action, kind, name }, state, note }: Result): string {
  return `${WORDS[state]}: ${action} ${kind} ${name}${note === null ? "" : `: ${note}`}`;
}

function outcomeOf(results: readonly Result[], problem: string | null): Outcome {
  const count = (state: State) => results.filter((one) => one.state === state).length;
  const items = results.map(({ change: { kind, name, action }, state, note }) => ({ kind, name, action, state, note }));
  const report = results.length === 0 ? null : results.map(lineOf).join("\n");
  const counts = `${count("done")} of ${results.length} changes were made`;
  const end = (exitCode: Outcome["exitCode"], text: string): Outcome => {
    const ok = exitCode === EXIT_CODES.ok;
    return { ok, exitCode, text, fields: { ...(ok ? {} : { error: text }), applied: items }, report };
  };
  if (count("failed") > 0) return end(EXIT_CODES.failed, `${counts}. Correct what failed and apply again: what is done is not done twice.`);
  if (problem !== null) return end(EXIT_CODES.failed, `${counts}. ${problem}`);
  if (count("waiting") > 0)
    return end(EXIT_CODES.undecided, `${counts}, ${count("waiting")} wait for approval by a second person. Apply again afterwards.`);
  return end(EXIT_CODES.ok, successText(results.length));
}

function successText(changes: number): string {
  if (changes === 0) return "Nothing to change.";
  return changes === 1 ? "The change was made." : `All ${changes} changes were made.`;
}
