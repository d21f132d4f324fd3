import { appendAudit } from "../../audit/append.ts";
import type { Sql, Transaction } from "../../db/connection.ts";
import type { Clock } from "../../kernel/clock.ts";
import { formatMoney, type Money } from "../../kernel/money.ts";
import type { JsonObject } from "../../kernel/strict-json.ts";
import { SERVICE } from "./context.ts";
import { lockSettings, type TransferSettings, updateSettings } from "./settings-store.ts";

/** What is to be changed; the rest stays as it is. */
export type SettingsChange = {
  readonly minAmount?: Money | undefined;
  readonly maxAmount?: Money | undefined;
  readonly monthLimit?: Money | undefined;
  readonly feeBasisPoints?: bigint | undefined;
  readonly feeLeast?: Money | undefined;
  readonly pennyDropFee?: Money | undefined;
};

export type ChangeResult =
  | { readonly kind: "done"; readonly settings: TransferSettings }
  | { readonly kind: "invalid"; readonly fields: Readonly<Record<string, string>> };

/** Sets limits and fees. Every process reads them from the database, so the next quote anywhere goes by them. */
export async function changeSettings(
  ctx: { readonly sql: Sql; readonly clock: Clock },
  actor: string,
  input: { readonly change: SettingsChange; readonly reason?: string | undefined },
): Promise<ChangeResult> {
  return await ctx.sql.begin(async (tx) => {
    const before = await lockSettings(tx);
    const after = withChange(before, input.change);
    const fields = faultsOf(after);
    if (Object.keys(fields).length > 0) return { kind: "invalid", fields };
    await write(tx, { before, after }, { at: new Date(ctx.clock.now()), actor, reason: input.reason });
    return { kind: "done", settings: after };
  });
}

export function withChange(before: TransferSettings, change: SettingsChange): TransferSettings {
  return {
    minAmount: change.minAmount ?? before.minAmount,
    maxAmount: change.maxAmount ?? before.maxAmount,
    monthLimit: change.monthLimit ?? before.monthLimit,
    fee: {
      flat: before.fee.flat,
      basisPoints: change.feeBasisPoints ?? before.fee.basisPoints,
      least: change.feeLeast ?? before.fee.least,
    },
    pennyDropFee: change.pennyDropFee ?? before.pennyDropFee,
  };
}

/** What contradicts itself, by the name of the field at the operator API. */
export function faultsOf({ minAmount, maxAmount, monthLimit }: TransferSettings): Readonly<Record<string, string>> {
  return {
    ...(maxAmount < minAmount ? { max_amount: `Must not be less than min_amount, which is ${formatMoney(minAmount)}.` } : {}),
    ...(monthLimit < minAmount
      ? { month_limit: "Must not be less than min_amount: no transfer would be possible. To stop transfers, switch the service off." }
      : {}),
  };
}

/** As the operator API shows them. */
export function settingsFields({ minAmount, maxAmount, monthLimit, fee, pennyDropFee }: TransferSettings) {
  return {
    min_amount: formatMoney(minAmount),
    max_amount: formatMoney(maxAmount),
    month_limit: formatMoney(monthLimit),
    fee_percent: `${fee.basisPoints / 100n}.${String(fee.basisPoints % 100n).padStart(2, "0")}`,
    fee_least: formatMoney(fee.least),
    penny_drop_fee: formatMoney(pennyDropFee),
  };
}

type Written = { readonly before: TransferSettings; readonly after: TransferSettings };

async function write(
  tx: Transaction,
  { before, after }: Written,
  entry: { readonly at: Date; readonly actor: string; readonly reason: string | undefined },
): Promise<void> {
  const [was, is]: Readonly<Record<string, string>>[] = [settingsFields(before), settingsFields(after)];
  const changed = Object.keys(was ?? {}).filter((name) => was?.[name] !== is?.[name]);
  if (changed.length === 0) return;
  await updateSettings(tx, after);
  const changes: JsonObject = Object.fromEntries(changed.map((name) => [name, { from: was?.[name] ?? null, to: is?.[name] ?? null }]));
  await appendAudit(tx, entry.at, {
    actor: entry.actor,
    action: "transfers.settings_changed",
    subject: { kind: "service", id: SERVICE },
    details: entry.reason === undefined ? { changes } : { changes, reason: entry.reason },
  });
}
