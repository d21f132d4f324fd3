import { loadKeyring } from "./key-file.ts";
import type { Keyring, Sealed } from "./keyring.ts";

/** The keyring as the key file has it now: a rotation in another process adds keys while this one runs. */
export type Vault = {
  readonly keyring: () => Keyring;
  /** Opens a sealed text, reading the file again when its key is not known yet. */
  readonly open: (sealed: Sealed, context: string) => Promise<string>;
  readonly reload: () => Promise<void>;
};

export async function loadVault(path: string): Promise<Vault> {
  let keyring = await loadKeyring(path);
  let started = 0;
  let taken = 0;
  // Of two readings at once the one that began later has the newer file, whichever ends first.
  const reload = async () => {
    const turn = ++started;
    const read = await loadKeyring(path);
    if (turn < taken) return;
    taken = turn;
    keyring = read;
  };
  return {
    keyring: () => keyring,
    reload,
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
