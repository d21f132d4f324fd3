import { type Money, negate } from "../../platform/core/money.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import type { Act, Asker } from "./approval.ts";
import type { ApprovalsContext } from "./context.ts";
import type { Area } from "./rules.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The amounts of one request: one, or one per order when many are settled at once. */
type Acts = { readonly person: string; readonly area: Area; readonly acts: readonly Act[]; readonly at: Date };

/**
 * Whether the amounts on one account reach the threshold together with what the same person did to it within 24 hours without
 * approval. If not, they are counted, so that many small amounts are treated like a large one.
 */
export async function countTowardsThreshold(
  ctx: Pick<ApprovalsContext, "sql" | "clock">,
  asker: Asker,
  acts: readonly Act[],
  { area, threshold }: { readonly area: Area; readonly threshold: Money },
): Promise<boolean> {
  return await ctx.sql.begin(async (tx) => {
    const counted = { person: asker.person, area, acts: acts.map(withoutSign), at: new Date(ctx.clock.now()) };
    await lockActs(tx, counted);
    if (await reachesThreshold(tx, counted, threshold)) return true;
    await insertActs(tx, counted);
    return false;
  });
}

/** The amounts of one request together. */
export function sumOfActs(acts: readonly Act[]): bigint {
  return acts.map(withoutSign).reduce((sum, { amount }) => sum + amount, 0n);
}

/** Deletes amounts that no longer count. */
export async function sweepActs(ctx: Pick<ApprovalsContext, "sql" | "clock">): Promise<void> {
  const before = new Date(ctx.clock.now() - 2 * DAY_MILLISECONDS);
  await ctx.sql`delete from unapproved_amounts where at < ${before}`;
  await ctx.sql`delete from unapproved_amount_locks where at < ${before}`;
}

function withoutSign(act: Act): Act {
  return act.amount < 0n ? { ...act, amount: negate(act.amount) } : act;
}

/** Prevents concurrent counting of this person's amounts on these accounts until the transaction ends. */
async function lockActs(tx: Transaction, { person, area, acts, at }: Acts): Promise<void> {
  // Sorted, so that concurrent requests lock the accounts in the same order.
  const accounts = [...new Set(acts.map((act) => act.accountId))].sort();
  await tx`
    insert into unapproved_amount_locks (person, area, account_id, at)
    select ${person}, ${area}, account_id, ${at}::timestamptz from unnest(${accounts}::text[]) with ordinality as a (account_id, place)
    order by place
    on conflict (person, area, account_id) do update set at = excluded.at`;
}

async function reachesThreshold(tx: Transaction, { person, area, acts, at }: Acts, threshold: Money): Promise<boolean> {
  const since = new Date(at.getTime() - DAY_MILLISECONDS);
  const [row] = await tx<{ reached: boolean }[]>`
    with requested as (${actRows(tx, acts)}),
    before as (
      select account_id, amount from unapproved_amounts
      where person = ${person} and area = ${area} and at > ${since} and account_id in (select account_id from requested)
        and about not in (select about from requested))
    select exists (
      select from (select account_id, amount from requested union all select account_id, amount from before) a
      group by account_id having sum(amount) >= ${threshold}) as reached`;
  return row?.reached ?? true;
}

async function insertActs(tx: Transaction, { person, area, acts, at }: Acts): Promise<void> {
  await tx`
    insert into unapproved_amounts (person, area, account_id, about, amount, at)
    select ${person}, ${area}, account_id, about, amount, ${at}::timestamptz from (${actRows(tx, acts)}) a
    on conflict (person, area, about) do update set amount = greatest(unapproved_amounts.amount, excluded.amount), at = excluded.at`;
}

/** One row per order, because a file may name an order twice. */
function actRows(tx: Transaction, acts: readonly Act[]) {
  return tx`
    select min(account_id) as account_id, about, max(amount) as amount from unnest(
      ${acts.map((act) => act.accountId)}::text[], ${acts.map((act) => act.about)}::text[], ${acts.map((act) => String(act.amount))}::bigint[]
    ) as a (account_id, about, amount) group by about`;
}
