import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSignature } from "./compare-signature.ts";
import type { LineName } from "./signature-hints.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const COMPUTED = {
  method: "POST",
  path: "/api/corp/v1/recharge",
  canonical_query: "a=1&b=x%20y",
  body_sha256: sha('{"urid":"u1"}'),
  timestamp: "1800000000",
  nonce: "n-1",
  reason: "The signature does not match the request. Sign the exact bytes sent, with the whole signing secret.",
};
type Computed = typeof COMPUTED;

const textOf = (one: Computed) => [one.method, one.path, one.canonical_query, one.body_sha256, one.timestamp, one.nonce].join("\n");
const compare = (pasted: Partial<Computed>, computed: Partial<Computed> = {}) => {
  const whole = { ...COMPUTED, ...computed };
  return compareSignature(whole, textOf({ ...whole, ...pasted }));
};
const hintOf = (name: LineName, pasted: Partial<Computed>, computed: Partial<Computed> = {}) => {
  const { lines } = compare(pasted, computed);
  expect(lines.filter((line) => !line.same).map((line) => line.name)).toEqual([name]);
  return lines.find((line) => line.name === name)?.hint;
};

test.each<[LineName, Partial<Computed>, Partial<Computed>, RegExp]>([
  ["method", { method: "post" }, {}, /capitals/],
  ["method", { method: "GET" }, {}, /another method/],
  ["path", { path: "/recharge" }, {}, /with its prefix/],
  ["path", { path: "https://pay.example/api/corp/v1/recharge" }, {}, /without scheme and host/],
  ["path", { path: "/api/corp/v1/recharge/" }, {}, /trailing slash/],
  ["path", { path: "/api/corp/v1/recharge?a=1" }, {}, /third line/],
  ["path", { path: "/api/corp/v1/recharge\r" }, {}, /carriage return/],
  ["query", { canonical_query: "b=x%20y&a=1" }, {}, /not sorted/],
  ["query", { canonical_query: "a=1&b=x%20y&token=abc" }, {}, /token was left in the query/],
  ["query", { canonical_query: "a=1&b=x+y" }, {}, /%20, never \+/],
  ["query", { canonical_query: "a=1&b=x y" }, {}, /encoded in another way/],
  ["query", { canonical_query: "?a=1&b=x%20y" }, {}, /question mark/],
  ["query", { canonical_query: "" }, {}, /had a query/],
  ["query", { canonical_query: "a=1" }, { canonical_query: "" }, /without a query/],
  ["query", { canonical_query: "a=1" }, {}, /Other parameters/],
  ["query", { canonical_query: "a=2&b=x%20y" }, {}, /another value/],
  ["body_sha256", { body_sha256: COMPUTED.body_sha256.toUpperCase() }, {}, /written small/],
  ["body_sha256", { body_sha256: Buffer.from(COMPUTED.body_sha256, "hex").toString("base64") }, {}, /base64/],
  ["body_sha256", { body_sha256: sha("") }, {}, /empty body/],
  ["body_sha256", { body_sha256: sha("{}") }, { body_sha256: sha("") }, /not of \{\}/],
  ["body_sha256", { body_sha256: "" }, { body_sha256: sha("") }, /not nothing/],
  ["body_sha256", { body_sha256: sha('{"urid": "u1"}') }, {}, /of other bytes/],
  ["body_sha256", { body_sha256: '{"urid":"u1"}' }, {}, /not the body itself/],
  ["timestamp", { timestamp: "1800000000123" }, {}, /milliseconds/],
  ["timestamp", { timestamp: "1800000001" }, {}, /Another timestamp/],
  ["timestamp", { timestamp: "2027-01-15T08:00:00Z" }, {}, /Unix time in seconds/],
  ["timestamp", { timestamp: "1800000000" }, { timestamp: "" }, /no X-Api-Timestamp/],
  ["nonce", { nonce: "N-1" }, {}, /Capitals/],
  ["nonce", { nonce: "other" }, {}, /Another nonce/],
  ["nonce", { nonce: " n-1" }, {}, /space/],
])("the mistake in the %s is named: %j", (name, pasted, computed, hint) => {
  expect(hintOf(name, pasted, computed)).toMatch(hint);
});

test("a string that is right in all lines points to the key, or to the reason that is not a mismatch", () => {
  expect(compare({}).lines.every((line) => line.same && line.hint === null)).toBe(true);
  expect(compare({}).verdict).toMatch(/another key/);
  expect(compare({}, { reason: "The nonce was used before." }).verdict).toMatch(/another reason: The nonce was used before/);
});

test("a newline after the last line, newlines written as two characters and a missing empty line are distinguished", () => {
  expect(compareSignature(COMPUTED, `${textOf(COMPUTED)}\n`).verdict).toMatch(/newline after the last line/);
  expect(compareSignature(COMPUTED, textOf(COMPUTED).replaceAll("\n", "\\n")).verdict).toMatch(/backslash/);
  const noQuery = { ...COMPUTED, canonical_query: "" };
  const { lines, verdict } = compareSignature(noQuery, textOf(noQuery).replace("\n\n", "\n"));
  expect(lines.filter((line) => !line.same).map((line) => line.name)).toEqual(["query"]);
  expect(verdict).toMatch(/empty line for the query is missing/);
  expect(compareSignature(COMPUTED, "POST").verdict).toMatch(/has 1 lines; six/);
});

test("a secret that was pasted is not given back", () => {
  const { lines } = compare({ nonce: "sig_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" });
  expect(JSON.stringify(lines)).not.toContain("AAAA");
});

const line = fc.string({ unit: fc.constantFrom(..."abcAZ019-_.~%&=+/? "), maxLength: 40 });
const computed = fc.record({
  method: fc.constantFrom("GET", "POST"),
  path: line,
  canonical_query: line,
  body_sha256: fc.string().map(sha),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String),
  nonce: line,
  reason: fc.constant(COMPUTED.reason),
});
const FIELDS = ["method", "path", "canonical_query", "body_sha256", "timestamp", "nonce"] as const;
const SHOWN: readonly LineName[] = ["method", "path", "query", "body_sha256", "timestamp", "nonce"];

test("whatever one line is changed to, that line is pointed at with a hint, and no other", () => {
  fc.assert(
    fc.property(computed, fc.nat(FIELDS.length - 1), line, (one, place, other) => {
      const field = FIELDS[place] ?? "method";
      fc.pre(one[field] !== other);
      const { lines, verdict } = compareSignature(one, textOf({ ...one, [field]: other }));
      const different = lines.filter((compared) => !compared.same);
      expect(different.map((compared) => compared.name)).toEqual([SHOWN[place]]);
      expect(different[0]?.hint).toMatch(/\w/);
      expect(verdict).toContain(different[0]?.hint);
    }),
    { numRuns: 2_000 },
  );
});

test("the string that the request was computed from always compares as the same", () => {
  fc.assert(
    fc.property(computed, (one) => {
      expect(compareSignature(one, textOf(one)).lines.filter((compared) => !compared.same)).toEqual([]);
    }),
  );
});
