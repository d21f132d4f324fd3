import { createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyOf } from "../../../platform/core/money.ts";
import type { CallbackVersion, Facts } from "../facts.ts";
import { isValidVersion2, isValidVersion3 } from "../testing/verify.ts";
import { formatCallback } from "./formats.ts";

type Vector = {
  readonly name: string;
  readonly version: CallbackVersion;
  readonly url: string;
  readonly ts: number;
  readonly nonce: string;
  readonly key: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>> & { readonly kind: "status" | "complaint" };
  readonly target: string;
  readonly hash?: string;
  readonly body_hex?: string;
  readonly signature?: string;
};

const FILE = new URL("../../../../../contract/vectors/callbacks.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as { readonly vectors: readonly Vector[] };

const keyOf = (text: string) => createSecretKey(Buffer.from(text));

function factsOf({ facts }: Vector): Facts {
  const text = (name: string) => String(facts[name]);
  const common = { orderId: text("order_id"), urid: text("urid"), status: text("status") };
  if (facts.kind === "status")
    return {
      kind: "status",
      ...common,
      amount: moneyOf(BigInt(text("amount"))),
      target: text("target"),
      operatorRef: facts["operator_ref"] === null ? null : text("operator_ref"),
    };
  return {
    kind: "complaint",
    ...common,
    complaintRef: text("complaint_ref"),
    refundAmount: moneyOf(BigInt(text("refund_amount"))),
    reason: text("reason"),
    resolvedAt: Number(facts["resolved_at"]) * 1000,
    isTest: facts["test"] === true,
  };
}

test("there are vectors of both versions", () => {
  expect(vectors.filter((vector) => vector.version === 2).length).toBeGreaterThanOrEqual(10);
  expect(vectors.filter((vector) => vector.version === 3).length).toBeGreaterThanOrEqual(7);
});

test.each(vectors)("vector: $name", (vector) => {
  const { version, ts, nonce } = vector;
  const message = formatCallback(version, factsOf(vector), { ts, nonce }, new URL(vector.url), keyOf(vector.key));
  expect(message.origin).toBe("https://client.example");
  expect(message.path).toBe(vector.target);
  if (version === 2) {
    expect(message).toMatchObject({ method: "GET", headers: {}, body: null });
    expect(isValidVersion2({ target: message.path }, vector.key)).toBe(true);
  } else {
    expect(message.method).toBe("POST");
    expect(message.body?.toString("hex")).toBe(vector.body_hex);
    expect(message.headers).toEqual({
      "content-type": "application/json",
      "x-callback-signature": vector.signature,
      "x-callback-timestamp": String(ts),
    });
  }
});

const status: fc.Arbitrary<Facts> = fc.record({
  kind: fc.constant("status"),
  orderId: fc.stringMatching(/^[A-Z0-9]{12,32}$/),
  urid: fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/),
  status: fc.constantFrom("SUCCESS", "FAILED"),
  amount: fc.bigInt(0n, 99_999_999_999_999n).map((amount) => moneyOf(amount)),
  target: fc.stringMatching(/^[!-$'-<>-~]{1,64}$/).filter((text) => !text.includes("%")),
  operatorRef: fc.option(fc.string({ unit: "grapheme" }), { nil: null }),
});

const complaint: fc.Arbitrary<Facts> = fc.record({
  kind: fc.constant("complaint"),
  orderId: fc.stringMatching(/^[A-Z0-9]{12,32}$/),
  urid: fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/),
  complaintRef: fc.stringMatching(/^CMP[A-Z0-9]{12}$/),
  status: fc.constantFrom("RESOLVED", "REFUNDED"),
  refundAmount: fc.bigInt(0n, 99_999_999_999_999n).map((amount) => moneyOf(amount)),
  reason: fc.string({ unit: "grapheme", maxLength: 500 }),
  resolvedAt: fc.integer({ min: 1_500_000_000_000, max: 2_500_000_000_000 }),
  isTest: fc.boolean(),
});

const stamp = fc.record({ ts: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }), nonce: fc.stringMatching(/^[0-9A-Z]{20}$/) });
// Names in their own alphabet, so that none is reserved.
const ownQuery = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Z0-9_]{1,6}$/), fc.string({ unit: "grapheme" })), {
  selector: ([name]) => name,
  maxLength: 5,
});
const facts = fc.oneof(status, complaint);

