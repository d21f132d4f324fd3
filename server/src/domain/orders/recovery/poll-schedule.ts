import type { Connector, PollingPolicy, ProviderRequest } from "../../providers/connector.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The longest interval between two polls of an order in doubt. */
export const LONGEST_POLL_MILLISECONDS = 5 * MINUTE;
const FIRST = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE];

/**
 * The delay before the next poll of an order in doubt; null when staff must settle it. A provider may demand another schedule,
 * and is then not asked more often.
 */
export function nextPollDelay(polls: number, sinceMilliseconds: number, policy?: PollingPolicy): number | null {
  if (policy) return sinceMilliseconds >= DAY ? null : polls === 0 ? policy.firstMilliseconds : policy.everyMilliseconds;
  const early = FIRST[polls];
  if (early !== undefined) return early;
  if (sinceMilliseconds < HOUR) return MINUTE;
  return sinceMilliseconds < DAY ? LONGEST_POLL_MILLISECONDS : null;
}

/** The schedule that a provider demands for the operation of an order; undefined when it demands none. */
export function pollingOf(connector: Connector | null, order: Pick<ProviderRequest, "service" | "operation">): PollingPolicy | undefined {
  return connector?.policyOf?.(order).polling ?? connector?.polling;
}
