import { z } from "zod";
import { listRefusedCallbacks } from "../../../domain/providers/callbacks/refused-callbacks.ts";
import { readBalances } from "../../../domain/providers/health/balances.ts";
import type { Provider } from "../../../domain/providers/provider-directory.ts";
import { setSecret } from "../../../domain/providers/settings/set-secret.ts";
import { switchProvider } from "../../../domain/providers/settings/switch-provider.ts";
import { idListQuery, shortListQuery, shortPage, toPage, writeIdCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { providerParams } from "../fields.ts";
import { word } from "../filters.ts";
import { noSuch, pageOrRefusal, type Refusal } from "../refusal.ts";
import { askForProvider } from "./ask-for-provider.ts";
import { refuseFaults } from "./faults.ts";
import { secretBody, switchBody } from "./fields.ts";
import { providerDetailOutput, providerOutput, REFUSAL_REASONS, refusedCallbackOutput } from "./outputs.ts";
import { type ProviderSources, providerDetail, providerView, refusedCallbackView } from "./views.ts";

const listProviders = action({
  path: "GET /providers",
  summary: "Lists the providers with their health.",
  roles: EVERYBODY,
  query: shortListQuery,
  output: pageOf(providerOutput),
  handler: async ({ deps, query }) => {
    const sources = await readSources(deps);
    const view = (provider: Provider) => providerView(sources, provider);
    return pageOrRefusal(shortPage(deps.providerRegistry.providers(), query, view, ({ row }) => row.provider));
  },
});

const showProvider = action({
  path: "GET /providers/:provider",
  summary: "Shows a provider with its routes and breakers.",
  roles: EVERYBODY,
  params: providerParams,
  output: providerDetailOutput,
  handler: async ({ deps, params }) => readProvider(deps, params.provider),
});

const switchOneProvider = action({
  path: "POST /providers/:provider/switch",
  summary: "Switches a provider on or off.",
  roles: OPERATIONS,
  params: providerParams,
  body: switchBody,
  output: providerDetailOutput,
  handler: async ({ deps, actor, params: { provider }, body }) => {
    const result = await switchProvider(deps, actor, { provider, ...body });
    return result.kind === "not_found" ? noSuch("provider") : readProvider(deps, provider);
  },
});

const setProviderSecret = action({
  path: "POST /providers/:provider/secret",
  summary: "Sets or removes one of a provider's secrets. Secrets can never be read.",
  roles: OPERATIONS,
  proof: "recent",
  params: providerParams,
  body: secretBody,
  output: providerDetailOutput,
  approval: {
    kinds: ["provider_secret"],
    ask: async ({ deps, caller, params: { provider }, body: { name, value, reason } }) => {
      // Another process may have added it within the last second.
      await deps.refresh();
      const known = findProvider(deps, provider)?.row;
      if (!known) return noSuch("provider");
      const input = { provider, connector: known.connector, settings: known.settings, secrets: { [name]: value }, reason };
      return await askForProvider(deps, caller, { kind: "provider_secret", input });
    },
  },
  handler: async ({ deps, actor, params: { provider }, body: { name, value, reason } }) => {
    const result = await setSecret(deps, actor, { provider, name, value, reason });
    if (result.kind === "invalid") return refuseFaults(result.faults, "");
    return result.kind === "not_found" ? noSuch("provider") : readProvider(deps, provider);
  },
});

export function findProvider(deps: OperatorApiDependencies, name: string): Provider | undefined {
  return deps.providerRegistry.providers().find(({ row }) => row.provider === name);
}

/** The provider as its GET shows it, which is also the reply to a change. */
export async function readProvider(deps: OperatorApiDependencies, name: string): Promise<z.output<typeof providerDetailOutput> | Refusal> {
  const provider = findProvider(deps, name);
  return provider ? providerDetail(await readSources(deps), provider, deps.clock.now()) : noSuch("provider");
}

async function readSources({ sql, providerRegistry }: OperatorApiDependencies): Promise<ProviderSources> {
  return { providerRegistry, balances: await readBalances(sql) };
}

/** Providers and their secrets. */
export const providerActions: readonly Action[] = [listProviders, showProvider, switchOneProvider, setProviderSecret];

export const listRefusedCallbacksAction = action({
  path: "GET /provider-callbacks",
  summary: "Lists refused callbacks of providers, newest first.",
  roles: EVERYBODY,
  query: idListQuery.extend({ provider: word, reason: z.enum(REFUSAL_REASONS).optional() }),
  output: pageOf(refusedCallbackOutput),
  handler: async ({ deps, query: { limit, after, provider, reason } }) => {
    const filter = { provider: provider ?? null, reason: reason ?? null, before: after ?? null, limit: limit + 1 };
    const rows = await listRefusedCallbacks(deps.sql, filter);
    return toPage(rows, limit, refusedCallbackView, (row) => writeIdCursor(row.refusal_id));
  },
});
