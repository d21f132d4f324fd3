import { expect, test } from "vitest";
import type { Finding } from "../connector.ts";
import { compareFindings, failedReading } from "./compare-findings.ts";

const succeeded = (result: object) => ({ kind: "succeeded", operatorRef: "123456789012", result }) as unknown as Finding;

test("a difference shows what differs, with bank accounts and identities masked", () => {
  const differing = compareFindings(succeeded({ account_number: "918273645546" }), succeeded({ account_number: "918273645547" }));
  expect(differing).toEqual({ result: { current: '{"account_number":"…5546"}', candidate: '{"account_number":"…5547"}' } });
  expect(compareFindings(succeeded({ aadhaar: "499118665246" }), succeeded({ aadhaar: "499118665247" }))).toEqual({
    result: { current: '{"aadhaar":"[hidden]"}', candidate: '{"aadhaar":"[hidden]"}' },
  });
});

test("references stay readable, and equal readings differ in nothing", () => {
  expect(compareFindings(succeeded({}), { kind: "unknown" })?.["operator_ref"]).toEqual({ current: "123456789012", candidate: null });
  expect(compareFindings(succeeded({ a: 1 }), succeeded({ a: 1 }))).toBeNull();
});

test("whatever a provider or an error says can be stored", () => {
  const { outcome } = failedReading("pending", new Error(`a\0b${"x".repeat(280)}${"\u{1f600}".repeat(20)}`));
  expect(outcome?.candidate?.length).toBeLessThanOrEqual(300);
  expect([outcome?.candidate?.isWellFormed(), outcome?.candidate?.includes("\0")]).toEqual([true, false]);
});
