import { createKeyring, newMasterKey } from "../../../platform/crypto/keyring.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";

/** A vault with its own key and without a file. */
export function memoryVault(): Vault {
  const keyring = createKeyring([newMasterKey()]);
  return {
    keyring: () => keyring,
    open: async (sealed, context) => keyring.open(sealed, context),
    reload: async () => {},
    outer: () => null,
  };
}
