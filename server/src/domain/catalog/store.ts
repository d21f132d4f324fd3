import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";

export type ServiceRow = Pick<Row<"services">, "service" | "name" | "transaction" | "enabled" | "opens_at" | "closes_at">;

export type OperatorRow = Pick<
  Row<"operators">,
  | "operator"
  | "name"
  | "kind"
  | "account_label"
  | "account_pattern"
  | "account_example"
  | "min_amount"
  | "max_amount"
  | "denominations"
  | "enabled"
>;

export type AliasRow = { readonly alias: string; readonly operator: string };

export type CircleRow = { readonly circle: string; readonly name: string };
export type SeriesRow = { readonly prefix: string; readonly operator: string; readonly circle: string };
export type PlanRow = {
  readonly operator: string;
  readonly circle: string;
  readonly amount: bigint;
  readonly validity: string;
  readonly data: string;
  readonly talktime: string;
  readonly category: string;
  readonly description: string;
};

export async function readServices(sql: Queryable): Promise<readonly ServiceRow[]> {
  return await sql<ServiceRow[]>`select service, name, transaction, enabled, opens_at, closes_at from services order by position, service`;
}

export async function readOperators(sql: Queryable): Promise<readonly OperatorRow[]> {
  return await sql<OperatorRow[]>`
    select operator, name, kind, account_label, account_pattern, account_example, min_amount, max_amount, denominations, enabled
    from operators order by position, operator`;
}

export async function readAliases(sql: Queryable): Promise<readonly AliasRow[]> {
  return await sql<AliasRow[]>`select alias, operator from operator_aliases`;
}

export async function readCircles(sql: Queryable): Promise<readonly CircleRow[]> {
  return await sql<CircleRow[]>`select circle, name from circles order by circle`;
}

export async function readSeries(sql: Queryable): Promise<readonly SeriesRow[]> {
  return await sql<SeriesRow[]>`select prefix, operator, circle from number_series`;
}

export async function readPlans(sql: Queryable): Promise<readonly PlanRow[]> {
  return await sql<PlanRow[]>`
    select operator, circle, amount, validity, data, talktime, category, description
    from plans order by operator, amount, circle, category`;
}

export async function lockService(tx: Transaction, service: string): Promise<ServiceRow | undefined> {
  const [row] = await tx<ServiceRow[]>`
    select service, name, transaction, enabled, opens_at, closes_at from services where service = ${service} for update`;
  return row;
}

export async function updateService(tx: Transaction, row: Omit<ServiceRow, "name" | "transaction">): Promise<void> {
  await tx`
    update services set enabled = ${row.enabled}, opens_at = ${row.opens_at}, closes_at = ${row.closes_at}
    where service = ${row.service}`;
}

/** Whether the service exists. */
export async function hasService(sql: Queryable, service: string): Promise<boolean> {
  const [row] = await sql`select from services where service = ${service}`;
  return row !== undefined;
}

/** Null when the operator does not exist, otherwise whether it was changed. */
export async function updateOperator(tx: Transaction, operator: string, enabled: boolean): Promise<boolean | null> {
  const [row] = await tx<{ enabled: boolean }[]>`select enabled from operators where operator = ${operator} for update`;
  if (!row) return null;
  if (row.enabled === enabled) return false;
  await tx`update operators set enabled = ${enabled} where operator = ${operator} and enabled <> ${enabled}`;
  return true;
}
