import { latestClosings } from "@corprail/server/domain/ledger/closings";
import type { Sql } from "@corprail/server/platform/db/connection";

type Digest = { readonly account_id: string; readonly last: bigint; readonly digest: string };

type Comparison = {
  /** Accounts whose transfers up to the last restored one are not the same in both databases. */
  readonly different: readonly string[];
  /** How many restored accounts have moved to another cell since, with all their transfers. */
  readonly moved: number;
};

/** Compares what both databases should have: transfers after the last month that has left the running one. */
export async function compareTransfers(copy: Sql, live: Sql): Promise<Comparison> {
  const closed = await live<{ account_id: string; seq: bigint }[]>`${latestClosings(live)}`;
  const [closedIds, closedAt] = [closed.map((one) => one.account_id), closed.map((one) => String(one.seq))];
  const restored = await copy<Digest[]>`
    select t.account_id, max(t.seq) as last, sum(hashtextextended(t::text, 0)::numeric)::text as digest
    from transfers t
    left join unnest(${closedIds}::text[], ${closedAt}::bigint[]) as c (account_id, seq) on c.account_id = t.account_id
    where t.seq > coalesce(c.seq, 0)
    group by t.account_id`;
  const same = await live<Pick<Digest, "account_id" | "digest">[]>`
    select t.account_id, sum(hashtextextended(t::text, 0)::numeric)::text as digest
    from transfers t
    join unnest(${restored.map((one) => one.account_id)}::text[], ${restored.map((one) => String(one.last))}::bigint[]) as r (account_id, last)
      on r.account_id = t.account_id and t.seq <= r.last
    left join unnest(${closedIds}::text[], ${closedAt}::bigint[]) as c (account_id, seq) on c.account_id = t.account_id
    where t.seq > coalesce(c.seq, 0)
    group by t.account_id`;
  // Read last: an account that moves away meanwhile is not a difference.
  const fenced = await live<{ account_id: string }[]>`select account_id from wallets where moved_to is not null`;
  const [away, digests] = [new Set(fenced.map((one) => one.account_id)), new Map(same.map((one) => [one.account_id, one.digest]))];
  const here = restored.filter((one) => !away.has(one.account_id));
  return {
    different: here.filter((one) => digests.get(one.account_id) !== one.digest).map((one) => one.account_id),
    moved: restored.length - here.length,
  };
}
