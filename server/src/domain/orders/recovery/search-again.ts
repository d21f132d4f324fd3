import type { OrdersContext } from "../context.ts";
import { endSearches, replaceBySearches, takeDueSearches } from "./orphan-search-store.ts";
import { takeOverOrphans } from "./orphans.ts";

// After a lost connection the database may go on executing its statement for a while.
export const SEARCH_MILLISECONDS = 600_000;
const FIRST_AFTER_CRASH_MILLISECONDS = 60_000;
const FIRST_AFTER_STOP_MILLISECONDS = 5_000;

type Gone = { readonly processId: string; readonly since: number };

/** Removes a dead process, unless it has sent a heartbeat since. Its orders will be searched for again. */
export async function removeDead(ctx: OrdersContext, { processId, since }: Gone, seenAt: Date): Promise<void> {
  await removeAndSearch(ctx, { processId, since }, FIRST_AFTER_CRASH_MILLISECONDS, seenAt);
}

/** Removes this process, which has stopped after a failure. Another one searches for orders that it does not know of. */
export async function removeAfterFailure(ctx: OrdersContext, since: number): Promise<void> {
  await removeAndSearch(ctx, { processId: ctx.processId, since }, FIRST_AFTER_STOP_MILLISECONDS, null);
}

async function removeAndSearch({ sql, clock }: OrdersContext, gone: Gone, firstAfter: number, seenAt: Date | null): Promise<void> {
  const now = clock.now();
  await replaceBySearches(sql, { ...gone, dueAt: now + firstAfter, endsAt: now + SEARCH_MILLISECONDS }, seenAt);
}

/**
 * Searches again for the orders of processes that are gone: an accept may be committed only after its process was found dead,
 * because the database was still executing it or its connection was still open. Returns the number of orders found.
 */
export async function searchAgain(ctx: OrdersContext): Promise<number> {
  const now = ctx.clock.now();
  let found = 0;
  for (const { processId, fromOrderId, isLast } of await takeDueSearches(ctx.sql, now, SEARCH_MILLISECONDS)) {
    const taken = await takeOverOrphans(ctx, { processId, fromOrderId, createdBefore: null, underWay: [], now });
    found += taken.found;
    if (isLast && taken.left === 0) await endSearches(ctx.sql, processId);
  }
  if (found > 0)
    ctx.log.warn({ orders: found }, "orders that were committed after their process was gone were found; their providers will be polled");
  return found;
}
