import { expect, test } from "vitest";
import { JSON_SPOKEN, TEXT_SPOKEN } from "../testing/definitions.ts";
import { readDefinition } from "./definition.ts";

type Tree = { [name: string]: Tree } & object;

/** A good description with one thing changed; `undefined` takes it away. */
function changed(path: string, value: unknown, base: object = JSON_SPOKEN.describe("https://pay.example")): object {
  const copy = structuredClone(base) as Tree;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const place = steps.reduce((here, step) => here[step] as Tree, copy);
  Object.assign(place, { [last]: value });
  if (value === undefined) Reflect.deleteProperty(place, last);
  return copy;
}

function faults(description: object): Readonly<Record<string, string>> {
  const read = readDefinition(description);
  return read.ok ? {} : Object.fromEntries(read.faults.map((fault) => [fault.path, fault.message]));
}

test("a complete description is read, and what it leaves out has a default", () => {
  const read = readDefinition(changed("timeouts", undefined));
  expect(read).toMatchObject({ ok: true, definition: { amount: "two_places", timeouts: { connect_ms: 5000, whole_ms: 30_000 } } });
});

test.each([
  ["name", "Acme Ltd", "name", /small letters/],
  ["secrets", ["amount"], "secrets[0]", /reserved for a placeholder/],
  ["secrets", ["token", "token"], "secrets[1]", /twice/],
  ["secrets", [], "request.headers.authorization", /no placeholder \{token\}/],
  ["request.method", "PUT", "request.method", /GET/],
  ["request.url", "https://{operator}.example/pay", "request.url", /without placeholders/],
  ["request.url", "https://user:pw@pay.example/", "request.url", /without placeholders, user/],
  ["request.url", "https://pay.example/a b", "request.url", /no space/],
  ["request.url", "ftp://pay.example/", "request.url", /https/],
  ["request.body.json.number", "{msisdn}", "request.body.json.number", /no placeholder \{msisdn\}/],
  ["request.body.json.number", "{target:number}", "request.body.json.number", /not a number/],
  ["request.body.json.number", "Rs {amount:number}", "request.body.json.number", /must be the whole string/],
  ["request.body.json.ref", "constant", "request", /must contain \{reference\}/i],
  ["status.body.json.ref", "constant", "status", /must contain \{reference\}/i],
  ["request.body.raw", "x", "request.body", /exactly one/],
  ["request.body", { raw: "{reference}" }, "request.body.escape", /how values are escaped/],
  ["request.method", "GET", "request.body", /no body/],
  ["request.values.success", [], "request.values.success", /at least one/],
  ["request.values.failure", ["SUCCESS"], "request.values.failure[0]", /also listed under success/],
  ["request.values.not_found", ["X"], "request.values.not_found", /no such field/],
  ["request.http_status", { "500": "failure" }, "request.http_status.500", /200 to 299/],
  ["request.http_status", { "302": "read" }, "request.http_status.302", /200 to 299/],
  ["request.read.format", "yaml", "request.read.format", /./],
  ["request.read.colour", "red", "request.read.colour", /no such field/],
  ["request.read.status", undefined, "request.read.status", /./],
  ["quiet_ms", -1, "quiet_ms", /./],
  ["token", "hunter2", "token", /no such field/],
])("%s set to %j is named as a fault at %s", (path, value, at, message) => {
  expect(faults(changed(path, value))[at]).toMatch(message);
});

test("values that differ only in case clash when case is folded", () => {
  const values = { success: ["Ok"], failure: ["OK"] };
  expect(faults(changed("request.values", values))).toEqual({});
  expect(faults(changed("request.values", { ...values, fold_case: true }))).toHaveProperty(["request.values.failure[0]"]);
});

test("an address in clear must be asked for", () => {
  const plain = JSON_SPOKEN.describe("http://pay.example");
  expect(faults(plain)).toEqual({});
  expect(faults({ ...plain, plain_http: false })).toMatchObject({
    "request.url": expect.stringMatching(/unencrypted/),
    "status.url": expect.anything(),
  });
});

test.each([
  [{ format: "text" }, /either pattern/],
  [{ format: "text", pattern: "(?<status>.*)", separator: "|" }, /either pattern/],
  [{ format: "text", separator: "|" }, /position of each field/],
  [{ format: "text", pattern: "(.*)" }, /named status/],
  [{ format: "text", pattern: "(?<status>" }, /not a valid regular expression/],
])("a text answer described as %j is refused", (read, message) => {
  const description = changed("request.read", read, TEXT_SPOKEN.describe("https://pay.example"));
  expect(Object.values(faults(description)).join(" ")).toMatch(message);
});

test("an HMAC over the body is not accepted for values from the query", () => {
  const auth = { kind: "hmac_sha256", name: "x-signature", secret: "token" };
  const callback = { auth, from: "query", reference: "ref", status: "status", values: { success: ["OK"] } };
  expect(faults(changed("callback", callback))["callback.from"]).toMatch(/does not authenticate/);
  expect(faults(changed("callback", { ...callback, from: "json" }))).toEqual({});
  expect(faults(changed("callback", { ...callback, from: "json", auth: { ...auth, secret: "other" } }))["callback.auth.secret"]).toMatch(
    /not listed/,
  );
});

test("whatever the JSON is, a fault is an answer and not an exception", () => {
  for (const value of [null, 1, "x", [], {}, { name: 1 }, { request: { body: { json: { a: [null, { b: 1n.toString() }] } } } }]) {
    expect(readDefinition(value).ok).toBe(false);
  }
});
