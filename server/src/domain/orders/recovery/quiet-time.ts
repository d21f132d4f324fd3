import { type Clock, sinceStep } from "../../../platform/core/clock.ts";
import type { Connector } from "../../providers/connector.ts";
import type { OrdersContext } from "../context.ts";
import type { Order } from "../order.ts";
import { connectorOf } from "../provider-request.ts";
import type { PendingPoll } from "./pending-poll-store.ts";

type Sources = { readonly clock: Clock; readonly providerRegistry: Pick<OrdersContext["providerRegistry"], "connector"> };
type SecretsSource = { readonly providerRegistry: Pick<OrdersContext["providerRegistry"], "secretsChangedAt"> };
export type Sendings = Pick<PendingPoll, "since" | "resentAt">;

// The limits of a provider that is not running are not known, so a time longer than the usual ones applies.
const UNKNOWN_LIMIT_MILLISECONDS = 120_000;

/** Whether "not found" can no longer mean that the provider has not received the order yet. */
export function isQuiet({ clock, providerRegistry }: Sources, order: Order, poll: Sendings): boolean {
  const connector = connectorOf({ providerRegistry }, order);
  if (connector === null) return false;
  return waitedMilliseconds(clock, order, poll) > Math.max(quietOf(connector, order), connector.timeoutMilliseconds);
}

/** Whether the order may still be with its provider, or about to be sent to the next one, although it is polled. */
export function isRecentlySent({ clock, providerRegistry }: Sources, order: Order, poll: Sendings): boolean {
  const connector = connectorOf({ providerRegistry }, order);
  const limit = connector ? connector.timeoutMilliseconds + quietOf(connector, order) : UNKNOWN_LIMIT_MILLISECONDS;
  return waitedMilliseconds(clock, order, poll) <= limit;
}

// A process that learns of a change late goes on sending with the secrets before for a moment.
const LEARNT_LATE_MILLISECONDS = 5 * 60_000;

/**
 * Whether the order was sent with other secrets than the provider is asked with now. They may be another account's, which
 * does not know the order.
 */
export function wasSentWithOtherSecrets({ providerRegistry }: SecretsSource, order: Order, { since }: Pick<PendingPoll, "since">): boolean {
  const changedAt = providerRegistry.secretsChangedAt(order.provider, order.providerVersion);
  return changedAt !== null && Math.min(order.updatedAt, since) <= changedAt + LEARNT_LATE_MILLISECONDS;
}

function quietOf(connector: Connector, order: Order): number {
  return connector.policyOf?.(order).quietMilliseconds ?? connector.quietMilliseconds;
}

/** Counted from the latest sending, which may still be in progress. A time in the future predates a clock step. */
export function waitedMilliseconds(clock: Clock, { updatedAt }: Order, { since, resentAt }: Sendings): number {
  const now = clock.now();
  const waited = now - Math.max(updatedAt <= now ? updatedAt : since, resentAt ?? 0);
  // A clock that was set forward does not shorten the wait.
  return Math.min(waited, sinceStep(clock));
}