function urlWith(query: readonly (readonly [string, string])[]): URL {
  const url = new URL("https://client.example/cb");
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

test("an independent receiver verifies every version 2 callback, and none with one character changed", () => {
  fc.assert(
    fc.property(facts, stamp, ownQuery, fc.nat(), (sent, stamped, query, place) => {
      const { path } = formatCallback(2, sent, stamped, urlWith(query), keyOf("tok_live_a"));
      expect(isValidVersion2({ target: path }, "tok_live_a")).toBe(true);
      expect(isValidVersion2({ target: path }, "tok_live_b")).toBe(false);
      const pairs = path.slice(path.indexOf("?") + 1).split("&");
      const pair = pairs[place % pairs.length] ?? "";
      expect(isValidVersion2({ target: path.replace(pair, `${pair}0`) }, "tok_live_a")).toBe(false);
    }),
  );
});

test("version 2 sends nothing but unreserved characters and escapes, the URL's own values unharmed", () => {
  fc.assert(
    fc.property(facts, stamp, ownQuery, (sent, stamped, query) => {
      const { path } = formatCallback(2, sent, stamped, urlWith(query), keyOf("tok_live_a"));
      expect(path).toMatch(/^\/cb\?(?:[A-Za-z0-9_]+=(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*(?:&|$))+$/);
      const arrived = new URL(path, "https://client.example").searchParams;
      for (const [name, value] of query) expect(arrived.get(name)).toBe(value.toWellFormed());
    }),
  );
});

test("an independent receiver verifies every version 3 callback over its exact bytes, and every value is a string", () => {
  fc.assert(
    fc.property(facts, stamp, ownQuery, (sent, stamped, query) => {
      const { body, headers, path } = formatCallback(3, sent, stamped, urlWith(query), keyOf("cbk_a"));
      if (!body) throw new Error("no body");
      expect(isValidVersion3({ headers, body }, "cbk_a")).toBe(true);
      expect(isValidVersion3({ headers, body: Buffer.concat([body, Buffer.from(" ")]) }, "cbk_a")).toBe(false);
      const fields = JSON.parse(body.toString()) as Record<string, unknown>;
      expect(Object.values(fields).every((value) => typeof value === "string")).toBe(true);
      expect(fields).toMatchObject({ v: "3", ts: headers["x-callback-timestamp"], nonce: stamped.nonce });
      expect(fields).not.toHaveProperty("hash");
      expect(path).toBe(`/cb${urlWith(query).search}`);
    }),
  );
});

const V2 = ["v", "status", "orderid", "urid", "amount", "account", "ts", "nonce"];
const COMPLAINT = ["v", "event", "complaint_ref", "orderid", "urid", "status", "refund_amount", "resolved_at", "ts", "nonce"];

test("each kind has exactly its fields in each version", () => {
  fc.assert(
    fc.property(facts, stamp, (sent, stamped) => {
      const base = sent.kind === "status" ? V2 : [...COMPLAINT, ...(sent.isTest ? ["test"] : [])];
      const two = formatCallback(2, sent, stamped, urlWith([]), keyOf("k"));
      const three = formatCallback(3, sent, stamped, urlWith([]), keyOf("k"));
      expect([...new URL(two.path, two.origin).searchParams.keys()].sort()).toEqual([...base, "hash"].sort());
      expect(Object.keys(JSON.parse(String(three.body))).sort()).toEqual([...base, sent.kind === "status" ? "optid" : "reason"].sort());
    }),
  );
});
