import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { isNonZero, moneyText } from "../../ui/formats/format.ts";
import type { Option } from "../../ui/forms/field.tsx";
import { get } from "../api.ts";
import { serviceOptionsQuery } from "../names.ts";

export type Rule = Schemas["PricingRule"];

export type Rate = Rule["fee"];

export const STATE_NAMES: Readonly<Record<Rule["state"], string>> = {
  in_force: "In force",
  scheduled: "Scheduled",
  ended: "Ended",
};

export const STATE_OPTIONS: readonly Option[] = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }));

const isSome = (amount: string | null) => amount !== null && isNonZero(amount);

/** A rate such as "1.50 % + ₹0.25, at least ₹1, at most ₹20"; empty for none. */
export function rateText(rate: Rate): string {
  const parts = [...(isSome(rate.percent) ? [`${rate.percent} %`] : []), ...(isSome(rate.flat) ? [moneyText(rate.flat)] : [])];
  const bounds = [
    ...(rate.min === null ? [] : [`at least ${moneyText(rate.min)}`]),
    ...(rate.max === null ? [] : [`at most ${moneyText(rate.max)}`]),
  ];
  return parts.length === 0 ? "" : [parts.join(" + "), ...bounds].join(", ");
}

/** The rate that is typed into a form. */
export function rateOf({ percent, flat, min, max }: Readonly<Record<"percent" | "flat" | "min" | "max", string>>): Rate {
  const none = (text: string) => (text.trim() === "" ? null : text.trim());
  return { percent: none(percent) ?? "0", flat: none(flat) ?? "0", min: none(min), max: none(max) };
}

/** What the rule is for, such as "Recharge, Airtel (AT)". */
export function whatText(rule: Pick<Rule, "service" | "operator" | "operator_name">, services: ServiceNames): string {
  if (rule.service === null) return "All services";
  const service = services.get(rule.service) ?? rule.service;
  if (rule.operator === null) return service;
  return rule.operator_name === rule.operator ? `${service}, ${rule.operator}` : `${service}, ${rule.operator_name} (${rule.operator})`;
}

export function whoseText(rule: Pick<Rule, "account_id" | "account_name">): string {
  return rule.account_id === null ? "All accounts" : (rule.account_name ?? rule.account_id);
}

export type ServiceNames = ReadonlyMap<string, string>;

export const serviceNamesQuery = queryOptions({
  ...serviceOptionsQuery,
  select: (options): ServiceNames => new Map(options.map(({ value, label }) => [value, label])),
});

export const ruleQuery = (ruleId: string) =>
  queryOptions({ queryKey: ["/pricing", ruleId], queryFn: ({ signal }) => get("/pricing/:rule_id", { rule_id: ruleId }, signal) });

export type Preview = Schemas["PricingPreview"];

export type Impact = Schemas["PricingImpact"];

/** A change to the rules; the list is read again afterwards. */
export function useRuleChange<Answer, Input = void>(work: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: ["/pricing"] }) });
}
