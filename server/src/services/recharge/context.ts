import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { LookUp } from "../../orders/look-up.ts";

export type RechargeContext = OrdersContext & { readonly catalogue: Catalogue; readonly lookUp: LookUp };

export const SERVICE = "recharge";
