import { setTimeout as pause } from "node:timers/promises";
import { requestRefresh } from "@corprail/server/domain/providers/lists/request-refresh";
import { type ListState, readListStates } from "@corprail/server/domain/providers/lists/store";
import type { Sql } from "@corprail/server/platform/db/connection";
import { actor } from "../shared/actor.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { listTable, listView } from "./show-lists.ts";

export type RefreshOptions = { readonly acceptSmaller?: boolean };

const WAIT_MILLISECONDS = 15_000;
const STEP_MILLISECONDS = 500;

/** Makes a provider's lists due and waits for the running service to refresh them. */
export async function refreshLists(ctx: CommandContext, provider: string, { acceptSmaller = false }: RefreshOptions): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const { sql, clock } = installation;
    const since = clock.now();
    const result = await requestRefresh(installation, actor(), { provider, acceptSmaller });
    if (result.kind === "not_found") return failed(`There is no provider ${provider}.`);
    if (result.lists === 0)
      return done(`${provider} has no list. If its description has one, the service reads it as soon as a route leads to it.`, {
        provider,
        lists: [],
      });
    const lists = await waitForCheck(sql, provider, since);
    const fields = { provider, lists: lists.map(listView) };
    const report = listTable(lists, clock.now());
    const late = lists.filter((list) => !isChecked(list, since)).length;
    if (late > 0)
      return done(
        `The refresh is requested. ${late} of ${lists.length} lists are still to come; a running service reads them.`,
        fields,
        report,
      );
    const failing = lists.filter(({ failure }) => failure !== null).length;
    return failing === 0
      ? done(`The lists of ${provider} are refreshed.`, fields, report)
      : failed(`${failing} of ${lists.length} lists could not be refreshed. The last good ones are used.`, fields, report);
  });
}

async function waitForCheck(sql: Sql, provider: string, since: number): Promise<readonly ListState[]> {
  for (let waited = 0; ; waited += STEP_MILLISECONDS) {
    const lists = await readListStates(sql, provider);
    if (waited >= WAIT_MILLISECONDS || lists.every((list) => isChecked(list, since))) return lists;
    await pause(STEP_MILLISECONDS);
  }
}

function isChecked({ checkedAt }: ListState, since: number): boolean {
  return checkedAt !== null && checkedAt.getTime() >= since;
}
