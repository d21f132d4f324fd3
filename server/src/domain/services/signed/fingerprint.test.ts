import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

const asked = { request_id: "r1", amount: "10.5", params: { b: "2", a: "1" }, name: "Asha" };

test("amounts compare as money, and the order of names does not count", () => {
  expect(fingerprintOf({ name: "Asha", params: { a: "1", b: "2" }, amount: "10.50", request_id: "r2" })).toBe(fingerprintOf(asked));
});

// Contract, section 2, "same details".
test.each(["otp", "pid", "aadhaar_enc", "auth_ref", "latitude", "longitude"])("%s is no detail", (name) => {
  expect(fingerprintOf({ ...asked, [name]: "1" })).toBe(fingerprintOf({ ...asked, [name]: "2" }));
});

test("any other field is one, and a field left out is not an empty one", () => {
  fc.assert(
    fc.property(fc.constantFrom("name", "mobile", "seats"), fc.string(), fc.string(), (name, one, other) => {
      const same = fingerprintOf({ ...asked, [name]: one }) === fingerprintOf({ ...asked, [name]: other });
      expect(same).toBe(one === other);
    }),
  );
  expect(fingerprintOf({ ...asked, mobile: undefined })).toBe(fingerprintOf(asked));
  expect(fingerprintOf({ ...asked, mobile: "" })).not.toBe(fingerprintOf(asked));
});
