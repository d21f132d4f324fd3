import type { Clock } from "../../../../platform/core/clock.ts";
import { formatMoney, type Money } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Sql, Transaction } from "../../../../platform/db/connection.ts";
import { appendAudit } from "../../../audit/append.ts";
import { SERVICE } from "../context.ts";
import { lockSettings, type TransferSettings, updateSettings } from "./settings-store.ts";

/** The settings to change; absent ones stay unchanged. */
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

/** Changes limits and fees. Every process reads them from the database, so they apply to the next quote. */
export async function changeSettings(
  ctx: { readonly sql: Sql; readonly clock: Clock },
  actor: string,
  input: { readonly change: SettingsChange; readonly reason?: string | undefined },
): Promise<ChangeResult> {
  const details: JsonObject = input.reason === undefined ? {} : { reason: input.reason };
  return await ctx.sql.begin((tx) =>
    changeSettingsIn(tx, { at: ctx.clock.now(), actor, details }, (before) => withChange(before, input.change)),
  );
}

/** The same inside a transaction, with further audit details; null from `change` refuses it. */
export async function changeSettingsIn(
  tx: Transaction,
  entry: Entry,
  change: (before: TransferSettings) => TransferSettings | null,
): Promise<ChangeResult> {
  const before = await lockSettings(tx);
  const after = change(before);
  if (after === null) return { kind: "invalid", fields: { settings: "The settings were changed in the meantime." } };
  const fields = faultsOf(after);
  if (Object.keys(fields).length > 0) return { kind: "invalid", fields };
  await write(tx, { before, after }, entry);
  return { kind: "done", settings: after };
}

/** The audit entry's details besides the changes. */
type Entry = { readonly at: number; readonly actor: string; readonly details: JsonObject };

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

/** Contradictions, by the field's name in the operator API. */
export function faultsOf({ minAmount, maxAmount, monthLimit }: TransferSettings): Readonly<Record<string, string>> {
  return {
    ...(maxAmount < minAmount ? { max_amount: `Must not be less than min_amount, which is ${formatMoney(minAmount)}.` } : {}),
    ...(monthLimit < minAmount
      ? { month_limit: "Must not be less than min_amount: no transfer would be possible. To stop transfers, switch the service off." }
      : {}),
  };
}

/** The settings as the operator API shows them. */
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

const SETTING_NAMES = ["min_amount", "max_amount", "month_limit", "fee_percent", "fee_least", "penny_drop_fee"] as const;
export type SettingsDifferences = Readonly<Record<string, { readonly from: string; readonly to: string }>>;

type Written = { readonly before: TransferSettings; readonly after: TransferSettings };

/** The changed settings, as the audit log and approvals show them. */
export function differences({ before, after }: Written): SettingsDifferences {
  const [was, is] = [settingsFields(before), settingsFields(after)];
  const changed = SETTING_NAMES.filter((name) => was[name] !== is[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: was[name], to: is[name] }]));
}

async function write(tx: Transaction, written: Written, { at, actor, details }: Entry): Promise<void> {
  const changes = differences(written);
  if (Object.keys(changes).length === 0) return;
  await updateSettings(tx, written.after);
  await appendAudit(tx, new Date(at), {
    actor,
    action: "transfers.settings_changed",
    subject: { kind: "service", id: SERVICE },
    details: { changes, ...details },
  });
}
