import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import type { OrdersContext } from "../../orders/context.ts";

/** What every signed service stands on. */
export type SignedContext = OrdersContext & {
  readonly catalogue: Catalogue;
  /** For digests of what must be found again but never read. */
  readonly vault: Vault;
};
