import { createSecretKey, type KeyObject } from "node:crypto";
import { type CredentialKind, credentialContext, type Vault } from "../../../platform/crypto/vault.ts";

export type SealedCredential = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly keyId: string;
  readonly sealed: Buffer;
};

export type Keys = { readonly open: (credential: SealedCredential) => Promise<KeyObject> };

const MAX_REMEMBERED = 10_000;

/** Decrypts and caches credentials. A credential id never gets another secret, so entries never become stale. */
export function createKeys(vault: Vault): Keys {
  const remembered = new Map<string, KeyObject>();
  return {
    open: async (credential) => {
      const context = credentialContext(credential.accountId, credential.credentialId, credential.kind);
      const known = remembered.get(context);
      if (known) return known;
      const text = await vault.open({ keyId: credential.keyId, sealed: credential.sealed }, context);
      const key = createSecretKey(Buffer.from(text));
      remembered.set(context, key);
      const [oldest] = remembered.keys();
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      return key;
    },
  };
}
