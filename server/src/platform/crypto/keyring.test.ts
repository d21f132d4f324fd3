import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyring, newMasterKey } from "./keyring.ts";

const text = fc.string({ unit: "grapheme", maxLength: 200 });

test("a sealed text opens only in the context it was sealed for", () => {
  const keyring = createKeyring([newMasterKey()]);
  fc.assert(
    fc.property(text, text, text, (secret, context, other) => {
      const sealed = keyring.seal(secret, context);
      expect(keyring.open(sealed, context)).toBe(secret);
      if (Buffer.compare(Buffer.from(other), Buffer.from(context)) !== 0) expect(() => keyring.open(sealed, other)).toThrow();
    }),
  );
});

test("a sealed text does not open after any byte is changed", () => {
  const keyring = createKeyring([newMasterKey()]);
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, place, difference) => {
      const { keyId, sealed } = keyring.seal(secret, "row");
      const bent = Buffer.from(sealed);
      const at = place % bent.length;
      bent[at] = (bent[at] ?? 0) ^ difference;
      expect(() => keyring.open({ keyId, sealed: bent }, "row")).toThrow();
    }),
  );
});

test("during a rotation both keys open, the first one seals, and either digest finds a token", () => {
  const old = newMasterKey();
  const before = createKeyring([old]);
  const during = createKeyring([newMasterKey(), old]);
  expect(during.open(before.seal("tok_live_x", "row"), "row")).toBe("tok_live_x");
  expect(during.seal("tok_live_x", "row").keyId).toBe(during.currentKeyId);
  expect(during.digests("tok_live_x")).toContainEqual(before.digest("tok_live_x"));
  expect(() => before.open(during.seal("tok_live_x", "row"), "row")).toThrow(/has no key/);
});
