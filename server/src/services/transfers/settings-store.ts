import type { Queryable } from "../../db/connection.ts";
import type { Money } from "../../kernel/money.ts";
import type { Rate } from "../../kernel/rate.ts";

export type TransferSettings = {
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly monthLimit: Money;
  readonly fee: Rate;
  readonly pennyDropFee: Money;
};

type Row = {
  readonly min_amount: bigint;
  readonly max_amount: bigint;
  readonly month_limit: bigint;
  readonly fee_basis_points: bigint;
  readonly fee_least: bigint;
  readonly penny_drop_fee: bigint;
};

export async function readSettings(sql: Queryable): Promise<TransferSettings> {
  const [row] = await sql<Row[]>`
    select min_amount, max_amount, month_limit, fee_basis_points, fee_least, penny_drop_fee from transfer_settings`;
  if (!row) throw new Error("The settings of money transfers are gone.");
  return {
    minAmount: row.min_amount as Money,
    maxAmount: row.max_amount as Money,
    monthLimit: row.month_limit as Money,
    fee: { flat: 0n as Money, basisPoints: row.fee_basis_points, least: row.fee_least as Money },
    pennyDropFee: row.penny_drop_fee as Money,
  };
}
