import type { z } from "zod";
import type { AccountMode } from "../../../domain/accounts/account-mode.ts";
import { readTrialMoney } from "../../../domain/providers/mode/mode-store.ts";
import type { Snapshot } from "../../../domain/reporting/read-snapshot.ts";
import { sendEvents } from "../../sites/events.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { Refusal } from "../refusal.ts";
import { overviewOutput } from "./outputs.ts";
import { overviewView } from "./overview-view.ts";
import { systemOutput } from "./system-outputs.ts";
import { systemView } from "./system-view.ts";

export const MAX_VIEWERS = { each: 10, all: 200 } as const;

const TOO_MANY_VIEWERS = new Refusal("too_many_requests", "Too many live views are open. Close another one and try again.", {
  retryAfterSeconds: 10,
});

const showOverview = action({
  path: "GET /overview",
  summary: "Shows the current state of orders, callbacks, money, complaints and alerts.",
  roles: EVERYBODY,
  output: overviewOutput,
  handler: async ({ deps, caller }) => overviewView(deps.catalogue, await deps.overview.readings[caller.mode ?? "live"].read()),
});

const watchOverview = streamAction({
  path: "GET /overview/live",
  summary: "Sends the overview now and after every change, as server-sent events.",
  roles: EVERYBODY,
  mediaType: "text/event-stream",
  handler: async ({ deps, caller: { person, mode, isStillAuthorized } }, reply) => {
    const { viewers } = deps;
    if (!viewers.isBelowLimit(person)) return TOO_MANY_VIEWERS;
    return sendEvents(reply, isStillAuthorized, (left) => viewers.watch(person, left, overviews(deps, mode ?? "live", left)));
  },
});

const showSystem = action({
  path: "GET /system",
  summary: "Shows the processes, the database and the settings of the installation.",
  roles: EVERYBODY,
  output: systemOutput,
  handler: async ({ deps }) => {
    const [system, trialMoney] = await Promise.all([
      deps.overview.system(),
      deps.providerRegistry.mode() === "trial" ? readTrialMoneyOfAll(deps) : null,
    ]);
    return systemView(system, trialMoney);
  },
});

type OverviewFields = z.output<typeof overviewOutput>;

async function* overviews(deps: OperatorApiDependencies, mode: AccountMode, left: AbortSignal): AsyncGenerator<OverviewFields> {
  for await (const snapshot of deps.overview.readings[mode].watch(left)) yield viewOnce(deps, snapshot);
}

const views = new WeakMap<Snapshot, OverviewFields>();

/** Shared by all viewers. */
function viewOnce(deps: OperatorApiDependencies, snapshot: Snapshot): OverviewFields {
  const view = views.get(snapshot) ?? overviewView(deps.catalogue, snapshot);
  views.set(snapshot, view);
  return view;
}

/** The overview and the system page. */
export const overviewActions: readonly Action[] = [showOverview, watchOverview, showSystem];

/** Of the cells that answer. */
async function readTrialMoneyOfAll(deps: OperatorApiDependencies): ReturnType<typeof readTrialMoney> {
  const sums = await Promise.all((deps.cells?.all() ?? [deps]).map(({ sql }) => readTrialMoney(sql)));
  return sums.reduce((sum, one) => ({ accounts: sum.accounts + one.accounts, amount: sum.amount + one.amount }));
}
