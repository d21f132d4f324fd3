import { type Money, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { changeSettingsIn, differences, type SettingsChange, withChange } from "../../services/transfers/settings/change-settings.ts";
import type { TransferSettings } from "../../services/transfers/settings/settings-store.ts";
import { approvedDetails } from "../approval.ts";
import type { Executor } from "../context.ts";

/** Changes limits and fees of money transfers, if they are still as the requester saw them. */
export const transferSettingsExecutor: Executor = {
  run: async (tx, approval, at) => {
    const changes = approval.input["changes"] as JsonObject;
    const entry = { at, actor: approval.decidedBy, details: { ...approvedDetails(approval), ...reasonOf(approval.input) } };
    const result = await changeSettingsIn(tx, entry, (before) => applyIfUnchanged(before, changes));
    if (result.kind === "done") return { kind: "done", result: {} };
    return { kind: "failed", reason: Object.values(result.fields).join(" ") };
  },
};

function reasonOf({ reason }: JsonObject): JsonObject {
  return typeof reason === "string" ? { reason } : {};
}

/** Null when one of them has changed since the request. */
function applyIfUnchanged(before: TransferSettings, changes: JsonObject): TransferSettings | null {
  const to = (name: string) => (changes[name] as { readonly to?: JsonValue } | undefined)?.to;
  const after = withChange(before, changeOf(to));
  return JSON.stringify(sorted(differences({ before, after }))) === JSON.stringify(sorted(changes)) ? after : null;
}

function sorted(changes: object): readonly unknown[] {
  return Object.entries(changes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { from, to }]) => [name, from, to]);
}

function changeOf(to: (name: string) => JsonValue | undefined): SettingsChange {
  const percent = to("fee_percent");
  return {
    minAmount: amount(to("min_amount")),
    maxAmount: amount(to("max_amount")),
    monthLimit: amount(to("month_limit")),
    feeBasisPoints: typeof percent === "string" ? BigInt(percent.replace(".", "")) : undefined,
    feeLeast: amount(to("fee_least")),
    pennyDropFee: amount(to("penny_drop_fee")),
  };
}

function amount(value: JsonValue | undefined): Money | undefined {
  return typeof value === "string" ? (parseMoney(value) ?? undefined) : undefined;
}
