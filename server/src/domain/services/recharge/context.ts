import type { Money } from "../../../platform/core/money.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { FindOrderSummary } from "../../orders/queries/find-orders.ts";
import type { OperatorHealth } from "../../providers/health/health.ts";
import type { ProviderServices } from "../signed/provider-services.ts";
import type { RechargeProviderService } from "./provider-service.ts";

export type Limits = { readonly least: Money; readonly most: Money };

export type RechargeContext = OrdersContext & {
  readonly catalogue: Catalogue;
  readonly lookUp: FindOrderSummary;
  readonly providerServices: { readonly recharge: ProviderServices<RechargeProviderService> };
  /** Amount limits of another service's transactions; null where they depend on more than the service. */
  readonly limits: (service: string) => Promise<Limits | null>;
  /** An operator's health over its providers. */
  readonly health: (operator: string, sandbox: boolean) => OperatorHealth;
};

export const SERVICE = "recharge";
