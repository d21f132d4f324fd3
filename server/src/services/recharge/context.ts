import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { LookUp } from "../../orders/look-up.ts";
import type { OperatorHealth } from "../../upstream/health.ts";

export type RechargeContext = OrdersContext & {
  readonly catalogue: Catalogue;
  readonly lookUp: LookUp;
  /** How an operator's upstreams do. */
  readonly health: (operator: string) => OperatorHealth;
};

export const SERVICE = "recharge";
