import { expect, test } from "vitest";
import { JSON_SPOKEN } from "../../testing/definitions.ts";
import { unsignedWarnings } from "../check/check-signature.ts";
import { readDescription } from "../definition.ts";

const READ = { operator_ref: "utr", message: "msg" };
const SUCCESS = [{ when: { s: "OK" }, means: "success" }];

function checked(text: string, more: object = {}, auth: object = {}) {
  const signed = { kind: "hmac", header: "x-sign", secret: "token", text, ...auth };
  const callback = { auth: signed, reference: "ref", read: READ, outcome: SUCCESS, ...more };
  const read = readDescription({ ...JSON_SPOKEN.describe("https://a.example"), callbacks: [callback] });
  if (!read.ok) return read.faults.map(({ path }) => path);
  return unsignedWarnings(read.definition).map(({ path }) => `warning: ${path}`);
}

test.each([
  ["{body}", []],
  ["{header.x-time}.{body}", []],
  ["{field.ref}{field.s}{field.utr}{field.msg}", []],
  ["{field.ref}{field.s}", ["warning: callbacks[0].read.operator_ref", "warning: callbacks[0].read.message"]],
  ["{field.ref}{field.utr}{field.msg}", ["callbacks[0].outcome[0].when.s"]],
  ["{field.s}{field.utr}{field.msg}", ["callbacks[0].reference"]],
  ["{field.ref|last:4}{field.s}", ["callbacks[0].reference"]],
  ["{field.ref|upper}{field.s}{field.utr}{field.msg}", []],
] as const)("with the signed text %s the unsigned fields are named", (text, expected) => {
  expect(checked(text)).toEqual(expected);
});

test("a message that only makes us ask may be unsigned, and so may single rules", () => {
  const ask = [{ when: { s: "OK" }, means: "ask" }];
  expect(checked("{field.msg}", { outcome: ask })).toEqual([]);
  expect(
    checked("{field.ref}", {
      read: {},
      outcome: [
        { when: { s: "OK" }, means: "ask" },
        { when: { ref: "X" }, means: "declined" },
      ],
    }),
  ).toEqual([]);
});

test("every alternative of a path must be signed, and a pointer is the same field", () => {
  expect(checked("{field.ref}{field.s}", { read: {}, reference: "ref|other" })).toEqual(["callbacks[0].reference"]);
  expect(checked("{field.ref}{field.s}", { read: {}, reference: "/ref" })).toEqual([]);
  expect(checked("{field.ref}{field.s}", { read: {}, reference: "items[a=b].ref" })).toEqual(["callbacks[0].reference"]);
});

test("the provider's id leads later status queries, so it must be signed", () => {
  expect(checked("{field.ref}{field.s}", { read: { provider_ref: "id" } })).toEqual(["callbacks[0].read.provider_ref"]);
});

test("an unsigned amount to compare is named; values of the query are covered by the query", () => {
  expect(checked("{field.ref}{field.s}", { read: { confirm: { a: "{amount}" } } })).toEqual(["warning: callbacks[0].read.confirm.a"]);
  expect(checked("{query.ref}{query.s}", { from: "query", read: {} })).toEqual([]);
  expect(checked("{query.ref}{field.s}", { from: "query", read: {} })).toEqual(["callbacks[0].outcome[0].when.s"]);
});

test("what is inside a field is signed by its own fields or with the whole field around it; what is beside it is not", () => {
  const read = { format: "form", inner: { at: "data", format: "json" } };
  const inBody = (text: string, more: object = {}) => checked(text, { read: { ...read, ...more } });
  const inQuery = (text: string) => checked(text, { from: "query", read });
  expect([inBody("{inner.ref}{inner.s}"), inBody("{field.data}"), inQuery("{inner.ref}{inner.s}"), inQuery("{query.data}")]).toEqual(
    Array(4).fill([]),
  );
  expect(inBody("{inner.ref}")).toEqual(["callbacks[0].outcome[0].when.s"]);
  expect(inBody("{field.ref}{field.s}")).toEqual(["callbacks[0].reference", "callbacks[0].outcome[0].when.s"]);
  expect(inBody("{field.data}", { provider_ref: "$outer.id" })).toEqual(["callbacks[0].read.provider_ref"]);
  expect(inBody("{field.data}{field.id}", { provider_ref: "$outer.id" })).toEqual([]);
  expect(checked("{inner.ref}{body}", { read: {} })).toEqual(["callbacks[0].auth.text"]);
});

test("auth.unsigned accepts what decides nothing, and only what is read and not signed", () => {
  expect(checked("{field.ref}{field.s}", {}, { unsigned: ["utr", "msg"] })).toEqual([]);
  expect(checked("{field.ref}{field.s}", {}, { unsigned: ["utr"] })).toEqual(["warning: callbacks[0].read.message"]);
  expect(checked("{field.ref}", {}, { unsigned: ["s"] })).toEqual(["callbacks[0].outcome[0].when.s", "callbacks[0].auth.unsigned[0]"]);
  expect(checked("{body}", {}, { unsigned: ["utr"] })).toEqual(["callbacks[0].auth.unsigned[0]"]);
  expect(checked("{field.ref}{field.s}", { read: {} }, { unsigned: ["other"] })).toEqual(["callbacks[0].auth.unsigned[0]"]);
});
