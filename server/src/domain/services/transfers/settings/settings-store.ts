import { type Money, moneyOf, NO_MONEY } from "../../../../platform/core/money.ts";
import type { Rate } from "../../../../platform/core/rate.ts";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import type { Row as TableRow } from "../../../../platform/db/schema/row-types.ts";

export type TransferSettings = {
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly monthLimit: Money;
  /** A share of the amount with a minimum. */
  readonly fee: Rate & { readonly least: Money };
  readonly pennyDropFee: Money;
};

type Row = Pick<
  TableRow<"transfer_settings">,
  "min_amount" | "max_amount" | "month_limit" | "fee_basis_points" | "fee_least" | "penny_drop_fee"
>;

export async function readSettings(sql: Queryable): Promise<TransferSettings> {
  return toSettings(
    await sql<Row[]>`
    select min_amount, max_amount, month_limit, fee_basis_points, fee_least, penny_drop_fee from transfer_settings`,
  );
}

/** The limits of one transfer's amount. */
export async function readLimits(sql: Queryable): Promise<{ readonly least: Money; readonly most: Money }> {
  const { minAmount, maxAmount } = await readSettings(sql);
  return { least: minAmount, most: maxAmount };
}

/** Locked until the transaction ends, so that changes are serialised. */
export async function lockSettings(tx: Transaction): Promise<TransferSettings> {
  return toSettings(
    await tx<Row[]>`
    select min_amount, max_amount, month_limit, fee_basis_points, fee_least, penny_drop_fee from transfer_settings for update`,
  );
}

export async function updateSettings(tx: Transaction, settings: TransferSettings): Promise<void> {
  await tx`
    update transfer_settings set min_amount = ${settings.minAmount}, max_amount = ${settings.maxAmount},
      month_limit = ${settings.monthLimit}, fee_basis_points = ${settings.fee.basisPoints}, fee_least = ${settings.fee.least},
      penny_drop_fee = ${settings.pennyDropFee}`;
}

function toSettings([row]: readonly Row[]): TransferSettings {
  if (!row) throw new Error("The settings of money transfers are missing.");
  return {
    minAmount: moneyOf(row.min_amount),
    maxAmount: moneyOf(row.max_amount),
    monthLimit: moneyOf(row.month_limit),
    fee: { flat: NO_MONEY, basisPoints: row.fee_basis_points, least: moneyOf(row.fee_least) },
    pennyDropFee: moneyOf(row.penny_drop_fee),
  };
}
