import { moneyText } from "../../ui/format.ts";
import { LABELS } from "../services/transfer-settings.ts";

const NAMES: Readonly<Record<string, string>> = {
  ...LABELS,
  wallet_threshold: "Top-ups and debits from",
  order_threshold: "Changes of orders from",
  keys_included: "Operator keys too",
  pricing_included: "Fees and commissions too",
  providers_included: "Providers too",
  expire_hours: "Expires after",
  new_person_hours: "New people do not approve for",
};

export function ruleName(name: string): string {
  return NAMES[name] ?? name;
}

export function ruleText(name: string, value: string | number | boolean | null): string {
  if (value === null) return "off";
  if (name === "fee_percent") return `${value} %`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return name.endsWith("_hours") ? `${value} ${value === 1 ? "hour" : "hours"}` : moneyText(String(value));
}
