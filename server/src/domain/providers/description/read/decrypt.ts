import { createDecipheriv } from "node:crypto";
import type { DecryptDefinition } from "../language/computed.ts";
import { bytesOf } from "../request/compute.ts";
import { render, type Scope } from "../template/render.ts";

/** The plain text of an encrypted answer; null when it cannot be opened with this key. */
export function decrypted(made: DecryptDefinition, ciphertext: string, scope: Scope): string | null {
  try {
    const isGcm = made.cipher.endsWith("gcm");
    const bytes = Buffer.from(ciphertext.trim(), made.input);
    const ivLength = isGcm ? 12 : 16;
    const isPrefixed = made.iv === "prefixed";
    const iv = isPrefixed ? bytes.subarray(0, ivLength) : bytesOf(render(made.iv, scope), made.iv_format);
    const rest = isPrefixed ? bytes.subarray(ivLength) : bytes;
    const key = bytesOf(render(made.key, scope), made.key_format);
    return isGcm ? gcm(made.cipher, key, iv, rest) : cbc(made.cipher, key, iv, rest);
  } catch {
    // A wrong key or a changed text: both mean that the answer is unreadable.
    return null;
  }
}

function cbc(name: string, key: Buffer, iv: Buffer, bytes: Buffer): string {
  const decipher = createDecipheriv(name, key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]).toString("utf8");
}

function gcm(name: string, key: Buffer, iv: Buffer, bytes: Buffer): string {
  const decipher = createDecipheriv(name as "aes-256-gcm", key, iv, { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}
