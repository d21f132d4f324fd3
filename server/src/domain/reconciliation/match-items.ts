import type { Queryable } from "../../platform/db/connection.ts";
import type { Row } from "./read-row.ts";
import type { Counts, Outcome, Sums } from "./reconciliation.ts";
import { OUTCOMES } from "./reconciliation.ts";

// The statements of a run. Each one covers a limited range of the file, so that it is short and another process can continue.

/** Deletes the items of an earlier run. */
export async function clearItems(sql: Queryable, reconciliationId: string): Promise<null> {
  await sql`delete from reconciliation_items where reconciliation_id = ${reconciliationId}`;
  return null;
}

export async function loadItems(sql: Queryable, reconciliationId: string, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into reconciliation_items (reconciliation_id, item, line_text, reference, provider_reference, amount, status, outcome, why)
    select ${reconciliationId}, r.item, r.line_text, r.reference, r.provider_reference, r.amount, r.status,
      case when r.why is not null then 'unclear' end, r.why
    from unnest(${rows.map((row) => row.item)}::integer[], ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.providerReference)}::text[],
      ${rows.map((row) => row.amount?.toString() ?? null)}::bigint[], ${rows.map((row) => row.status)}::smallint[], ${rows.map((row) => row.unclear)}::text[])
      as r (item, line_text, reference, provider_reference, amount, status, why)`;
}

/** The first line with a reference counts; later ones with the same reference are duplicates. */
export async function markDuplicates(sql: Queryable, reconciliationId: string): Promise<void> {
  await sql`
    update reconciliation_items i set outcome = 'duplicate', why = 'Line ' || f.first || ' names the same.'
    from (
      select item, first_value(item) over (
        partition by coalesce('ours ' || reference, 'theirs ' || provider_reference) order by item) as first
      from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome is null) f
    where f.item <> f.first and i.reconciliation_id = ${reconciliationId} and i.item = f.item`;
}

export type Day = {
  readonly provider: string;
  /** The ids of the day's orders: from the first, up to but not including the end. */
  readonly firstId: string;
  readonly endId: string;
};

/** Finds the orders of lines without our order id by the provider's reference, among orders around that day. */
export async function findByProviderReference(sql: Queryable, reconciliationId: string, around: Day): Promise<void> {
  const [some] = await sql`
    select 1 from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome is null and reference is null limit 1`;
  if (!some) return;
  await sql`
    update reconciliation_items i set order_id = case f.orders when 1 then f.order_id end,
      outcome = case f.orders when 1 then null else 'unclear' end,
      why = case f.orders when 1 then null else f.orders || ' orders have this reference of the provider.' end
    from (
      select operator_ref, min(order_id) as order_id, count(*) as orders from orders
      where order_id >= ${around.firstId} and order_id < ${around.endId} and provider = ${around.provider} and operator_ref is not null
      group by operator_ref) f
    where i.reconciliation_id = ${reconciliationId} and i.outcome is null and i.reference is null and i.provider_reference = f.operator_ref`;
}

export type LineRange = { readonly provider: string; readonly from: number; readonly to: number };

/**
 * Compares lines with our orders, by the order's state at this provider: an order that has moved to another provider has
 * failed at this one, whatever its final state.
 */
export async function matchItems(sql: Queryable, reconciliationId: string, { provider, from, to }: LineRange): Promise<void> {
  await sql`
    update reconciliation_items i set account_id = h.account_id, order_id = h.order_id, here_amount = h.here_amount,
      here_status = h.here_status, taken_back = h.taken_back,
      outcome = case when h.order_id is null then 'missing_here' when h.why is null then 'matched' else 'differing' end, why = h.why,
      can_settle = coalesce(h.why = 'status' and h.with_it and h.state = 0, false)
    from (
      select f.*, case when f.order_id is null then null when not f.tried then 'provider'
        else nullif(concat_ws(' and ', case when f.amount <> f.here_amount then 'amount' end, case when f.status <> f.here_status then 'status' end), '')
        end as why
      from (
        select l.item, l.amount, l.status, o.account_id, o.order_id, o.amount as here_amount, o.state, o.provider = ${provider} as with_it,
          o.provider = ${provider} or a.tried is true as tried,
          case when o.provider = ${provider} then o.state when a.tried then 2 end::smallint as here_status,
          coalesce(o.provider = ${provider} and o.state = 2 and exists (select from transfers t
            where t.account_id = o.account_id and t.order_id = o.order_id and t.kind in ('capture', 'fee', 'credit')), false) as taken_back
        from reconciliation_items l
        left join orders o on o.order_id = coalesce(l.reference, l.order_id)
        left join lateral (
          select true as tried from order_attempts a
          where a.account_id = o.account_id and a.order_id = o.order_id and a.provider = ${provider} and o.provider <> ${provider} limit 1) a on true
        where l.reconciliation_id = ${reconciliationId} and l.item >= ${from} and l.item < ${to} and l.outcome is null) f) h
    where i.reconciliation_id = ${reconciliationId} and i.item = h.item`;
}

/** The number of orders created that day, at any provider. */
export async function countDay(sql: Queryable, { firstId, endId }: Day): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from orders where order_id >= ${firstId} and order_id < ${endId}`;
  return row?.count ?? 0;
}

