import { loadKeyring } from "./key-file.ts";
import type { Keyring, Sealed } from "./keyring.ts";
import type { OuterKey } from "./outer-key.ts";

/** A keyring that is reloaded from its file, because a rotation in another process adds keys. */
export type Vault = {
  readonly keyring: () => Keyring;
  /** Opens a sealed text. Reads the key file again if the text's key is unknown. */
  readonly open: (sealed: Sealed, context: string) => Promise<string>;
  readonly reload: () => Promise<void>;
  /** What seals the key file. */
  readonly outer: OuterKey;
};

export async function loadVault(path: string, outer: OuterKey = null): Promise<Vault> {
  let keyring = await loadKeyring(path, outer);
  let started = 0;
  let taken = 0;
  // Of two concurrent reads, the one that started later has the newer file, whichever finishes first.
  const reload = async () => {
    const turn = ++started;
    const read = await loadKeyring(path, outer);
    if (turn < taken) return;
    taken = turn;
    keyring = read;
  };
  return {
    keyring: () => keyring,
    reload,
    outer,
    open: async (sealed, context) => {
      if (!keyring.has(sealed.keyId)) await reload();
      return keyring.open(sealed, context);
    },
  };
}

export type CredentialKind = "api_token" | "signing_secret" | "callback_secret";

/** The row a sealed secret belongs to. */
export function credentialContext(accountId: string, credentialId: string, kind: CredentialKind): string {
  return `${accountId}/${credentialId}/${kind}`;
}
