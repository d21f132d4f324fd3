import { z } from "zod";
import { countByVersion, type VersionCount } from "../../../domain/orders/queries/count-by-version.ts";
import { readDescribedInSlices } from "../../../domain/providers/settings/described-provider.ts";
import type { ProviderInput } from "../../../domain/providers/settings/save-provider.ts";
import { changeRollout, dropCandidate, promoteVersion } from "../../../domain/providers/versions/change-rollout.ts";
import { saveCandidate } from "../../../domain/providers/versions/save-candidate.ts";
import { listDifferences, listVersions, readVersion } from "../../../domain/providers/versions/version-store.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { providerParams } from "../fields.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";
import { askForProvider } from "./ask-for-provider.ts";
import { refuseFaults } from "./faults.ts";
import { candidateBody, dropBody, providerBody, versionBody } from "./fields.ts";
import { findProvider } from "./provider-actions.ts";
import { type providerVersionsOutput as Output, providerVersionsOutput, versionDefinitionOutput } from "./version-outputs.ts";
import { differenceView, versionView } from "./version-views.ts";

const DIFFERENCES = 50;

const listProviderVersions = action({
  path: "GET /providers/:provider/versions",
  summary: "Lists the versions of a provider's description, with the roll-out of a candidate and its differences.",
  roles: OPERATIONS,
  params: providerParams,
  output: providerVersionsOutput,
  handler: async ({ deps, params }) => await readVersions(deps, params.provider),
});

const versionParams = providerParams.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });

const showVersion = action({
  path: "GET /providers/:provider/versions/:version",
  summary: "Shows the description of one version.",
  roles: OPERATIONS,
  params: versionParams,
  output: versionDefinitionOutput,
  handler: async ({ deps, params: { provider, version } }) => {
    const found = await readVersion(deps.sql, provider, version);
    return found ? { provider, version, definition: found.settings } : noSuch("version");
  },
});

const createCandidate = action({
  path: "POST /providers/:provider/candidate",
  summary: "Stores a description as the candidate, which reads the answers of the current version again.",
  roles: OPERATIONS,
  proof: "recent",
  params: providerParams,
  body: providerBody,
  output: providerVersionsOutput,
  approval: {
    kinds: ["provider"],
    ask: async ({ deps, caller, params: { provider }, body }) => {
      if (!findProvider(deps, provider)) return noSuch("provider");
      const input = await inputOf(deps, provider, body);
      return input instanceof Refusal ? input : await askForProvider(deps, caller, { kind: "provider", input, isCandidate: true });
    },
  },
  handler: async ({ deps, actor, params: { provider }, body }) => {
    const input = await inputOf(deps, provider, body);
    if (input instanceof Refusal) return input;
    const result = await saveCandidate(deps, actor, input);
    if (result.kind === "not_found") return noSuch("provider");
    return result.kind === "invalid" ? refuseFaults(result.faults, "definition") : await readVersions(deps, provider);
  },
});

const rollOut = action({
  path: "POST /providers/:provider/rollout",
  summary: "Sets the share of new orders that the candidate gets; 0 for none.",
  roles: OPERATIONS,
  proof: "recent",
  params: providerParams,
  body: candidateBody,
  output: providerVersionsOutput,
  handler: async ({ deps, actor, params: { provider }, body }) => {
    const result = await changeRollout(deps, actor, { provider, ...body });
    if (result.kind === "not_found") return noSuch("provider");
    return result.kind === "conflict" ? conflict(result.reason) : await readVersions(deps, provider);
  },
});

const drop = action({
  path: "POST /providers/:provider/candidate/drop",
  summary: "Ends the trial of the candidate. Orders that were sent with it are finished by it.",
  roles: OPERATIONS,
  proof: "recent",
  params: providerParams,
  body: dropBody,
  output: providerVersionsOutput,
  handler: async ({ deps, actor, params: { provider }, body }) => {
    const result = await dropCandidate(deps, actor, { provider, ...body });
    if (result.kind === "not_found") return noSuch("provider");
    return result.kind === "conflict" ? conflict(result.reason) : await readVersions(deps, provider);
  },
});

const promote = action({
  path: "POST /providers/:provider/versions/:version/promote",
  summary: "Makes a stored version the current one: the candidate, or an earlier version to go back to.",
  roles: OPERATIONS,
  proof: "recent",
  params: versionParams,
  body: versionBody,
  output: providerVersionsOutput,
  handler: async ({ deps, actor, params: { provider, version }, body: { reason } }) => {
    const result = await promoteVersion(deps, actor, { provider, version, reason, guardSecrets: deps.providerSecrets });
    if (result.kind === "not_found") return noSuch("version");
    if (result.kind === "conflict") return conflict(result.reason);
    return result.kind === "invalid" ? refuseFaults(result.faults, "") : await readVersions(deps, provider);
  },
});

async function inputOf(
  deps: OperatorApiDependencies,
  provider: string,
  { definition, secrets, reason }: z.output<typeof providerBody>,
): Promise<ProviderInput | Refusal> {
  const read = await readDescribedInSlices({ ...definition, name: definition["name"] ?? provider });
  if (!read.ok) return refuseFaults(read.faults, "definition");
  if (read.described.provider !== provider)
    return refuseFaults([{ path: "name", message: `Must be the provider's name, ${provider}.` }], "definition");
  return { ...read.described, secrets, reason, guardSecrets: deps.providerSecrets };
}

async function readVersions(deps: OperatorApiDependencies, provider: string): Promise<z.output<typeof Output> | Refusal> {
  const row = findProvider(deps, provider)?.row;
  if (!row) return noSuch("provider");
  const { version, candidate_version: candidate, candidate_percent: percent } = row;
  const [versions, counts, differences] = await Promise.all([
    listVersions(deps.sql, provider),
    countInCells(deps, provider),
    candidate === null ? [] : listDifferences(deps.sql, provider, candidate, DIFFERENCES),
  ]);
  return {
    provider,
    current: version,
    candidate,
    percent,
    versions: versions.map((one) => versionView(one, row, counts)),
    differences: differences.map(differenceView),
  };
}

/** Orders are in the cells; the versions are at home. */
async function countInCells(deps: OperatorApiDependencies, provider: string): Promise<readonly VersionCount[]> {
  const cells = deps.cells?.all() ?? [deps];
  return (await Promise.all(cells.map(({ sql }) => countByVersion(sql, provider, deps.clock.now())))).flat();
}

/** Versions of descriptions, see docs/guide/connecting-a-provider.md. */
export const versionActions: readonly Action[] = [listProviderVersions, showVersion, createCandidate, rollOut, drop, promote];
