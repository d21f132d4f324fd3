import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { encryptAadhaar } from "./encrypt-aadhaar.js";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = publicKey.export({ type: "spki", format: "pem" }).toString();

test("the service's key opens it with RSA-OAEP and SHA-256, and no two are the same", () => {
  const [one, two] = [encryptAadhaar(PEM, "999941057058"), encryptAadhaar(PEM, "999941057058")];
  expect(one).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(one).not.toBe(two);
  const key = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  expect(privateDecrypt(key, Buffer.from(one, "base64")).toString()).toBe("999941057058");
});

test.each(["9999 4105 7058", "99994105705", "abc", ""])("what is no Aadhaar number is refused without being repeated: %j", (number) => {
  try {
    encryptAadhaar(PEM, number);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ name: "UsageError" });
    if (number.length > 3) expect(inspect(error)).not.toContain(number);
  }
});
