import type { z } from "zod";
import { readDescriptionInSlices } from "../../../domain/providers/description/definition.ts";
import type { SampleAnswer } from "../../../domain/providers/description/dry-run/dry-run.ts";
import { readingFields } from "../../../domain/providers/description/dry-run/dry-run-fields.ts";
import { sampleChanges } from "../../../domain/providers/description/samples/compare-samples.ts";
import { checkConnection } from "../../../domain/providers/settings/check-connection.ts";
import { trialFaults } from "../../../domain/providers/settings/check-description.ts";
import {
  type DescribedProvider,
  describe,
  type ReadDescribed,
  readDescribedInSlices,
} from "../../../domain/providers/settings/described-provider.ts";
import { addProvider, changeProvider, type ProviderInput } from "../../../domain/providers/settings/save-provider.ts";
import { tryProvider } from "../../../domain/providers/settings/try-provider.ts";
import { inSlices } from "../../../platform/core/slices.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { providerParams } from "../fields.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";
import { askForProvider } from "./ask-for-provider.ts";
import { refuseFaults } from "./faults.ts";
import { newProviderBody, providerBody, testBody } from "./fields.ts";
import { providerCheckOutput, providerDefinitionOutput, providerDetailOutput, providerTestOutput } from "./outputs.ts";
import { findProvider, readProvider } from "./provider-actions.ts";

const showDefinition = action({
  path: "GET /providers/:provider/definition",
  summary: "Shows a provider's description, without its secrets.",
  roles: OPERATIONS,
  params: providerParams,
  output: providerDefinitionOutput,
  handler: async ({ deps, params }) => {
    const found = findProvider(deps, params.provider);
    return found ? { provider: found.row.provider, definition: describe(found.row) } : noSuch("provider");
  },
});

const createProvider = action({
  path: "POST /providers",
  summary: "Adds a provider. It gets orders only after a route to it is added.",
  roles: OPERATIONS,
  proof: "recent",
  body: newProviderBody,
  output: providerDetailOutput,
  approval: {
    kinds: ["provider"],
    ask: async ({ deps, caller, body }) => {
      const input = inputOf(deps, await readDescribedInSlices(body.definition), body);
      if (input instanceof Refusal) return input;
      // The handler refuses a name that is in use.
      return findProvider(deps, input.provider) ? null : await askForProvider(deps, caller, { kind: "provider", input });
    },
  },
  handler: async ({ deps, actor, body }) => {
    const input = inputOf(deps, await readDescribedInSlices(body.definition), body);
    if (input instanceof Refusal) return input;
    const result = await addProvider(deps, actor, input);
    if (result.kind === "conflict") return conflict(result.reason);
    return result.kind === "invalid" ? refuseFaults(result.faults, "definition") : readProvider(deps, input.provider);
  },
});

const updateProvider = action({
  path: "POST /providers/:provider",
  summary: "Changes a provider's description and secrets.",
  roles: OPERATIONS,
  proof: "recent",
  params: providerParams,
  body: providerBody,
  output: providerDetailOutput,
  approval: {
    kinds: ["provider"],
    ask: async ({ deps, caller, params: { provider }, body }) => {
      if (!findProvider(deps, provider)) return noSuch("provider");
      const input = inputOf(deps, await readNamed(body.definition, provider), body);
      return input instanceof Refusal ? input : await askForProvider(deps, caller, { kind: "provider", input });
    },
  },
  handler: async ({ deps, actor, params: { provider }, body }) => {
    const input = inputOf(deps, await readNamed(body.definition, provider), body);
    if (input instanceof Refusal) return input;
    const result = await changeProvider(deps, actor, input);
    if (result.kind === "not_found") return noSuch("provider");
    return result.kind === "invalid" ? refuseFaults(result.faults, "definition") : readProvider(deps, provider);
  },
});

