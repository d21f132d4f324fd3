import type { QueryValue } from "@corprail/connector";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Connector } from "../connector.ts";
import { inChunks } from "./in-chunks.ts";
import { LISTS, type ListKey, type ListName, nextRefresh, nextTry, tooSmall } from "./list.ts";
import { type Lease, releaseLease, storeFailure, storeList, takeLease } from "./store.ts";

export type RefreshContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  /** Finds the connector of a provider that is running; null otherwise. */
  readonly connector: (provider: string) => Connector | null;
  /** How old a list may get, except plans, which may be a day old. */
  readonly ageMilliseconds: number;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
};

export type Refreshed<Name extends ListName> =
  | { readonly kind: "refreshed"; readonly value: QueryValue<Name>; readonly at: number }
  | { readonly kind: "failed"; readonly why: string }
  /** It is not due, or another process is refreshing it. */
  | { readonly kind: "skipped" };

// The provider's answer may come in many pages. The lease is longer, so that no second process asks meanwhile.
const ASK_MILLISECONDS = 120_000;
const LEASE_MILLISECONDS = 150_000;
const LONGEST_REASON = 500;

/** Asks a provider for a list that is due and stores the answer. What is not taken over leaves the last good list in place. */
export async function refreshList<Name extends ListName>(ctx: RefreshContext, list: ListKey<Name>): Promise<Refreshed<Name>> {
  const now = ctx.clock.now();
  const { provider, name, key } = list;
  const lease = await takeLease(ctx.sql, { provider, name, key, now, until: now + LEASE_MILLISECONDS });
  if (!lease) return { kind: "skipped" };
  const answer = await ask(ctx, list, lease);
  if (ctx.stopping.aborted) {
    await releaseLease(ctx.sql, list, lease);
    return { kind: "skipped" };
  }
  const at = ctx.clock.now();
  if ("why" in answer) {
    await storeFailure(ctx.sql, list, lease, { ...answer, at, dueAt: nextTry(at, lease.failures + 1) });
    ctx.log.warn({ provider, list: name, key, why: answer.why }, "a provider's list could not be refreshed; the last good one is used");
    return { kind: "failed", why: answer.why };
  }
  const { value } = answer;
  const isStored = await storeList(ctx.sql, list, lease, { value, at, dueAt: nextRefresh(list, at, ctx.ageMilliseconds) });
  return isStored ? { kind: "refreshed", value, at } : { kind: "skipped" };
}

type Answer<Name extends ListName> = { readonly value: QueryValue<Name> } | { readonly why: string };

async function ask<Name extends ListName>(ctx: RefreshContext, list: ListKey<Name>, lease: Lease): Promise<Answer<Name>> {
  const connector = ctx.connector(list.provider);
  if (!connector) return { why: "The provider is not running." };
  try {
    const signal = AbortSignal.any([ctx.stopping, AbortSignal.timeout(ASK_MILLISECONDS)]);
    const { inputOf, itemsOf, parse, join } = LISTS[list.name];
    const result = await connector.query(list.name, inputOf(list.key), signal);
    if (result.kind === "refused") return { why: shortened(`The provider refused: ${result.reason}`) };
    if (result.kind === "unavailable") return { why: shortened(`No usable answer: ${result.why}`) };
    const value = join(await inChunks(itemsOf(result.value), parse));
    const against = lease.acceptSmaller ? null : tooSmall(lease.items, itemsOf(value).length);
    return against === null ? { value } : { why: against };
  } catch (error) {
    // A connector must not throw and its values must be valid, but a fault in one must not stop the other lists.
    ctx.log.error({ err: error, provider: list.provider, list: list.name }, "a provider's list is not valid");
    return { why: shortened(`The answer is not valid: ${error instanceof Error ? error.message : String(error)}`) };
  }
}

function shortened(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}
