import type { z } from "zod";
import type { Operator, Service } from "../../../domain/catalog/catalogue.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { operatorOutput, serviceOutput } from "./outputs.ts";

export function serviceView(service: Service): z.output<typeof serviceOutput> {
  return {
    service: service.service,
    name: service.name,
    signing: service.signing,
    enabled: service.enabled,
    opens_at: service.opensAt,
    closes_at: service.closesAt,
  };
}

export function operatorView(operator: Operator): z.output<typeof operatorOutput> {
  return {
    operator: operator.operator,
    name: operator.name,
    kind: operator.kind,
    account_label: operator.accountLabel,
    account_pattern: operator.accountPattern.source,
    account_example: operator.accountExample,
    min_amount: formatMoney(operator.minAmount),
    max_amount: formatMoney(operator.maxAmount),
    denominations: operator.denominations.map(formatMoney),
    enabled: operator.enabled,
  };
}
