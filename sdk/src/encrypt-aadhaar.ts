import { constants, publicEncrypt } from "node:crypto";
import { UsageError } from "./errors.js";

/** `aadhaarEnc` of the AEPS calls: RSA-OAEP with SHA-256, base64, with the key of `aeps.key()`. Never the same twice. */
export function encryptAadhaar(publicKeyPem: string, aadhaarNumber: string): string {
  // No message contains the number, because errors end up in logs.
  if (!/^[0-9]{12}$/.test(aadhaarNumber)) throw new UsageError("An Aadhaar number has twelve digits, without spaces.");
  const key = { key: publicKeyPem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  return publicEncrypt(key, Buffer.from(aadhaarNumber, "ascii")).toString("base64");
}