const testProvider = action({
  path: "POST /providers/:provider/test",
  summary: "Shows the requests that a provider would get, and how a sample answer is read. Sends nothing.",
  roles: OPERATIONS,
  params: providerParams,
  body: testBody,
  output: providerTestOutput,
  handler: async ({ deps, params: { provider }, body: { definition, operation, input, sample, answer, compare_samples: compares } }) => {
    const known = findProvider(deps, provider);
    if (!definition && !known) return noSuch("provider");
    const written = definition ? await readNamed(definition, provider) : await readDescribedInSlices(known ? describe(known.row) : {});
    const read = await readTried(deps, written);
    if (!read.ok) return refuseFaults(read.faults, "definition");
    const result = tryProvider({
      described: read.described,
      set: known?.secrets ?? [],
      operation,
      input,
      sample: withoutUndefined(sample),
      answer: answer ? sampleAnswer(answer) : null,
      now: deps.clock.now(),
    });
    if (result.kind === "invalid") return refuseFaults(result.faults, "definition");
    const { connector } = read.described;
    return {
      provider,
      connector,
      operation: null,
      warnings: [],
      steps: [],
      request: null,
      status: null,
      reading: null,
      samples: [],
      sample_changes: compares && known ? await sampleChangesOf(known.row, read.described) : [],
      ...result.fields,
    };
  },
});

// A reply must not wait for a provider that says nothing.
const CHECK_MILLISECONDS = 20_000;

const checkProvider = action({
  path: "POST /providers/:provider/check",
  summary: "Logs in at a provider and asks for the balance there, for real. Orders nothing and stores nothing.",
  roles: OPERATIONS,
  params: providerParams,
  output: providerCheckOutput,
  handler: async ({ deps, params: { provider } }) => {
    const found = findProvider(deps, provider);
    if (!found) return noSuch("provider");
    if (found.row.connector === "simulator") return conflict("The simulator sends nothing, so there is no connection to check.");
    if (found.connector === null) return conflict(`The provider cannot be started. ${found.fault ?? ""}`.trim());
    const read = await readDescribedInSlices(describe(found.row));
    if (!read.ok) return refuseFaults(read.faults, "definition");
    const signal = AbortSignal.timeout(CHECK_MILLISECONDS);
    const steps = await checkConnection({ described: read.described, connector: found.connector, egress: deps.egress, signal });
    return { provider, ok: steps.every(({ ok }) => ok), steps };
  },
});

async function sampleChangesOf(
  stored: DescribedProvider,
  next: DescribedProvider,
): Promise<z.output<typeof providerTestOutput>["sample_changes"]> {
  if (stored.connector !== "description" || next.connector !== "description") return [];
  const [before, after] = [await readDescriptionInSlices(stored.settings), await readDescriptionInSlices(next.settings)];
  if (!before.ok || !after.ok) return [];
  const changes = await inSlices(sampleChanges(before.definition, after.definition));
  return changes.map((one) => ({ ...one, before: readingFields(one.before), after: one.after && readingFields(one.after) }));
}

function sampleAnswer({ body, http_status: httpStatus, to, step }: NonNullable<z.output<typeof testBody>["answer"]>): SampleAnswer {
  return { body: Buffer.from(body), httpStatus, to, ...(step === undefined ? {} : { step }) };
}

type Saved = Pick<z.output<typeof providerBody>, "secrets" | "reason">;

function inputOf(deps: OperatorApiDependencies, read: ReadDescribed, { secrets, reason }: Saved): ProviderInput | Refusal {
  if (!read.ok) return refuseFaults(read.faults, "definition");
  return { ...read.described, secrets, reason, guardSecrets: deps.providerSecrets };
}

/** A description may omit the name that is in the path, but must not contain another one. */
async function readNamed(definition: JsonObject, provider: string): Promise<ReadDescribed> {
  const { name = provider } = definition;
  if (name !== provider) return { ok: false, faults: [{ path: "name", message: `Must be the provider's name, ${provider}.` }] };
  return await readDescribedInSlices({ ...definition, name });
}

/** A dry run also reports the faults that saving would refuse. */
async function readTried(deps: OperatorApiDependencies, read: ReadDescribed): Promise<ReadDescribed> {
  const faults = read.ok ? await trialFaults(deps, read.described) : [];
  return faults.length === 0 ? read : { ok: false, faults };
}

function withoutUndefined(sample: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined));
}

/** Provider descriptions, see docs/providers.md. */
export const definitionActions: readonly Action[] = [showDefinition, createProvider, updateProvider, testProvider, checkProvider];
