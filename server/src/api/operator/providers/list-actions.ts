import type { z } from "zod";
import { requestRefresh } from "../../../domain/providers/lists/request-refresh.ts";
import { type ListState, readListStates } from "../../../domain/providers/lists/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { providerParams } from "../fields.ts";
import { noSuch } from "../refusal.ts";
import { refreshBody } from "./fields.ts";
import { providerListsOutput } from "./outputs.ts";
import { findProvider } from "./provider-actions.ts";

const showLists = action({
  path: "GET /providers/:provider/lists",
  summary: "Shows the age of a provider's lists of billers, banks, cities and plans, and why one could not be refreshed.",
  roles: EVERYBODY,
  params: providerParams,
  output: providerListsOutput,
  handler: async ({ deps, params: { provider } }) => (findProvider(deps, provider) ? await readLists(deps, provider) : noSuch("provider")),
});

// A reply must not wait for a slow provider; the background job goes on.
const WAIT_MILLISECONDS = 5_000;

const refreshLists = action({
  path: "POST /providers/:provider/lists/refresh",
  summary: "Asks a provider for all its lists now. With accept_smaller, a list that gets much smaller is taken over too.",
  roles: OPERATIONS,
  params: providerParams,
  body: refreshBody,
  output: providerListsOutput,
  handler: async ({ deps, actor, params: { provider }, body: { accept_smaller: acceptSmaller, reason } }) => {
    const result = await requestRefresh(deps, actor, { provider, acceptSmaller, reason });
    if (result.kind === "not_found") return noSuch("provider");
    const wait = new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS).unref());
    const refreshed = deps.providerLists.refreshDue().catch((error: unknown) => deps.log.error({ err: error }, "refreshing lists failed"));
    await Promise.race([refreshed, wait]);
    return await readLists(deps, provider);
  },
});

async function readLists(deps: OperatorApiDependencies, provider: string): Promise<z.output<typeof providerListsOutput>> {
  return { provider, lists: (await readListStates(deps.sql, provider)).map(listView) };
}

function listView(state: ListState): z.output<typeof providerListsOutput>["lists"][number] {
  const { name, key, items, failure } = state;
  return {
    ...{ name, key, items, failure },
    refreshed_at: timeOf(state.refreshedAt),
    checked_at: timeOf(state.checkedAt),
    failing_since: timeOf(state.failingSince),
    next_refresh_at: indiaDateTime(state.dueAt.getTime()),
  };
}

function timeOf(at: Date | null): string | null {
  return at && indiaDateTime(at.getTime());
}

/** Lists of providers. */
export const providerListActions: readonly Action[] = [showLists, refreshLists];
