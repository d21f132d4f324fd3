import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";

/** The common dependencies of signed services. */
export type SignedContext = OrdersContext & {
  readonly catalogue: Catalogue;
  /** For digests of values that must be found again but never read. */
  readonly vault: Vault;
};
