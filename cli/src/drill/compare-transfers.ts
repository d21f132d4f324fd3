import { latestClosings } from "@corprail/server/domain/ledger/closings";
import type { Sql } from "@corprail/server/platform/db/connection";

type Digest = { readonly account_id: string; readonly last: bigint; readonly digest: string };

type Comparison = {
  /** Accounts whose transfers up to the last restored one are not the same in both databases. */
  readonly different: readonly string[];
  /** How many restored accounts have moved away since, and are in none of the running databases that were given. */
  readonly moved: number;
};

/** Accounts and the last transfer that has left the running database with an archived month. */
type Closed = { readonly ids: readonly string[]; readonly last: readonly string[] };

/**
 * Compares what both databases should have: transfers after the last month that has left the running one. An account that has
 * moved to another cell since is compared with the running database of that cell.
 */
export async function compareTransfers(copy: Sql, live: Sql, otherCells: readonly Sql[] = []): Promise<Comparison> {
  const closed = await readClosed([live, ...otherCells]);
  const restored = await copy<Digest[]>`
    select t.account_id, max(t.seq) as last, sum(hashtextextended(t::text, 0)::numeric)::text as digest
    from transfers t
    left join unnest(${closed.ids as string[]}::text[], ${closed.last as string[]}::bigint[]) as c (account_id, seq) on c.account_id = t.account_id
    where t.seq > coalesce(c.seq, 0)
    group by t.account_id`;
  const here = await digestsOf(live, restored, closed);
  // Read last: an account that moves away meanwhile is not a difference.
  const away = await readFenced(live);
  const gone = restored.filter((one) => away.has(one.account_id));
  const found = new Map<string, string>();
  for (const cell of otherCells) for (const [accountId, digest] of await digestsOf(cell, gone, closed)) found.set(accountId, digest);
  const differs = ({ account_id, digest }: Digest) =>
    away.has(account_id) ? found.has(account_id) && found.get(account_id) !== digest : here.get(account_id) !== digest;
  return {
    different: restored.filter(differs).map((one) => one.account_id),
    moved: gone.filter((one) => !found.has(one.account_id)).length,
  };
}

/** An account's closings move along with it, so each is in one database only. */
async function readClosed(cells: readonly Sql[]): Promise<Closed> {
  const all = await Promise.all(cells.map((sql) => sql<{ account_id: string; seq: bigint }[]>`${latestClosings(sql)}`));
  const rows = all.flat();
  return { ids: rows.map((one) => one.account_id), last: rows.map((one) => String(one.seq)) };
}

/** The digests of the accounts' transfers up to the last restored one. */
async function digestsOf(sql: Sql, restored: readonly Digest[], closed: Closed): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<Pick<Digest, "account_id" | "digest">[]>`
    select t.account_id, sum(hashtextextended(t::text, 0)::numeric)::text as digest
    from transfers t
    join unnest(${restored.map((one) => one.account_id)}::text[], ${restored.map((one) => String(one.last))}::bigint[]) as r (account_id, last)
      on r.account_id = t.account_id and t.seq <= r.last
    left join unnest(${closed.ids as string[]}::text[], ${closed.last as string[]}::bigint[]) as c (account_id, seq) on c.account_id = t.account_id
    where t.seq > coalesce(c.seq, 0)
    group by t.account_id`;
  return new Map(rows.map((one) => [one.account_id, one.digest]));
}

async function readFenced(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ account_id: string }[]>`select account_id from wallets where moved_to is not null`;
  return new Set(rows.map((one) => one.account_id));
}