export type Scanned = { readonly last: string | null; readonly scanned: number; readonly added: number };
export type Scan = { readonly day: Day; readonly after: string; readonly limit: number; readonly nextItem: number };

/** Adds orders that the file does not contain, except FAILED ones, because many providers list only what they carried out. */
export async function addMissingThere(sql: Queryable, reconciliationId: string, { day, after, limit, nextItem }: Scan): Promise<Scanned> {
  const [row] = await sql<{ last: string | null; scanned: number; added: number }[]>`
    with scanned as (
      select account_id, order_id, amount, state, provider from orders
      where order_id > ${after} and order_id >= ${day.firstId} and order_id < ${day.endId} order by order_id limit ${limit}
    ), added as (
      insert into reconciliation_items (reconciliation_id, item, outcome, account_id, order_id, here_amount, here_status)
      select ${reconciliationId}, ${nextItem}::integer + row_number() over (order by s.order_id) - 1, 'missing_there', s.account_id, s.order_id,
        s.amount, s.state
      from scanned s
      where s.provider = ${day.provider} and s.state in (0, 1) and not exists (
        select from reconciliation_items i where i.reconciliation_id = ${reconciliationId} and i.order_id = s.order_id)
      returning 1
    )
    select (select max(order_id) from scanned) as last, (select count(*) from scanned)::int as scanned, (select count(*) from added)::int as added`;
  return row ?? { last: null, scanned: 0, added: 0 };
}

export async function sumOutcomes(sql: Queryable, reconciliationId: string): Promise<Counts> {
  const rows = await sql<{ outcome: Outcome; count: number; there: string; here: string }[]>`
    select outcome, count(*)::int as count, coalesce(sum(amount), 0)::text as there, coalesce(sum(here_amount), 0)::text as here
    from reconciliation_items where reconciliation_id = ${reconciliationId} group by outcome`;
  const none: Sums = { count: 0, there: "0", here: "0" };
  const found = new Map(rows.map(({ outcome, ...sums }) => [outcome, sums]));
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, found.get(outcome) ?? none])) as Record<Outcome, Sums>;
}

/** Ends a run and stores its result with the file. */
export async function endRun(sql: Queryable, reconciliationId: string, counts: Counts, at: Date): Promise<void> {
  await sql`
    update reconciliations set counts = ${JSON.stringify(counts)}::text::jsonb, finished_at = ${at},
      open = (select count(*) from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome <> 'matched')
    where reconciliation_id = ${reconciliationId}`;
}
