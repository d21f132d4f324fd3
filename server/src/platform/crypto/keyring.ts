import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

// AES-256-GCM. The key's id is stored with each sealed text, so that keys can be replaced row by row.
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export type MasterKey = { readonly keyId: string; readonly bytes: Buffer };
export type Sealed = { readonly keyId: string; readonly sealed: Buffer };

export type Keyring = {
  readonly currentKeyId: string;
  /** The current key first; others exist only during a rotation or after an interrupted one. */
  readonly keyIds: readonly string[];
  readonly has: (keyId: string) => boolean;
  /** `context` identifies the row, so that a text copied to another row does not open. */
  readonly seal: (text: string, context: string) => Sealed;
  readonly open: (sealed: Sealed, context: string) => string;
  /** The lookup digest of a token under the current key. */
  readonly digest: (text: string) => Buffer;
  /** The digests under all keys: two during a rotation. */
  readonly digests: (text: string) => readonly Buffer[];
};

export function newMasterKey(): MasterKey {
  return { keyId: `mk${randomBytes(6).toString("hex")}`, bytes: randomBytes(KEY_BYTES) };
}

/** New secrets are sealed with the first key. */
export function createKeyring(masterKeys: readonly [MasterKey, ...MasterKey[]]): Keyring {
  const keys = new Map(masterKeys.map((key) => [key.keyId, derive(key)]));
  const currentKeyId = masterKeys[0].keyId;
  const keyOf = (keyId: string) => {
    const key = keys.get(keyId);
    if (!key) throw new Error(`The master key file has no key ${keyId}.`);
    return key;
  };
  return {
    currentKeyId,
    keyIds: [...keys.keys()],
    has: (keyId) => keys.has(keyId),
    seal: (text, context) => ({ keyId: currentKeyId, sealed: encrypt(keyOf(currentKeyId).seal, text, context) }),
    open: (sealed, context) => decrypt(keyOf(sealed.keyId).seal, sealed.sealed, context),
    digest: (text) => digestWith(keyOf(currentKeyId).digest, text),
    digests: (text) => [...keys.values()].map((key) => digestWith(key.digest, text)),
  };
}

type DerivedKey = { readonly seal: Buffer; readonly digest: Buffer };

// Sealing and digests use separate keys derived from the master key.
function derive(key: MasterKey): DerivedKey {
  const part = (purpose: string) => Buffer.from(hkdfSync("sha256", key.bytes, "", `corprail ${purpose}`, KEY_BYTES));
  return { seal: part("seal"), digest: part("digest") };
}

function encrypt(key: Buffer, text: string, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context)).setAuthTag(tag);
  return decipher.update(sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

function digestWith(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
