import type { Fragment } from "postgres";
import type { Queryable } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { type AssigneeFilter, matchesAssignee } from "../../work/assignee-filter.ts";
import { type OrderState, stateNumber } from "../order.ts";
import { idsOf } from "../store.ts";

export type BrowseFilter = {
  /** Null for staff, who see the orders of every account. */
  readonly accountId: string | null;
  /** Only orders of live accounts, or only of sandbox accounts. */
  readonly mode: AccountMode | null;
  readonly fromMilliseconds: number;
  /** Exclusive. */
  readonly toMilliseconds: number;
  readonly service: string | null;
  readonly operator: string | null;
  readonly provider: string | null;
  readonly circle: string | null;
  /** Code of the failure; `other` for failures without a code. */
  readonly reason: string | null;
  /** `Reversed` is FAILED after SUCCESS; FAILED includes both kinds. */
  readonly status: OrderState | "Reversed" | null;
  /** Only pending orders with an unknown outcome, or only those that staff must settle. */
  readonly doubt: "any" | "for a person" | null;
  /** Only orders that this staff member handles, or that nobody does. */
  readonly assignedTo: AssigneeFilter;
  /** An order id, client reference, target or operator reference. */
  readonly search: string | null;
  /** Whether a part of one of these matches too. A search by whole values is answered by indexes. */
  readonly searchesParts?: boolean;
  /** Only orders with a smaller id. */
  readonly before: string | null;
  readonly limit: number;
};

/** A filter that selects every order; callers narrow it. */
export const ANY_ORDER = {
  mode: null,
  service: null,
  operator: null,
  provider: null,
  circle: null,
  reason: null,
  status: null,
  doubt: null,
  assignedTo: null,
  search: null,
  before: null,
} as const;

/** The range of order ids that can match: from the first, up to but not including the second. */
export function idRange(filter: BrowseFilter): readonly [firstId: string, endId: string] {
  const [firstId, endId] = idsOf(filter.fromMilliseconds, filter.toMilliseconds);
  return [firstId, filter.before !== null && filter.before < endId ? filter.before : endId];
}

/** Matches the account, its mode, who handles the order, the time range and the cursor. */
export function matchesRange(sql: Queryable, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  return sql`o.order_id >= ${firstId} and o.order_id < ${endId}
    and o.created_at >= ${new Date(filter.fromMilliseconds)} and o.created_at < ${new Date(filter.toMilliseconds)}
    ${filter.accountId === null ? sql`` : sql`and o.account_id = ${filter.accountId}`} and ${ofMode(sql, "o.account_id", filter.mode)}
    and ${matchesAssignee(sql, filter.assignedTo, { kind: "order", accountId: sql`o.account_id`, itemId: sql`o.order_id` })}`;
}

/** Matches attributes that block-range indexes cover: they are set when the order is created, or once by its provider. */
export function matchesAttributes(sql: Queryable, filter: BrowseFilter): Fragment {
  const { service, operator, provider, circle, reason } = filter;
  return sql`true ${service === null ? sql`` : sql`and o.service = ${service}`}
    ${operator === null ? sql`` : sql`and o.operator = ${operator}`} ${provider === null ? sql`` : sql`and o.provider = ${provider}`}
    ${circle === null ? sql`` : sql`and o.circle = ${circle}`} ${reason === null ? sql`` : sql`and ${matchesReason(sql, reason)}`}
    and ${matchesSearch(sql, filter)}`;
}

function matchesSearch(sql: Queryable, { search, searchesParts = false }: BrowseFilter): Fragment {
  if (search === null) return sql`true`;
  if (!searchesParts) return sql`(o.order_id = ${search} or o.reference = ${search} or o.target = ${search} or o.operator_ref = ${search})`;
  // As typed and in capitals, in which most references are written: ilike takes twice the time.
  const typed = patternOf(search);
  const capitals = patternOf(search.toUpperCase());
  const inCapitals = capitals === typed ? sql`` : sql`or o.reference like ${capitals} or o.operator_ref like ${capitals}`;
  return sql`(o.order_id like ${capitals} or o.reference like ${typed} or o.target like ${typed} or o.operator_ref like ${typed} ${inCapitals})`;
}

function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

function matchesReason(sql: Queryable, reason: string): Fragment {
  if (reason === "other") return sql`o.state = ${stateNumber("FAILED")} and coalesce(o.reason, '') !~ '^\\[[a-z_]'`;
  return sql`starts_with(o.reason, ${`[${reason}]`})`;
}

/** Matches the current status. An order that costs nothing has no transfers, so it cannot be found as reversed here. */
export function matchesStatus(sql: Queryable, { status }: Pick<BrowseFilter, "status">): Fragment {
  if (status === null) return sql`true`;
  if (status !== "Reversed") return sql`o.state = ${stateNumber(status)}`;
  return sql`o.state = ${stateNumber("FAILED")} and exists (select from transfers t
    where t.account_id = o.account_id and t.order_id = o.order_id and t.kind in ('capture', 'fee', 'credit'))`;
}

/** Matches the order's pending poll `w`. */
export function matchesPoll(sql: Queryable, doubt: NonNullable<BrowseFilter["doubt"]>): Fragment {
  return doubt === "any" ? sql`(w.why like 'unknown%' or w.why = 'found after a crash')` : sql`w.needs_human`;
}

/** Pending orders are in doubt; a success that its provider has taken back can also wait for a person. */
export function statusInDoubt(doubt: BrowseFilter["doubt"]): BrowseFilter["status"] {
  return doubt === "for a person" ? null : "pending";
}

/** Matches orders in doubt, or every order when the filter does not ask for doubt. */
export function matchesDoubt(sql: Queryable, { doubt }: BrowseFilter): Fragment {
  if (doubt === null) return sql`true`;
  return sql`${matchesStatus(sql, { status: statusInDoubt(doubt) })} and exists (
    select from pending_polls w where w.account_id = o.account_id and w.order_id = o.order_id and ${matchesPoll(sql, doubt)})`;
}
