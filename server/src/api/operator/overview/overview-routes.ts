import { readTrialMoney } from "../../../domain/providers/mode/mode-store.ts";
import type { Snapshot } from "../../../domain/reporting/read-snapshot.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { sendEvents } from "../../sites/events.ts";
import { EVERYBODY, may } from "../access.ts";
import { caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { refuse } from "../errors.ts";
import type { ZodApp } from "../zod-app.ts";
import { overviewView } from "./overview-view.ts";
import { systemView } from "./system-view.ts";

export const MAX_VIEWERS = { each: 10, all: 200 } as const;

export function overviewRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const { overview, viewers } = deps;

  app.get("/overview", { config: may(EVERYBODY) }, async () => overviewView(deps.catalogue, await overview.live.read()));

  app.get("/overview/live", { config: may(EVERYBODY) }, async (request, reply) => {
    const { person, isStillAuthorized } = caller(request);
    if (!viewers.hasRoom(person))
      return refuse(
        reply.header("retry-after", "10"),
        "too_many_requests",
        "Too many live views are open. Close another one and try again.",
      );
    return sendEvents(reply, isStillAuthorized, (left) => viewers.watch(person, left, shown(deps, left)));
  });

  app.get("/system", { config: may(EVERYBODY) }, async () => {
    const [system, trialMoney] = await Promise.all([
      overview.system(),
      deps.providerRegistry.mode() === "trial" ? readTrialMoney(deps.sql) : null,
    ]);
    return systemView(system, trialMoney);
  });
}

async function* shown(deps: OperatorApiDependencies, left: AbortSignal): AsyncGenerator<JsonObject> {
  for await (const snapshot of deps.overview.live.watch(left)) yield viewOnce(deps, snapshot);
}

const views = new WeakMap<Snapshot, JsonObject>();

/** Shared by all viewers. */
function viewOnce(deps: OperatorApiDependencies, snapshot: Snapshot): JsonObject {
  const view = views.get(snapshot) ?? overviewView(deps.catalogue, snapshot);
  views.set(snapshot, view);
  return view;
}
