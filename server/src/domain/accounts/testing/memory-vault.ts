import { createKeyring, newMasterKey } from "../../../platform/crypto/keyring.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";

/** A vault with a key of its own and no file behind it. */
export function memoryVault(): Vault {
  const keyring = createKeyring([newMasterKey()]);
  return { keyring: () => keyring, open: async (sealed, context) => keyring.open(sealed, context), reload: async () => {} };
}
