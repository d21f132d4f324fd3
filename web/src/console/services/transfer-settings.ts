import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { moneyText } from "../../ui/formats/format.ts";
import { plainAmount } from "../../ui/forms/typed-money.ts";
import { get } from "../api.ts";

/** Limits and fees of money transfers, as the operator API writes them. */
export type TransferSettings = Schemas["TransferSettings"];

export type SettingsImpact = Schemas["TransferSettingsImpact"];

export const SETTING_NAMES = ["min_amount", "max_amount", "month_limit", "fee_percent", "fee_least", "penny_drop_fee"] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export const LABELS: Readonly<Record<SettingName, string>> = {
  min_amount: "Minimum per transfer",
  max_amount: "Maximum per transfer",
  month_limit: "Monthly limit per sender",
  fee_percent: "Transfer fee in percent",
  fee_least: "Minimum transfer fee",
  penny_drop_fee: "Penny drop fee",
};

export const transferSettingsQuery = queryOptions({
  queryKey: ["/services", "transfers", "settings"],
  queryFn: ({ signal }) => get("/services/transfers/settings", {}, signal),
});

export function settingText(name: SettingName, value: string): string {
  return name === "fee_percent" ? `${value} %` : moneyText(value);
}

function plain(name: SettingName, typed: string): string {
  return name === "fee_percent" ? typed.replace("%", "").trim() : plainAmount(typed);
}

/** The typed values that differ from the current settings. */
export function changesOf(settings: TransferSettings, typed: TransferSettings): Partial<TransferSettings> {
  const changed = SETTING_NAMES.filter((name) => withFourPlaces(plain(name, typed[name])) !== withFourPlaces(settings[name]));
  return Object.fromEntries(changed.map((name) => [name, plain(name, typed[name])]));
}

function withFourPlaces(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  return `${whole}.${fraction.padEnd(4, "0")}`;
}
