import { createHmac, createSecretKey } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSignedBy } from "./signed-by.ts";

const key = fc.uint8Array({ minLength: 1, maxLength: 200 });
const text = fc.oneof(fc.string({ maxLength: 3000 }), fc.string({ unit: "binary", maxLength: 300 }));

const hmac = (secret: Uint8Array | string, signed: string) => createHmac("sha256", secret).update(signed).digest();

test("accepts exactly the HMAC-SHA256 of any secret and any text", () => {
  fc.assert(
    fc.property(key, text, fc.nat(255), (secret, signed, bit) => {
      const secretKey = createSecretKey(secret);
      const right = hmac(secret, signed);
      expect(isSignedBy(secretKey, signed, right)).toBe(true);
      right[bit >> 3] = (right[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isSignedBy(secretKey, signed, right)).toBe(false);
      expect(isSignedBy(secretKey, `${signed}x`, hmac(secret, signed))).toBe(false);
    }),
  );
});

test("a secret given as text is used as its UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), text, (secret, signed) => {
      expect(isSignedBy(secret, signed, hmac(secret, signed))).toBe(true);
    }),
  );
});
