import type { Keyring } from "../../platform/crypto/keyring.ts";

const KEYED = /^([0-9a-f]{64})((?: [A-Za-z0-9_-]+=[0-9a-f]{64})+)$/;

/**
 * Adds identities to the digest of a request's other details. A plain digest of a PAN or a bank account number could be
 * guessed, so theirs is keyed: with the master key, and during its rotation with the old one too.
 */
export function withIdentities(details: string, keyring: Keyring, identities: string): string {
  const digests = keyring.digests(identities).map((digest, place) => ` ${keyring.keyIds[place]}=${digest.toString("hex")}`);
  return details + digests.join("");
}

/**
 * Whether two requests have the same details. Identities are compared by a key that both know. If all keys of the earlier request
 * were replaced since, its identities cannot be compared, and the other details decide.
 */
export function isSameFingerprint(stored: string, asked: string): boolean {
  if (stored === asked) return true;
  const [one, other] = [readKeyed(stored), readKeyed(asked)];
  if (!one || !other || one.details !== other.details) return false;
  return [...one.identities].every(([keyId, digest]) => (other.identities.get(keyId) ?? digest) === digest);
}

type Keyed = { readonly details: string; readonly identities: ReadonlyMap<string, string> };

function readKeyed(fingerprint: string): Keyed | null {
  const [, details = "", keyed = ""] = KEYED.exec(fingerprint) ?? [];
  if (keyed === "") return null;
  const pairs = keyed.trimStart().split(" ");
  return { details, identities: new Map(pairs.map((pair) => pair.split("=") as [string, string])) };
}
