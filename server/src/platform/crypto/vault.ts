import { loadKeyring, OtherOuterKey } from "./key-file.ts";
import type { Keyring, Sealed } from "./keyring.ts";
import type { OuterKey } from "./outer-key.ts";

/** A keyring that is reloaded from its file, because a rotation in another process adds keys. */
export type Vault = {
  readonly keyring: () => Keyring;
  /** Opens a sealed text. Reads the key file again if the text's key is unknown. */
  readonly open: (sealed: Sealed, context: string) => Promise<string>;
  readonly reload: () => Promise<void>;
  /** What seals the key file. */
  readonly outer: () => OuterKey;
};

/** `fetchOuter` fetches the outer key again if a rotation in another process has sealed the file with a new one. */
export async function loadVault(path: string, firstOuter: OuterKey = null, fetchOuter?: () => Promise<OuterKey>): Promise<Vault> {
  let outer = firstOuter;
  let keyring = await loadKeyring(path, outer);
  let fetching: Promise<OuterKey> | null = null;
  let started = 0;
  let taken = 0;
  const read = async () => {
    try {
      return await loadKeyring(path, outer);
    } catch (error) {
      if (!(error instanceof OtherOuterKey) || !fetchOuter) throw error;
      // Concurrent reads share one run of the program.
      fetching ??= fetchOuter().finally(() => {
        fetching = null;
      });
      const fetched = await fetching;
      const opened = await loadKeyring(path, fetched);
      outer = fetched;
      return opened;
    }
  };
  // Of two concurrent reads, the one that started later has the newer file, whichever finishes first.
  const reload = async () => {
    const turn = ++started;
    const found = await read();
    if (turn < taken) return;
    taken = turn;
    keyring = found;
  };
  return {
    keyring: () => keyring,
    reload,
    outer: () => outer,
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
