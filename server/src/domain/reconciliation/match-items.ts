import type { Queryable } from "../../platform/db/connection.ts";
import { stateNumber } from "../orders/order.ts";
import type { Row } from "./read-row.ts";
import type { Counts, Outcome, Sums } from "./reconciliation.ts";
import { OUTCOMES } from "./reconciliation.ts";

const PENDING = stateNumber("pending");
const SUCCESS = stateNumber("SUCCESS");
const FAILED = stateNumber("FAILED");

// The statements of a run. Each one covers a limited range of the file, so that it is short and another process can continue.

/** Deletes the items of an earlier run. */
export async function clearItems(sql: Queryable, reconciliationId: string): Promise<null> {
  await sql`delete from reconciliation_items where reconciliation_id = ${reconciliationId}`;
  return null;
}

export async function loadItems(sql: Queryable, reconciliationId: string, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into reconciliation_items (reconciliation_id, item, line_text, reference, provider_reference, amount, status, outcome, why)
    select ${reconciliationId}, item, line_text, reference, provider_reference, amount, status,
      case when why is not null then 'unclear' end, why
    from unnest(${rows.map((row) => row.item)}::integer[], ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.providerReference)}::text[],
      ${rows.map((row) => row.amount?.toString() ?? null)}::bigint[], ${rows.map((row) => row.status)}::smallint[],
      ${rows.map((row) => row.unclear)}::text[])
      as line (item, line_text, reference, provider_reference, amount, status, why)`;
}

/** The first line with a reference counts; later ones with the same reference are duplicates. */
export async function markDuplicates(sql: Queryable, reconciliationId: string): Promise<void> {
  await sql`
    with first_lines as (
      select item, first_value(item) over (
        partition by coalesce('ours ' || reference, 'theirs ' || provider_reference) order by item) as first_item
      from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome is null
    )
    update reconciliation_items set outcome = 'duplicate', why = 'Line ' || first_lines.first_item || ' names the same.'
    from first_lines
    where reconciliation_items.reconciliation_id = ${reconciliationId} and reconciliation_items.item = first_lines.item
      and first_lines.item <> first_lines.first_item`;
}

export type Day = {
  readonly provider: string;
  /** The ids of the day's orders: from the first, up to but not including the end. */
  readonly firstId: string;
  readonly endId: string;
};

/** Finds the orders of lines without our order id by the provider's reference, among orders around that day. */
export async function findByProviderReference(sql: Queryable, reconciliationId: string, around: Day): Promise<void> {
  const [lineWithoutOrderId] = await sql`
    select 1 from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome is null and reference is null limit 1`;
  if (!lineWithoutOrderId) return;
  await sql`
    with referenced as (
      select operator_ref, min(order_id) as order_id, count(*) as order_count from orders
      where order_id >= ${around.firstId} and order_id < ${around.endId} and provider = ${around.provider} and operator_ref is not null
      group by operator_ref
    )
    update reconciliation_items set order_id = case referenced.order_count when 1 then referenced.order_id end,
      outcome = case referenced.order_count when 1 then null else 'unclear' end,
      why = case referenced.order_count when 1 then null else referenced.order_count || ' orders have this reference of the provider.' end
    from referenced
    where reconciliation_items.reconciliation_id = ${reconciliationId} and reconciliation_items.outcome is null
      and reconciliation_items.reference is null and reconciliation_items.provider_reference = referenced.operator_ref`;
}

export type LineRange = { readonly provider: string; readonly from: number; readonly to: number };

/**
 * Compares lines with our orders, by the order's state at this provider: an order that has moved to another provider has
 * failed at this one, whatever its final state.
 */
export async function matchItems(sql: Queryable, reconciliationId: string, { provider, from, to }: LineRange): Promise<void> {
  await sql`
    with lines as (
      select item, amount, status, coalesce(reference, order_id) as order_id from reconciliation_items
      where reconciliation_id = ${reconciliationId} and item >= ${from} and item < ${to} and outcome is null
    ), found as (
      select lines.item, lines.amount, lines.status, orders.account_id, orders.order_id, orders.amount as here_amount, orders.state,
        orders.provider = ${provider} as is_with_provider, earlier_attempt.was_tried is true as was_tried
      from lines
      left join orders on orders.order_id = lines.order_id
      left join lateral (
        select true as was_tried from order_attempts
        where order_attempts.account_id = orders.account_id and order_attempts.order_id = orders.order_id
          and order_attempts.provider = ${provider} and orders.provider <> ${provider} limit 1) earlier_attempt on true
    ), placed as (
      select *, case when is_with_provider then state when was_tried then ${FAILED} end::smallint as here_status,
        coalesce(is_with_provider and state = ${FAILED} and exists (
          select from transfers where transfers.account_id = found.account_id and transfers.order_id = found.order_id
            and transfers.kind in ('capture', 'fee', 'credit')), false) as taken_back
      from found
    ), compared as (
      select *, case when order_id is null then null when not (is_with_provider or was_tried) then 'provider'
        else nullif(concat_ws(' and ',
          case when amount <> here_amount then 'amount' end, case when status <> here_status then 'status' end), '')
        end as difference
      from placed
    )
    update reconciliation_items set account_id = compared.account_id, order_id = compared.order_id,
      here_amount = compared.here_amount, here_status = compared.here_status, taken_back = compared.taken_back,
      outcome = case when compared.order_id is null then 'missing_here' when compared.difference is null then 'matched' else 'differing' end,
      why = compared.difference,
      can_settle = coalesce(compared.difference = 'status' and compared.is_with_provider and compared.state = ${PENDING}, false)
    from compared
    where reconciliation_items.reconciliation_id = ${reconciliationId} and reconciliation_items.item = compared.item`;
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
      select ${reconciliationId}, ${nextItem}::integer + row_number() over (order by order_id) - 1, 'missing_there', account_id, order_id,
        amount, state
      from scanned
      where provider = ${day.provider} and state in (${PENDING}, ${SUCCESS}) and not exists (
        select from reconciliation_items listed where listed.reconciliation_id = ${reconciliationId} and listed.order_id = scanned.order_id)
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
