import { readFileSync } from "node:fs";
import { MOST_VIEWERS } from "./api/operator/overview/overview-routes.ts";
import { openViewers, type Viewers } from "./api/sites/viewers.ts";
import type { Config } from "./config.ts";
import type { Catalogue } from "./domain/catalog/catalogue.ts";
import { modeConflict } from "./domain/providers/mode.ts";
import type { Upstreams } from "./domain/providers/registry.ts";
import { findUnserved, type Unserved } from "./domain/providers/unserved.ts";
import type { OverviewContext } from "./domain/reporting/context.ts";
import { type Chore, type Overview, openOverview, overviewChores } from "./domain/reporting/open-overview.ts";
import { type Board, openBoard } from "./platform/observability/board.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import { shownSettings } from "./shown-settings.ts";

export type OverviewRoomOptions = OverviewContext & {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly processId: string;
  readonly upstreams: Upstreams;
  readonly catalogue: Catalogue;
};

export type OverviewRoom = {
  readonly overview: Overview;
  readonly viewers: Viewers;
  readonly board: Board;
  readonly chores: readonly Chore[];
  /** Ends what somebody watches, which would hold a connection open. */
  readonly close: () => void;
};

export function openOverviewRoom(options: OverviewRoomOptions): OverviewRoom {
  const board = openBoard();
  // One that lets an order try is no better yet.
  const openBreakers = () => options.upstreams.breakers().filter(({ breaker }) => breaker.state !== "closed");
  const ctx = {
    ...options,
    board,
    version: ownVersion(),
    settings: shownSettings(options.config),
    openBreakers,
    isSetLive: options.config.mode === "live",
    unserved: () => unservedNow(options),
    mode: () => ({ mode: options.upstreams.mode(), conflict: modeConflict(options.upstreams.modeFacts()) }),
  };
  const overview = openOverview(ctx);
  return {
    overview,
    viewers: openViewers(MOST_VIEWERS),
    board,
    chores: overviewChores(ctx, options.metrics),
    close: overview.live.close,
  };
}

function unservedNow({ upstreams, catalogue }: OverviewRoomOptions): Unserved {
  return findUnserved(upstreams.network(), {
    operators: catalogue.operators().map(({ operator: name, enabled }) => ({ name, enabled })),
    services: catalogue.services().map(({ service: name, enabled }) => ({ name, enabled })),
  });
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}
