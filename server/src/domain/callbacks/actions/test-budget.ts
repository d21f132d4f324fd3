import { type Clock, sharedNow } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";

const MAX_TESTS = 10;
// Follows the budgets 0 and 1 of client requests (api/client/gate/admission.ts).
const TEST_BUDGET = 2;

/** The account has used up its test callbacks; says how long to wait. */
export type TooManyTests = { readonly kind: "too_many"; readonly retryAfterSeconds: number };

export const TOO_MANY_TESTS = `An account may send ${MAX_TESTS} test callbacks a minute. Wait a moment, then try again.`;

/**
 * Counts a test callback of an account over a rolling minute and all processes, because each one is an immediate request to
 * an address of the client's choice. Null when it may be sent.
 */
export async function countTest(ctx: { readonly sql: Sql; readonly clock: Clock }, accountId: string): Promise<TooManyTests | null> {
  const second = Math.floor(sharedNow(ctx.clock) / 1000);
  const [row] = await ctx.sql<{ admitted: number; free_at: bigint }[]>`
    select admitted, free_at from count_requests(
      for_account => ${accountId}, for_budget => ${TEST_BUDGET}::smallint, wanted => 1, cap => ${MAX_TESTS}, at => ${second}::bigint)`;
  if (row?.admitted === 1) return null;
  return { kind: "too_many", retryAfterSeconds: Math.max(1, Number(row?.free_at ?? 0n) - second) };
}
