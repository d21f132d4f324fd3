import { expect, test } from "vitest";
import { signedText } from "./call.ts";

const LINES = {
  method: "POST",
  path: "/api/corp/v1/recharge",
  canonical_query: "",
  body_sha256: "e3b0",
  timestamp: "1800000000",
  nonce: "n",
  reason: "The signature is wrong.",
} as const;

test("a call with a wrong signature is not called unsigned", () => {
  expect(signedText({ signed: "none", error: "invalid_signature", signature: LINES })).toBe("A signature that was refused");
  expect(signedText({ signed: "none", error: "invalid_signature", signature: null })).toBe("No valid signature");
});

test("other calls say what they were signed with", () => {
  expect(signedText({ signed: "none", error: null, signature: null })).toBe("Not signed");
  expect(signedText({ signed: "old_secret", error: "not_found", signature: null })).toBe("Old signing secret");
});
