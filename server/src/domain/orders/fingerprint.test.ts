import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createKeyring, newMasterKey } from "../../platform/crypto/keyring.ts";
import { isSameFingerprint, withIdentities } from "./fingerprint.ts";

const details = createHash("sha256").update("details").digest("hex");
const otherDetails = createHash("sha256").update("other details").digest("hex");
const [first, second, third] = [newMasterKey(), newMasterKey(), newMasterKey()];
const made = (pan: string, ...keys: Parameters<typeof createKeyring>[0]) => withIdentities(details, createKeyring(keys), pan);

test("fingerprints without identities are the same only if they are equal", () => {
  expect(isSameFingerprint("AT 9876543210 10.0000", "AT 9876543210 10.0000")).toBe(true);
  expect(isSameFingerprint(details, otherDetails)).toBe(false);
});

test("identities count, and so does whether there are any", () => {
  const fingerprint = made("ABCPE1234F", first);
  expect(isSameFingerprint(fingerprint, made("ABCPE1234F", first))).toBe(true);
  expect(isSameFingerprint(fingerprint, made("ABCPE1234G", first))).toBe(false);
  expect(isSameFingerprint(fingerprint, withIdentities(otherDetails, createKeyring([first]), "ABCPE1234F"))).toBe(false);
  expect(isSameFingerprint(fingerprint, details)).toBe(false);
  expect(isSameFingerprint(details, fingerprint)).toBe(false);
});

test("during a rotation of the master key, processes with either keyring agree", () => {
  const during = made("ABCPE1234F", second, first);
  for (const process of [made("ABCPE1234F", first), made("ABCPE1234F", second)]) {
    expect(isSameFingerprint(during, process)).toBe(true);
    expect(isSameFingerprint(process, during)).toBe(true);
  }
  for (const process of [made("ABCPE1234G", first), made("ABCPE1234G", second)]) expect(isSameFingerprint(during, process)).toBe(false);
});

test("after a rotation the other details decide, so that a retry gets its result", () => {
  expect(isSameFingerprint(made("ABCPE1234F", first), made("ABCPE1234F", third))).toBe(true);
  expect(isSameFingerprint(made("ABCPE1234F", first), withIdentities(otherDetails, createKeyring([third]), "ABCPE1234F"))).toBe(false);
});
