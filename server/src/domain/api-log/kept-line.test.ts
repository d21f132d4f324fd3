import { expect, test } from "vitest";
import { compareSignature } from "./compare-signature.ts";
import { storedLine } from "./store.ts";

test.each([
  ["aadhaar=234123412346&otp=987654", "aadhaar=[redacted]&otp=[redacted]"],
  ["customer_aadhar_no=2341&x=1", "customer_aadhar_no=[redacted]&x=1"],
  ["a=1&PID=%3CPidData%3E&pid_data=x&pin=1234", "a=1&PID=[redacted]&pid_data=[redacted]&pin=[redacted]"],
  ["X-Api-Signature=00ff&password=x", "X-Api-Signature=[redacted]&password=[redacted]"],
  ["token=x&signing_secret=y", "token=[redacted]&signing_secret=[redacted]"],
])("of the query %s nothing private is kept", (query, kept) => {
  expect(storedLine(query)).toBe(kept);
});

test.each(["from=2026-01-01&to=2026-01-31", "urid=u-1", "rapid=1&opinion=2&spin=3", "otp=&a=1", "/api/corp/v1/aeps/otp", "n-1"])(
  "%s is kept as it is",
  (line) => {
    expect(storedLine(line)).toBe(line);
  },
);

test("what is pasted is compared as it is kept, and its private part is not sent back", () => {
  const computed = {
    method: "GET",
    path: "/api/corp/v1/balance",
    canonical_query: storedLine("otp=987654"),
    body_sha256: "0".repeat(64),
    timestamp: "1800000000",
    nonce: "n-1",
    reason: "The signature does not match the request.",
  };
  const pasted = ["GET", computed.path, "otp=987654", computed.body_sha256, computed.timestamp, computed.nonce].join("\n");
  const compared = compareSignature(computed, pasted);
  expect(compared.lines.every(({ same }) => same)).toBe(true);
  expect(JSON.stringify(compared)).not.toContain("987654");
});
