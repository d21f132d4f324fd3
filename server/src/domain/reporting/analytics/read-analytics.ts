import type { Fragment } from "postgres";
import { timeOfId } from "../../../platform/core/ids.ts";
import { type Money, moneyOf } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { ACCOUNT_MODES, type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { LATENCY_BUCKETS, percentile } from "./latency.ts";
import { ACCOUNT_DAY, DIMENSIONS, type Dimension, POOLED, POOLED_DAYS, POOLED_HOURS, REVERSED, sums } from "./roll-up-sql.ts";

export type AnalyticsQuery = {
  /** Null for all accounts of the mode. */
  readonly accountId: string | null;
  readonly mode: AccountMode | null;
  /** Days in India, both inclusive. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly filters: Readonly<Partial<Record<Dimension, string | undefined>>>;
};

/** What the figures are read by. `all` gives one row. */
export type By = Dimension | "all" | "account" | "day" | "hour";

export type Figures = {
  readonly orders: number;
  readonly success: number;
  /** Without reversed orders. */
  readonly failed: number;
  readonly reversed: number;
  readonly pending: number;
  /** The sum of the successful orders. */
  readonly value: Money;
  /** Time to the final state; null if no order became final. */
  readonly medianMilliseconds: number | null;
  readonly slowMilliseconds: number | null;
};

/** The figures of one value: of an operator, an account, a day, and so on. */
export type Line = Figures & { readonly name: string };

type Row = { readonly name: string; readonly state: number; readonly orders: number; readonly amount: bigint; readonly latency: number[] };

/** Reads figures from the roll-ups of every database (cell), from the sums of days where they have what is asked for. */
export async function readFigures(databases: readonly Sql[], query: AnalyticsQuery, by: By): Promise<readonly Line[]> {
  const rows = (await Promise.all(databases.map((sql) => readRows(sql, query, by)))).flat();
  const lines = new Map<string, Row[]>();
  for (const row of rows) lines.set(row.name, [...(lines.get(row.name) ?? []), row]);
  const figures = [...lines].map(([name, ofName]) => ({ name, ...figuresOf(ofName) }));
  return by === "day" || by === "hour"
    ? figures.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    : figures.toSorted((one, other) => other.orders - one.orders || one.name.localeCompare(other.name));
}

async function readRows(sql: Sql, query: AnalyticsQuery, by: By): Promise<readonly Row[]> {
  const modes = query.mode === null ? ACCOUNT_MODES : [query.mode];
  const isFiltered = DIMENSIONS.some((one) => query.filters[one] !== undefined);
  const dimension = dimensionOf(query, by);
  const isOfAll = query.accountId === null && by !== "account" && (by !== "hour" || !isFiltered);
  const pool = by === "hour" ? POOLED_HOURS : POOLED_DAYS;
  const condition = isOfAll
    ? ofPooled(
        sql,
        modes.map((mode) => pool[mode]),
      )
    : dimension === null && by !== "hour"
      ? ofAccountDays(sql, query)
      : ofAccount(sql, query);
  return dimension === null ? await readHours(sql, query, by, condition) : await readDays(sql, query, by, dimension, condition);
}

function ofPooled(sql: Sql, names: readonly string[]): Fragment {
  return sql`r.account_id = any(${names as string[]})`;
}

/** The dimension whose day sums answer the query; null if it needs more than one. */
function dimensionOf({ filters }: AnalyticsQuery, by: By): Dimension | "all" | null {
  if (by === "hour") return null;
  const needed = new Set<Dimension>(DIMENSIONS.filter((one) => filters[one] !== undefined || by === one));
  const [only, ...others] = needed;
  return others.length > 0 ? null : (only ?? "all");
}

async function readDays(
  sql: Sql,
  query: AnalyticsQuery,
  by: By,
  dimension: Dimension | "all",
  condition: Fragment,
): Promise<readonly Row[]> {
  const name = { account: sql`r.account_id`, day: sql`r.day::text`, all: sql`''` }[by as string] ?? sql`r.name`;
  const filter = dimension === "all" ? undefined : query.filters[dimension];
  return await sql<Row[]>`
    select ${name} as name, r.state, ${sums(sql)} from order_rollup_days r
    where r.dimension = ${dimension} and r.day >= ${query.fromDay}::text::date and r.day <= ${query.toDay}::text::date
      ${filter === undefined ? sql`` : sql`and r.name = ${filter}`} and ${condition}
    group by 1, 2`;
}

async function readHours(sql: Sql, query: AnalyticsQuery, by: By, condition: Fragment): Promise<readonly Row[]> {
  const india = sql`r.hour at time zone 'Asia/Kolkata'`;
  const names: Partial<Record<By, Fragment>> = {
    account: sql`substr(r.account_id, 2)`,
    day: sql`(${india})::date::text`,
    hour: sql`to_char(${india}, 'YYYY-MM-DD HH24:MI:SS')`,
    all: sql`''`,
  };
  const value = (one: Dimension) => query.filters[one] ?? null;
  const narrowed = sql`and (${value("service")}::text is null or r.service = ${value("service")})
    and (${value("operator")}::text is null or r.operator = ${value("operator")}) and (${value("circle")}::text is null or r.circle = ${value("circle")})
    and (${value("provider")}::text is null or r.provider = ${value("provider")}) and (${value("reason")}::text is null or r.reason = ${value("reason")})`;
  return await sql<Row[]>`
    select ${names[by] ?? sql.unsafe(`r.${by}`)} as name, r.state, ${sums(sql)} from order_rollups r
    where r.hour >= ${query.fromDay}::text::date::timestamp at time zone 'Asia/Kolkata'
      and r.hour < (${query.toDay}::text::date + 1)::timestamp at time zone 'Asia/Kolkata' ${narrowed} and ${condition}
    group by 1, 2`;
}

function ofAccount(sql: Sql, { accountId, mode }: AnalyticsQuery): Fragment {
  return sql`not r.account_id = any(${POOLED as string[]}) and left(r.account_id, 1) <> ${ACCOUNT_DAY} and ${ofMode(sql, "r.account_id", mode)} ${accountId === null ? sql`` : sql`and r.account_id = ${accountId}`}`;
}

/** The rows of days are named one by one, because they are found by the account at the beginning of the key. */
function ofAccountDays(sql: Sql, { accountId, mode }: AnalyticsQuery): Fragment {
  if (accountId !== null) return sql`r.account_id = ${ACCOUNT_DAY + accountId} and ${ofMode(sql, "substr(r.account_id, 2)", mode)}`;
  return sql`r.account_id = any(array(select ${ACCOUNT_DAY} || a.account_id from accounts a where ${ofMode(sql, "a.account_id", mode)}))`;
}

const [PENDING, SUCCESS, FAILED] = [0, 1, 2];

function figuresOf(rows: readonly Row[]): Figures {
  const count = (state: number) => rows.reduce((sum, row) => sum + (row.state === state ? row.orders : 0), 0);
  const latency = Array.from({ length: LATENCY_BUCKETS }, (_, place) => rows.reduce((sum, row) => sum + (row.latency[place] ?? 0), 0));
  return {
    orders: rows.reduce((sum, row) => sum + row.orders, 0),
    success: count(SUCCESS),
    failed: count(FAILED),
    reversed: count(REVERSED),
    pending: count(PENDING),
    value: moneyOf(rows.reduce((sum, row) => sum + (row.state === SUCCESS ? row.amount : 0n), 0n)),
    medianMilliseconds: percentile(latency, 0.5),
    slowMilliseconds: percentile(latency, 0.95),
  };
}

export const NO_FIGURES: Figures = figuresOf([]);

/** Orders that were created before this time are in the roll-ups; null if there are none. */
export async function readCountedUntil(databases: readonly Sql[]): Promise<number | null> {
  const times = (await Promise.all(databases.map(readPosition))).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

async function readPosition(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ next_order_id: string }[]>`select next_order_id from order_rollup_position`;
  return row === undefined || row.next_order_id === "" ? null : timeOfId(row.next_order_id);
}
