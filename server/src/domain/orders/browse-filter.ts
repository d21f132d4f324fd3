import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";
import { type OrderState, stateNumber } from "./order.ts";
import { idsOf } from "./store.ts";

export type BrowseFilter = {
  /** Null for the operator, who sees the orders of every account. */
  readonly accountId: string | null;
  readonly fromMilliseconds: number;
  /** Exclusive. */
  readonly toMilliseconds: number;
  readonly service: string | null;
  readonly operator: string | null;
  readonly provider: string | null;
  /** `Reversed` is FAILED after SUCCESS; FAILED has both kinds. */
  readonly status: OrderState | "Reversed" | null;
  /** Only pending orders of which nobody can say what became of them, or those that a person has to look at. */
  readonly doubt: "any" | "for a person" | null;
  /** An order's id, its client's reference, its target, or its operator's reference, each whole. */
  readonly search: string | null;
  /** Orders before this id only. */
  readonly before: string | null;
  readonly limit: number;
};

/** Nothing but whose orders: what a caller narrows from. */
export const EVERY_ORDER = {
  service: null,
  operator: null,
  provider: null,
  status: null,
  doubt: null,
  search: null,
  before: null,
} as const;

/** Ids that the filter's orders can have: from the first, up to, not including, the second. */
export function idRange(filter: BrowseFilter): readonly [firstId: string, endId: string] {
  const [firstId, endId] = idsOf(filter.fromMilliseconds, filter.toMilliseconds);
  return [firstId, filter.before !== null && filter.before < endId ? filter.before : endId];
}

/** Whose, and from when. */
export function place(sql: Queryable, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  return sql`o.order_id >= ${firstId} and o.order_id < ${endId}
    and o.created_at >= ${new Date(filter.fromMilliseconds)} and o.created_at < ${new Date(filter.toMilliseconds)}
    ${filter.accountId === null ? sql`` : sql`and o.account_id = ${filter.accountId}`}`;
}

/** What an order has had from its beginning, or been given by its provider: summaries say where such orders are. */
export function hasMark(sql: Queryable, { service, operator, provider, search }: BrowseFilter): Fragment {
  return sql`true ${service === null ? sql`` : sql`and o.service = ${service}`}
    ${operator === null ? sql`` : sql`and o.operator = ${operator}`} ${provider === null ? sql`` : sql`and o.provider = ${provider}`}
    ${search === null ? sql`` : sql`and (o.order_id = ${search} or o.reference = ${search} or o.target = ${search} or o.operator_ref = ${search})`}`;
}

/** How it stands now. An order that costs nothing has no transfers to tell by that it was taken back. */
export function isState(sql: Queryable, { status }: Pick<BrowseFilter, "status">): Fragment {
  if (status === null) return sql`true`;
  if (status !== "Reversed") return sql`o.state = ${stateNumber(status)}`;
  return sql`o.state = ${stateNumber("FAILED")} and exists (select from transfers t
    where t.account_id = o.account_id and t.order_id = o.order_id and t.kind in ('capture', 'fee', 'credit'))`;
}

/** What its watch `w` says of it. */
export function isDoubt(sql: Queryable, doubt: NonNullable<BrowseFilter["doubt"]>): Fragment {
  return doubt === "any" ? sql`(w.why like 'unknown%' or w.why = 'found after a crash')` : sql`w.needs_human`;
}

/** A pending one, of which nobody can say what became of it; or any, when that is not asked. */
export function isInDoubt(sql: Queryable, { doubt }: BrowseFilter): Fragment {
  if (doubt === null) return sql`true`;
  return sql`o.state = ${stateNumber("pending")} and exists (
    select from order_watch w where w.account_id = o.account_id and w.order_id = o.order_id and ${isDoubt(sql, doubt)})`;
}
