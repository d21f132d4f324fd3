import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";

export type Overview = {
  readonly targets: Readonly<Record<"waiting" | "broken" | "parked" | "paused", number>>;
  /** Undelivered callbacks, counted up to a limit. */
  readonly waiting: number;
  /** The targets whose oldest due callback has been due longest. */
  readonly oldest: readonly { readonly accountId: string; readonly kind: string; readonly seconds: number }[];
};

const MAX_COUNTED = 100_000;
const OLDEST_SHOWN = 10;

export async function readOverview(sql: Sql, now: number, mode: AccountMode | null): Promise<Overview> {
  const targets = sql`
    select l.account_id, l.kind, min(l.next_at) as next_at,
      case when bool_or(case l.kind when 'status' then a.callback_url else a.complaint_callback_url end is null) then 'parked'
        when bool_or(a.callbacks_paused) then 'paused' when bool_or(t.probe_at is not null) then 'broken' else 'waiting' end as state
    from callback_queues l join accounts a on a.account_id = l.account_id
    left join callback_targets t on t.account_id = l.account_id and t.kind = l.kind
    where ${mode === null ? sql`true` : sql`a.sandbox = ${mode === "test"}`}
    group by l.account_id, l.kind`;
  const [states, oldest, counted] = await Promise.all([
    sql<
      { state: keyof Overview["targets"]; count: number }[]
    >`select state, count(*)::int as count from (${targets}) targets group by state`,
    sql<{ account_id: string; kind: string; next_at: Date }[]>`
      select account_id, kind, next_at from (${targets}) targets
      where state in ('waiting', 'broken') and next_at <= ${new Date(now)} order by next_at limit ${OLDEST_SHOWN}`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from callbacks c where state = 'waiting' and ${ofMode(sql, "c.account_id", mode)} limit ${MAX_COUNTED}) bounded`,
  ]);
  const counts = Object.fromEntries(states.map((row) => [row.state, row.count]));
  return {
    targets: { waiting: 0, broken: 0, parked: 0, paused: 0, ...counts },
    waiting: counted[0]?.count ?? 0,
    oldest: oldest.map((row) => ({ accountId: row.account_id, kind: row.kind, seconds: (now - row.next_at.getTime()) / 1000 })),
  };
}

/** The callbacks of several cells together. */
export function mergeOverviews(first: Overview, others: readonly Overview[]): Overview {
  return others.reduce(
    (sum, one) => ({
      targets: {
        waiting: sum.targets.waiting + one.targets.waiting,
        broken: sum.targets.broken + one.targets.broken,
        parked: sum.targets.parked + one.targets.parked,
        paused: sum.targets.paused + one.targets.paused,
      },
      waiting: sum.waiting + one.waiting,
      oldest: [...sum.oldest, ...one.oldest].sort((a, b) => b.seconds - a.seconds).slice(0, OLDEST_SHOWN),
    }),
    first,
  );
}
