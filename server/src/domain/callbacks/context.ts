import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { AttemptContext } from "./attempt.ts";
import type { DeliveryMetrics } from "./metrics.ts";

export type DeliveryLimits = {
  /** Attempts under way in this process. */
  readonly inFlight: number;
  /** How many of them may be to receivers that fail or are slow. */
  readonly troubledInFlight: number;
  /** Over all processes. */
  readonly slotsPerTarget: number;
  readonly leaseMilliseconds: number;
};

export type CallbacksContext = AttemptContext & {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: DeliveryMetrics;
  readonly limits: DeliveryLimits;
  /** Claims name it, so that those of a dead process can be ended. */
  readonly processId: string;
  /** A number from 0 to 1 that spreads retries. */
  readonly chance: () => number;
};
