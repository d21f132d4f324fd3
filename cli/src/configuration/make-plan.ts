import { readFile, writeFile } from "node:fs/promises";
import { type ConfigurationKind, type ConfigurationObject, fingerprintOf } from "@corprail/server/domain/configuration/configuration";
import type { JsonValue } from "@corprail/server/platform/core/strict-json";
import { UsageFault } from "../shared/outcome.ts";
import { type Change, compare } from "./compare.ts";
import { impactOf } from "./impact.ts";
import type { OperatorApi } from "./operator-api.ts";
import type { Folder } from "./read-folder.ts";

/** The settings as the service has them. */
export type Live = { readonly revision: string; readonly objects: readonly ConfigurationObject[] };

/** A saved plan contains references to secrets, never a secret. */
export type Plan = {
  readonly version: 1;
  readonly base_url: string;
  /** Of the settings of these kinds when the plan was made. */
  readonly fingerprint: string;
  readonly remove: boolean;
  readonly set_secrets: boolean;
  readonly folder: Folder;
  readonly changes: readonly PlannedChange[];
};

export type PlannedChange = Change & { readonly impact: string | null };

export type PlanOptions = { readonly remove?: boolean; readonly setSecrets?: boolean };

export async function readLive(api: OperatorApi, kinds: readonly ConfigurationKind[]): Promise<Live> {
  return await api.get<Live>(`/configuration?kinds=${kinds.join(",")}`);
}

/** Above this many differences the plan shows no impact, which needs a request for each. */
const MAX_PREVIEWS = 200;

/** Compares the files with the settings. */
export async function makePlan(api: OperatorApi, folder: Folder, options: PlanOptions): Promise<Plan> {
  const live = await readLive(api, folder.kinds);
  const { changes, faults } = compare(live.objects, folder, { setSecrets: options.setSecrets === true });
  if (faults.length > 0) throw new UsageFault(["The files do not fit this installation:", ...faults].join("\n  "));
  const planned: PlannedChange[] = [];
  for (const change of changes) planned.push({ ...change, impact: changes.length > MAX_PREVIEWS ? null : await impactOf(api, change) });
  return {
    version: 1,
    base_url: api.baseUrl,
    fingerprint: fingerprintOf(live.objects),
    remove: options.remove === true,
    set_secrets: options.setSecrets === true,
    folder,
    changes: planned,
  };
}

/** The changes that an apply makes: removals only if they were asked for. */
export function applicable({ changes, remove }: Pick<Plan, "changes" | "remove">): readonly PlannedChange[] {
  return changes.filter(({ action }) => remove || action !== "remove");
}

export async function savePlan(path: string, plan: Plan): Promise<void> {
  await writeFile(path, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new UsageFault(`${path} exists already. Plans are not overwritten.`) : error;
  });
}

export async function loadPlan(path: string): Promise<Plan> {
  const text = await readFile(path, "utf8");
  try {
    const plan = JSON.parse(text) as Plan;
    if (plan.version === 1 && Array.isArray(plan.changes) && Array.isArray(plan.folder.objects)) return plan;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new UsageFault(`${path} is not a plan of this version. Make one: corprail plan FOLDER --out ${path}`);
}

const SIGNS = { add: "+", change: "~", remove: "-" } as const;

/** The plan for people: each difference with old and new value, and what it would hit. */
export function planText(changes: readonly PlannedChange[]): string {
  return changes
    .flatMap(({ kind, name, action, fields, impact }) => [
      `${SIGNS[action]} ${kind} ${name}`,
      ...fields.map(({ path, from, to }) =>
        action === "add" ? `    ${path}: ${shown(to)}` : `    ${path}: ${shown(from)} -> ${shown(to)}`,
      ),
      ...(impact === null ? [] : [`    impact: ${impact}`]),
    ])
    .join("\n");
}

const MAX_SHOWN = 200;

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "(absent)";
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Such as `2 to add, 1 to change, none to remove`. */
export function summary(changes: readonly Change[]): string {
  const count = (action: Change["action"]) => changes.filter((one) => one.action === action).length || "none";
  return `${count("add")} to add, ${count("change")} to change, ${count("remove")} to remove`;
}
