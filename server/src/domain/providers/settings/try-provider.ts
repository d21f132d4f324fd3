import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../connector.ts";
import { checkSetup, secretNames } from "../connector-setup.ts";
import { dryRun, type SampleAnswer } from "../description/dry-run/dry-run.ts";
import { dryRunFields } from "../description/dry-run/dry-run-fields.ts";
import type { DescribedProvider } from "./described-provider.ts";
import type { Fault } from "./faults.ts";
import { secretVariable } from "./secrets.ts";

export type Trial = {
  readonly described: DescribedProvider;
  /** The names of the secrets that are set. Their values are not needed, so a sample answer cannot reveal them. */
  readonly set: readonly string[];
  readonly operation?: string | undefined;
  readonly sample: Partial<ProviderRequest>;
  /** The input of a query. */
  readonly input?: JsonObject | undefined;
  readonly answer: SampleAnswer | null;
  readonly now: number;
};

export type TrialFields = Partial<ReturnType<typeof dryRunFields>> & {
  /** Missing secrets by name. */
  readonly missing: readonly string[];
};
export type TrialResult =
  | { readonly kind: "done"; readonly fields: TrialFields }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

/** Shows the requests that a provider would get, with masked secrets, and how a sample answer is read. Sends nothing. */
export function tryProvider({ described, set, operation, sample, input, answer, now }: Trial): TrialResult {
  const { provider, connector, settings } = described;
  const names = secretNames(connector, settings);
  const secrets = Object.fromEntries(set.map((name) => [name, "set"]));
  const checked = checkSetup({ ...described, secrets });
  if (!checked.ok) return { kind: "invalid", faults: checked.faults };
  const missing = names.filter((name) => checked.missing.includes(secretVariable(provider, name)));
  if (connector !== "description") {
    if (answer === null) return { kind: "done", fields: { missing } };
    return {
      kind: "invalid",
      faults: [{ path: "answer", message: `Sample answers can be tried with descriptions only, not with ${connector}.` }],
    };
  }
  const run = dryRun({
    description: settings,
    secrets: {},
    sample,
    now,
    ...(operation === undefined ? {} : { operation }),
    ...(input === undefined ? {} : { input }),
    ...(answer ? { answer } : {}),
  });
  return run.kind === "invalid" ? run : { kind: "done", fields: { missing, ...dryRunFields(run) } };
}
