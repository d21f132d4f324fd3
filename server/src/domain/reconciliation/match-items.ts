import type { Queryable } from "../../platform/db/connection.ts";
import { stateNumber } from "../orders/order.ts";
import type { Row } from "./file/read-row.ts";
import type { ArchivedOrder } from "./find-archived.ts";
import type { FoundOrder, Referenced, ScannedOrder } from "./find-orders.ts";
import type { Counts, Outcome, Sums } from "./reconciliation.ts";
import { OUTCOMES } from "./reconciliation.ts";

const PENDING = stateNumber("pending");
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

export type ReferenceLine = { readonly item: number; readonly reference: string | null; readonly providerReference: string | null };

/** The next lines whose references are looked up. */
export async function listReferences(
  sql: Queryable,
  reconciliationId: string,
  after: number,
  limit: number,
): Promise<readonly ReferenceLine[]> {
  return await sql<ReferenceLine[]>`
    select item, reference, provider_reference as "providerReference" from reconciliation_items
    where reconciliation_id = ${reconciliationId} and outcome is null and coalesce(reference, provider_reference) is not null
      and item > ${after} order by item limit ${limit}`;
}

/** Gives lines without our order id the order that has their reference. */
export async function setReferenced(
  sql: Queryable,
  reconciliationId: string,
  found: readonly (Referenced & { item: number })[],
): Promise<void> {
  await sql`
    update reconciliation_items i set order_id = case f.order_count when 1 then f.order_id end,
      outcome = case f.order_count when 1 then null else 'unclear' end,
      why = case f.order_count when 1 then null else f.order_count || ' orders have this reference.' end
    from unnest(${found.map((one) => one.item)}::integer[], ${found.map((one) => one.orderId)}::text[],
      ${found.map((one) => one.count)}::integer[]) as f (item, order_id, order_count)
    where i.reconciliation_id = ${reconciliationId} and i.item = f.item`;
}

export type LineRange = { readonly from: number; readonly to: number };

/** The order ids that the lines of a range name and that are not compared yet. */
export async function listNamedOrders(sql: Queryable, reconciliationId: string, { from, to }: LineRange): Promise<readonly string[]> {
  const rows = await sql<{ order_id: string }[]>`
    select distinct coalesce(order_id, reference) as order_id from reconciliation_items
    where reconciliation_id = ${reconciliationId} and item >= ${from} and item < ${to} and outcome is null
      and coalesce(order_id, reference) is not null`;
  return rows.map((row) => row.order_id);
}

/** What the database has for the orders that lines name. */
export type NamedOrders = {
  readonly orders: readonly FoundOrder[];
  readonly archived: readonly ArchivedOrder[];
  /** Why the order of a line that only has the provider's reference may be archived. Null if it is not. */
  readonly unsearched: string | null;
};

/**
 * Compares lines with our orders, by the order's state at this provider: an order that has moved to another provider has
 * failed at this one, whatever its final state.
 */
export async function matchItems(sql: Queryable, reconciliationId: string, range: LineRange, named: NamedOrders): Promise<void> {
  const { orders, archived, unsearched } = named;
  await sql`
    with found as (
      select i.item, i.amount, i.status, o.*, a.order_id as archived_id, a.account_id as archived_account,
        case when coalesce(i.order_id, i.reference) is null then ${unsearched}::text else a.why end as archived_why
      from reconciliation_items i
      left join unnest(${orders.map((one) => one.accountId)}::text[], ${orders.map((one) => one.orderId)}::text[],
        ${orders.map((one) => String(one.amount))}::bigint[], ${orders.map((one) => one.state)}::smallint[],
        ${orders.map((one) => String(one.isWithProvider))}::text[]::boolean[], ${orders.map((one) => String(one.wasTried))}::text[]::boolean[],
        ${orders.map((one) => String(one.takenBack))}::text[]::boolean[], ${orders.map((one) => one.attempt)}::smallint[])
        as o (account_id, order_id, here_amount, state, is_with_provider, was_tried, taken_back, attempt)
        on o.order_id = coalesce(i.order_id, i.reference)
      left join unnest(${archived.map((one) => one.orderId)}::text[], ${archived.map((one) => one.accountId)}::text[],
        ${archived.map((one) => one.why)}::text[]) as a (order_id, account_id, why) on a.order_id = coalesce(i.order_id, i.reference)
      where i.reconciliation_id = ${reconciliationId} and i.item >= ${range.from} and i.item < ${range.to} and i.outcome is null
    ), placed as (
      select *, case when is_with_provider then state when was_tried then ${FAILED} end::smallint as here_status from found
    ), compared as (
      select *, case when order_id is null then null when not (is_with_provider or was_tried) then 'provider'
        else nullif(concat_ws(' and ',
          case when amount <> here_amount then 'amount' end, case when status <> here_status then 'status' end), '')
        end as difference
      from placed
    )
    update reconciliation_items set account_id = coalesce(compared.account_id, compared.archived_account),
      order_id = coalesce(compared.order_id, compared.archived_id),
      here_amount = compared.here_amount, here_status = compared.here_status, attempt = compared.attempt,
      taken_back = coalesce(compared.taken_back, false),
      outcome = case when compared.order_id is null then case when archived_why is null then 'missing_here' else 'archived' end
        when compared.difference is null then 'matched' else 'differing' end,
      why = case when compared.order_id is null then archived_why else compared.difference end,
      can_settle = coalesce(compared.difference = 'status' and compared.is_with_provider and compared.state = ${PENDING}, false)
    from compared
    where reconciliation_items.reconciliation_id = ${reconciliationId} and reconciliation_items.item = compared.item`;
}

/** An order that another line reports otherwise must not be settled by the line that comes first. */
export async function refuseContradicted(sql: Queryable, reconciliationId: string): Promise<void> {
  await sql`
    with contradicted as (
      select i.item, min(other.item) as other_item from reconciliation_items i
      join reconciliation_items other on other.reconciliation_id = ${reconciliationId} and other.item <> i.item
        and coalesce(other.order_id, other.reference) = i.order_id
        and (other.status is distinct from i.status or other.amount is distinct from i.amount)
      where i.reconciliation_id = ${reconciliationId} and i.can_settle
      group by i.item
    )
    update reconciliation_items i set can_settle = false, why = i.why || ' (line ' || c.other_item || ' names the same order and differs)'
    from contradicted c where i.reconciliation_id = ${reconciliationId} and i.item = c.item`;
}

/** Adds orders that the file does not contain. Returns their number. */
export async function addMissingThere(
  sql: Queryable,
  reconciliationId: string,
  nextItem: number,
  orders: readonly ScannedOrder[],
): Promise<number> {
  const { count } = await sql`
    insert into reconciliation_items (reconciliation_id, item, outcome, account_id, order_id, here_amount, here_status)
    select ${reconciliationId}, ${nextItem}::integer + row_number() over (order by order_id) - 1, 'missing_there', account_id, order_id,
      amount, state
    from unnest(${orders.map((one) => one.accountId)}::text[], ${orders.map((one) => one.orderId)}::text[],
      ${orders.map((one) => String(one.amount))}::bigint[], ${orders.map((one) => one.state)}::smallint[])
      as scanned (account_id, order_id, amount, state)
    where not exists (
      select from reconciliation_items listed where listed.reconciliation_id = ${reconciliationId} and listed.order_id = scanned.order_id)`;
  return count;
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
