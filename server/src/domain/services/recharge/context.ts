import type { Money } from "../../../platform/core/money.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { FindOrderSummary } from "../../orders/queries/find-order-summary.ts";
import type { OperatorHealth } from "../../providers/health.ts";

export type Limits = { readonly least: Money; readonly most: Money };

export type RechargeContext = OrdersContext & {
  readonly catalogue: Catalogue;
  readonly lookUp: FindOrderSummary;
  /** What a transaction of another service may be worth; null where that depends on more than the service. */
  readonly limits: (service: string) => Promise<Limits | null>;
  /** How an operator's provider registry do. */
  readonly health: (operator: string, sandbox: boolean) => OperatorHealth;
};

export const SERVICE = "recharge";
