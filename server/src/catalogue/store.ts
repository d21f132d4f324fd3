import type { Queryable, Transaction } from "../db/connection.ts";

export type ServiceRow = {
  readonly service: string;
  readonly enabled: boolean;
  readonly opens_at: string | null;
  readonly closes_at: string | null;
};

export type OperatorRow = {
  readonly operator: string;
  readonly name: string;
  readonly kind: string;
  readonly account_label: string;
  readonly account_pattern: string;
  readonly account_example: string;
  readonly min_amount: bigint;
  readonly max_amount: bigint;
  readonly denominations: bigint[];
  readonly enabled: boolean;
};

export type AliasRow = { readonly alias: string; readonly operator: string };

export async function readServices(sql: Queryable): Promise<readonly ServiceRow[]> {
  return await sql<ServiceRow[]>`select service, enabled, opens_at, closes_at from services`;
}

export async function readOperators(sql: Queryable): Promise<readonly OperatorRow[]> {
  return await sql<OperatorRow[]>`
    select operator, name, kind, account_label, account_pattern, account_example, min_amount, max_amount, denominations, enabled
    from operators order by position, operator`;
}

export async function readAliases(sql: Queryable): Promise<readonly AliasRow[]> {
  return await sql<AliasRow[]>`select alias, operator from operator_aliases`;
}

export async function lockService(tx: Transaction, service: string): Promise<ServiceRow | undefined> {
  const [row] = await tx<ServiceRow[]>`select service, enabled, opens_at, closes_at from services where service = ${service} for update`;
  return row;
}

export async function updateService(tx: Transaction, row: ServiceRow): Promise<void> {
  await tx`
    update services set enabled = ${row.enabled}, opens_at = ${row.opens_at}, closes_at = ${row.closes_at}
    where service = ${row.service}`;
}

/** Null when there is no such operator, else whether it was switched. */
export async function updateOperator(tx: Transaction, operator: string, enabled: boolean): Promise<boolean | null> {
  const [row] = await tx<{ enabled: boolean }[]>`select enabled from operators where operator = ${operator} for update`;
  if (!row) return null;
  if (row.enabled === enabled) return false;
  await tx`update operators set enabled = ${enabled} where operator = ${operator} and enabled <> ${enabled}`;
  return true;
}
