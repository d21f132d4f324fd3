import { type Clock, sharedNow } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";

const MOST_TESTS = 10;
// Counted beside the budgets 0 and 1 of client calls (api/client/gate/admission.ts).
const TEST_BUDGET = 2;

/** What is left to wait when an account has sent as many tests as it may. */
export type TooManyTests = { readonly kind: "too_many"; readonly retryAfterSeconds: number };

export const TOO_MANY_TESTS = `An account may send ${MOST_TESTS} test callbacks a minute. Wait a moment, then try again.`;

/**
 * Counts a test callback of an account, in every rolling minute and across all processes: each is a call to an address that
 * the client chose, made at once. Null when it may be sent.
 */
export async function takeTest(ctx: { readonly sql: Sql; readonly clock: Clock }, accountId: string): Promise<TooManyTests | null> {
  const second = Math.floor(sharedNow(ctx.clock) / 1000);
  const [row] = await ctx.sql<{ admitted: number; free_at: bigint }[]>`
    select admitted, free_at from gate_count(
      for_account => ${accountId}, for_budget => ${TEST_BUDGET}::smallint, wanted => 1, cap => ${MOST_TESTS}, at => ${second}::bigint)`;
  if (row?.admitted === 1) return null;
  return { kind: "too_many", retryAfterSeconds: Math.max(1, Number(row?.free_at ?? 0n) - second) };
}
