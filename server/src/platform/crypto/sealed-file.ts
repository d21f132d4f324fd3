import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Vault } from "./vault.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** A file encrypted with a key of its own. Only that key is sealed with the master key, so a rotation rewrites no files. */
export type SealedFile = { readonly keyId: string; readonly sealedKey: Buffer; readonly content: Buffer };

/** `context` identifies the row, so that neither key nor file opens in another row. */
export function sealFile(vault: Vault, file: Buffer, context: string): SealedFile {
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  const content = Buffer.concat([iv, cipher.update(file), cipher.final(), cipher.getAuthTag()]);
  const { keyId, sealed } = vault.keyring().seal(key.toString("base64"), context);
  return { keyId, sealedKey: sealed, content };
}

export async function openFile(vault: Vault, { keyId, sealedKey, content }: SealedFile, context: string): Promise<Buffer> {
  const key = Buffer.from(await vault.open({ keyId, sealed: sealedKey }, context), "base64");
  const [iv, tag] = [content.subarray(0, IV_BYTES), content.subarray(content.length - TAG_BYTES)];
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(content.subarray(IV_BYTES, content.length - TAG_BYTES)), decipher.final()]);
}
