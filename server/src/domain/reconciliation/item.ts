import { type Money, moneyOf, moneyOrNull } from "../../platform/core/money.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { type OrderState, stateNumber, stateOf } from "../orders/order.ts";
import type { Outcome } from "./reconciliation.ts";

export type Item = {
  readonly item: number;
  /** Null for an order that is missing in the file. */
  readonly lineText: string | null;
  readonly reference: string | null;
  readonly providerReference: string | null;
  readonly amount: Money | null;
  readonly status: OrderState | null;
  readonly outcome: Outcome;
  readonly why: string | null;
  readonly accountId: string | null;
  readonly orderId: string | null;
  readonly hereAmount: Money | null;
  readonly hereStatus: OrderState | null;
  /** The order's attempt when the line was compared. */
  readonly attempt: number | null;
  readonly takenBack: boolean;
  readonly canSettle: boolean;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly note: string | null;
  readonly settledAt: Date | null;
  /** Counts the changes since the run. */
  readonly version: number;
};

type ItemRow = Pick<
  Row<"reconciliation_items">,
  | "item"
  | "line_text"
  | "reference"
  | "provider_reference"
  | "amount"
  | "why"
  | "account_id"
  | "order_id"
  | "here_amount"
  | "attempt"
  | "taken_back"
  | "can_settle"
  | "resolved_at"
  | "resolved_by"
  | "note"
  | "settled_at"
  | "version"
> & {
  readonly status: number | null;
  readonly outcome: Outcome;
  readonly here_status: number | null;
};

function toItem(row: ItemRow): Item {
  return {
    item: row.item,
    lineText: row.line_text,
    reference: row.reference,
    providerReference: row.provider_reference,
    amount: moneyOrNull(row.amount),
    status: row.status === null ? null : stateOf(row.status),
    outcome: row.outcome,
    why: row.why,
    accountId: row.account_id,
    orderId: row.order_id,
    hereAmount: moneyOrNull(row.here_amount),
    hereStatus: row.here_status === null ? null : stateOf(row.here_status),
    attempt: row.attempt,
    takenBack: row.taken_back,
    canSettle: row.can_settle && row.resolved_at === null,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    note: row.note,
    settledAt: row.settled_at,
    version: row.version,
  };
}

function columns(sql: Queryable) {
  return sql`i.item, i.line_text, i.reference, i.provider_reference, i.amount, i.status, i.outcome, i.why, i.account_id, i.order_id,
    i.here_amount, i.here_status, i.attempt, i.taken_back, i.can_settle, i.resolved_at, i.resolved_by, i.note, i.settled_at, i.version`;
}

export type ItemFilter = {
  readonly item?: number;
  readonly outcome?: Outcome | undefined;
  /** The status in the file. */
  readonly status?: OrderState | undefined;
  readonly resolved?: boolean | undefined;
  /** Only orders that are pending here and final in the file. */
  readonly canSettle?: boolean | undefined;
  /** Part of an order id, of our reference or of the provider's. */
  readonly search?: string | undefined;
};

function fits(sql: Queryable, reconciliationId: string, { item, outcome, status, resolved, canSettle, search }: ItemFilter) {
  const part = search === undefined ? "" : `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`i.reconciliation_id = ${reconciliationId}
    ${outcome === undefined ? sql`and i.outcome is not null` : sql`and i.outcome = ${outcome}`}
    ${item === undefined ? sql`` : sql`and i.item = ${item}`}
    ${status === undefined ? sql`` : sql`and i.status = ${stateNumber(status)}`}
    ${resolved === undefined ? sql`` : resolved ? sql`and i.resolved_at is not null` : sql`and i.resolved_at is null`}
    ${canSettle === undefined ? sql`` : sql`and i.can_settle and i.resolved_at is null`}
    ${search === undefined ? sql`` : sql`and (i.order_id ilike ${part} or i.reference ilike ${part} or i.provider_reference ilike ${part})`}`;
}

export type ItemQuery = ItemFilter & { readonly after: number; readonly limit: number };

/** Lists items in the order of the file. */
export async function listItems(sql: Queryable, reconciliationId: string, query: ItemQuery): Promise<readonly Item[]> {
  const rows = await sql<ItemRow[]>`
    select ${columns(sql)} from reconciliation_items i where ${fits(sql, reconciliationId, query)} and i.item > ${query.after}
    order by i.item limit ${query.limit}`;
  return rows.map(toItem);
}

export async function findItem(sql: Queryable, reconciliationId: string, item: number): Promise<Item | null> {
  const [row] = await sql<ItemRow[]>`
    select ${columns(sql)} from reconciliation_items i where ${fits(sql, reconciliationId, { item })}`;
  return row ? toItem(row) : null;
}

export type ItemTotals = { readonly count: number; readonly hereSum: Money };

export async function sumItems(sql: Queryable, reconciliationId: string, filter: ItemFilter): Promise<ItemTotals> {
  const [row] = await sql<{ count: number; sum: bigint }[]>`
    select count(*)::int as count, coalesce(sum(i.here_amount), 0)::bigint as sum from reconciliation_items i
    where ${fits(sql, reconciliationId, filter)}`;
  return { count: row?.count ?? 0, hereSum: moneyOf(row?.sum ?? 0n) };
}

/** An order that can be settled from a file, with its amount and its item. */
export type SettleableOrder = {
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: Money;
  readonly item: number;
  readonly version: number;
};

export async function listSettleable(sql: Queryable, reconciliationId: string, filter: ItemFilter): Promise<readonly SettleableOrder[]> {
  const rows = await sql<{ account_id: string; order_id: string; amount: bigint; item: number; version: number }[]>`
    select i.account_id, i.order_id, i.here_amount as amount, i.item, i.version from reconciliation_items i
    where ${fits(sql, reconciliationId, { ...filter, canSettle: true })} and i.order_id is not null order by i.item`;
  return rows.map(({ account_id: accountId, order_id: orderId, amount, item, version }) => ({
    ...{ accountId, orderId, item, version },
    amount: moneyOf(amount),
  }));
}
