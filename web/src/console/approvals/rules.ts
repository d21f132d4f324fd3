import { moneyText } from "../../ui/formats/format.ts";
import { LABELS } from "../services/transfer-settings.ts";

const NAMES: Readonly<Record<string, string>> = {
  ...LABELS,
  wallet_threshold: "Top-ups and debits of at least",
  order_threshold: "Order changes of at least",
  keys_included: "Changes made with operator keys",
  pricing_included: "Fee and commission rules",
  providers_included: "Providers",
  expire_hours: "Requests expire after",
  new_person_hours: "Waiting period for new staff",
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
