import type { FollowedActivity } from "../../../platform/core/activity.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { AttemptContext } from "./attempt.ts";
import type { DeliveryMetrics } from "./metrics.ts";

export type DeliveryLimits = {
  /** Concurrent attempts in this process. */
  readonly inFlight: number;
  /** How many of them may go to receivers that are failing or slow. */
  readonly troubledInFlight: number;
  /** Concurrent attempts to one receiver, over all processes. */
  readonly slotsPerTarget: number;
  readonly leaseMilliseconds: number;
};

export type CallbacksContext = AttemptContext & {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: DeliveryMetrics;
  readonly limits: DeliveryLimits;
  /** Part of each claim id, so that the claims of a dead process can be released. */
  readonly processId: string;
  /** A random number from 0 to 1 that spreads retries. */
  readonly chance: () => number;
  readonly activity: FollowedActivity;
};
