import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RawReply } from "../../../../e2e/harness/raw-http.ts";
import type { Account } from "../../domain/accounts/account.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { type Caller, createFixture, type Fixture, type Sent, send } from "./testing/gate-fixture.ts";
import { INSIDE, TEST_ROUTES } from "./testing/test-routes.ts";

let fixture: Fixture;
let caller: Caller;
beforeAll(async () => {
  fixture = await createFixture();
  caller = fixture.caller({ moneyPerMinute: 1_000_000 });
});
afterAll(() => fixture?.close());

const routeOf = (method: string, path: string) => TEST_ROUTES.find((one) => one.method === method && one.path === path) as Route;
const SAMPLE = routeOf("POST", "/test/sample");
const post = (body: string | Uint8Array, more: Sent = {}) => send(fixture, SAMPLE, { token: caller.token, body, ...more });
const good = (more: object = {}) => JSON.stringify({ urid: "U-1", amount: "10", ...more });

function expectInvalid(reply: RawReply, more: object = {}, status = 400): void {
  expect({ status: reply.status, body: reply.json() }).toEqual({
    status,
    body: { status: "rejected", error: "invalid_request", code: 120, message: expect.any(String), ...more },
  });
}

test("a valid body reaches the handler unchanged", async () => {
  const reply = await post(good({ note: 'Café ₹ 😀 " \\ \u2028' }));
  expect(reply.status).toBe(200);
  expect(JSON.parse(String(reply.json()["seen"]))).toEqual({ urid: "U-1", amount: "10", note: 'Café ₹ 😀 " \\ \u2028' });
});

const nested = (levels: number) => `{"urid":"U-1","amount":"10","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const BODIES: readonly (readonly [name: string, body: string | Uint8Array, accepted: boolean])[] = [
  ["spaces and line ends around", ` \r\n\t${good()}\n`, true],
  ["an unknown field", good({ unknown: { deep: [1, 2] } }), true],
  ["__proto__ as a field", `{"urid":"U-1","amount":"10","__proto__":{"urid":7,"polluted":true}}`, true],
  ["constructor.prototype as fields", `{"urid":"U-1","amount":"10","constructor":{"prototype":{"polluted":true}}}`, true],
  ["32 levels", nested(32), true],
  ["33 levels", nested(33), false],
  ["33 levels of objects", `{"urid":"U-1","amount":"10","x":${`{"a":`.repeat(32)}1${"}".repeat(32)}}`, false],
  ["thirty thousand brackets", "[".repeat(30_000), false],
  ["brackets inside a string are no levels", good({ note: "[".repeat(5_000) }), true],
  ["a key twice", `{"urid":"U-1","amount":"10","amount":"10"}`, false],
  ["a key twice, once escaped", `{"urid":"U-1","amount":"10","\\u0061mount":"99"}`, false],
  ["an unknown key twice", `{"urid":"U-1","amount":"10","x":1,"x":1}`, false],
  ["a key twice, deep down", `{"urid":"U-1","amount":"10","x":[{"y":{"a":1,"a":2}}]}`, false],
  ["__proto__ twice", `{"urid":"U-1","amount":"10","__proto__":1,"__proto__":2}`, false],
  ["the same key in two objects", good({ x: { a: 1 }, y: { a: 1 } }), true],
  ["a lone high surrogate", `{"urid":"U-1","amount":"10","note":"\\ud83d"}`, false],
  ["a lone low surrogate", `{"urid":"U-1","amount":"10","note":"\\ude00 x"}`, false],
  ["surrogates in the wrong order", `{"urid":"U-1","amount":"10","note":"\\ude00\\ud83d"}`, false],
  ["a lone surrogate in a key", `{"urid":"U-1","amount":"10","\\ud83d":1}`, false],
  ["a whole pair as escapes", `{"urid":"U-1","amount":"10","note":"\\ud83d\\ude00"}`, true],
  ["an escaped NUL", `{"urid":"U-1","amount":"10","note":"a\\u0000b"}`, false],
  ["an escaped NUL in a key", `{"urid":"U-1","amount":"10","\\u0000":1}`, false],
  ["an escaped NUL in an unknown field", `{"urid":"U-1","amount":"10","x":[["\\u0000"]]}`, false],
  ["a bare NUL", `{"urid":"U-1","amount":"10"}\0`, false],
  ["a bare NUL in a string", `{"urid":"U-1","amount":"10","note":"\0"}`, false],
  ["a bare control character in a string", `{"urid":"U-1","amount":"10","note":"\x01"}`, false],
  ["a BOM", `\ufeff${good()}`, false],
  ["a BOM alone", "\ufeff", false],
  ["UTF-16", Buffer.from(good(), "utf16le"), false],
  ["Latin-1", Buffer.from(`{"urid":"U-1","amount":"10","note":"é"}`, "latin1"), false],
  ["a cut character", Buffer.from([...Buffer.from(`{"urid":"U-1","amount":"10","note":"`), 0xe2, 0x82, ...Buffer.from(`"}`)]), false],
  ["an overlong slash", Buffer.from([...Buffer.from(`{"urid":"U-1","amount":"10","note":"`), 0xc0, 0xaf, ...Buffer.from(`"}`)]), false],
  [
    "a surrogate in UTF-8",
    Buffer.from([...Buffer.from(`{"urid":"U-1","amount":"10","note":"`), 0xed, 0xa0, 0xbd, ...Buffer.from(`"}`)]),
    false,
  ],
  ["truncated", good().slice(0, -1), false],
  ["truncated inside a string", `{"urid":"U-1","amount":"1`, false],
  ["two objects", good() + good(), false],
  ["a comma at the end", `{"urid":"U-1","amount":"10",}`, false],
  ["a comment", `{"urid":"U-1",/* */"amount":"10"}`, false],
  ["single quotes", `{'urid':'U-1','amount':'10'}`, false],
  ["NaN", `{"urid":"U-1","amount":"10","x":NaN}`, false],
  ["a leading zero", `{"urid":"U-1","amount":"10","x":01}`, false],
  ["an array", `[${good()}]`, false],
  ["an empty array", "[]", false],
  ["a string", `"urid"`, false],
  ["null", "null", false],
  ["a number", "1", false],
  ["a form", "urid=U-1&amount=10", false],
  ["XML", "<urid>U-1</urid>", false],
  ["white space alone", "  ", false],
  ["nothing", "", false],
];

test.each(BODIES)("the body: %s", async (_name, body, accepted) => {
  const reply = await post(body);
  if (accepted) expect(reply.status, reply.text).toBe(200);
  // A body that cannot be parsed has no reference to echo.
  else expectInvalid(reply);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

const FIELDS: readonly (readonly [body: object, fields: Record<string, string>])[] = [
  [{ urid: "U-1" }, { amount: "is required" }],
  [{ amount: "1" }, { urid: "is required" }],
  [{}, { urid: "is required", amount: "is required" }],
  [{ urid: "U-1", amount: 10 }, { amount: "must be a string" }],
  [{ urid: "U-1", amount: 10.5 }, { amount: "must be a string" }],
  [{ urid: 17, amount: "10" }, { urid: "must be a string" }],
  [{ urid: "U-1", amount: null }, { amount: "must be a string" }],
  [{ urid: "U-1", amount: true }, { amount: "must be a string" }],
  [{ urid: "U-1", amount: ["10"] }, { amount: "must be a string" }],
  [{ urid: "U-1", amount: { toString: "10" } }, { amount: "must be a string" }],
  [{ urid: "U-1", amount: "10", contact: {} }, { "contact.mobile": "is required" }],
  [{ urid: "U-1", amount: "10", contact: { mobile: 9 } }, { "contact.mobile": "must be a string" }],
  [{ urid: "U-1", amount: "10", contact: "x" }, { contact: "must be an object" }],
  [{ urid: "U-1", amount: "10", age: "7" }, { age: "must be a number" }],
  [
    { urid: "a b", amount: "x" },
    { urid: "must be a reference", amount: "must be an amount" },
  ],
];

test.each(FIELDS)("%j is refused and the reply names the fields", async (body, fields) => {
  const urid = "urid" in body && body.urid === "U-1" ? { urid: "U-1" } : {};
  expectInvalid(await post(JSON.stringify(body)), { fields, ...urid });
});

const AMOUNTS = [
  "1e3",
  "0x10",
  " 10",
  "10 ",
  "10.00001",
  "-1",
  "+5",
  ".5",
  "5.",
  "00010",
  "01",
  "1,000",
  "1_000",
  "NaN",
  "Infinity",
  "",
  "10.0.0",
  "१०",
  "１０",
  "٣",
  "10\n",
  "1".repeat(11),
  "1e",
  "0b1",
  "₹10",
  "10\u00a0",
];
test.each(AMOUNTS)("the amount %j is refused, the reply names the field and echoes the urid", async (amount) => {
  expectInvalid(await post(JSON.stringify({ urid: "U-1", amount })), { urid: "U-1", fields: { amount: "must be an amount" } });
});

describe("the size", () => {
  const padded = (bytes: number) => good({ note: "x".repeat(bytes - Buffer.byteLength(good({ note: "" }))) });
  const KIB = 1024;

  test("exactly 64 KiB is read", async () => {
    expect(Buffer.byteLength(padded(64 * KIB))).toBe(64 * KIB);
    expect((await post(padded(64 * KIB))).status).toBe(200);
  });

  test.each([64 * KIB + 1, 300 * KIB, 900 * KIB])("%i bytes are too large", async (bytes) => {
    const reply = await post(padded(bytes));
    expect({ status: reply.status, body: reply.json() }).toEqual({
      status: 413,
      body: { status: "rejected", error: "body_too_large", code: 130, message: "The body is larger than 64 KiB." },
    });
  });

  test("a route may allow a larger body, and not a byte more", async () => {
    const large = routeOf("POST", "/test/large");
    expect((await send(fixture, large, { token: caller.token, body: padded(256 * KIB) })).status).toBe(200);
    const reply = await send(fixture, large, { token: caller.token, body: padded(256 * KIB + 1) });
    expect(reply.json()).toMatchObject({ error: "body_too_large", message: "The body is larger than 256 KiB." });
  });

  test("the token is checked before the size of the body", async () => {
    expect((await post(padded(70 * KIB), { token: "x" })).status).toBe(401);
  });
});

const TYPES: readonly (readonly [type: string | null, accepted: boolean])[] = [
  ["application/json", true],
  ["application/json; charset=utf-8", true],
  ["application/json;charset=UTF-8", true],
  [`application/json; charset="utf-8"`, true],
  ["Application/JSON", true],
  [null, false],
  ["", false],
  ["text/plain", false],
  ["text/json", false],
  ["application/x-www-form-urlencoded", false],
  ["multipart/form-data; boundary=x", false],
  ["application/problem+json", false],
  ["application/jsonx", false],
  ["application/json, text/plain", false],
  ["application/json; charset=latin1", false],
  ["application/json; charset=utf-16", false],
  ["application/json; charset=", false],
  ["application/json; charset=utf-8; charset=latin1", false],
  ["text/plain; application/json", false],
];

test.each(TYPES)("the content type %j: read is %s", async (contentType, accepted) => {
  const reply = await post(good(), { contentType });
  if (accepted) expect(reply.status, reply.text).toBe(200);
  else expectInvalid(reply, { urid: "U-1" }, 415);
});

test("two content types are refused, even equal ones", async () => {
  expectInvalid(await post(good(), { headers: [["Content-Type", "application/json"]] }), { urid: "U-1" }, 415);
});

test.each(["gzip", "deflate", "br", "identity", "x"])("the content encoding %s is refused", async (encoding) => {
  expectInvalid(await post(good(), { headers: [["Content-Encoding", encoding]] }), { urid: "U-1" }, 415);
});

test("a POST without a body is an invalid request, not an unsupported media type", async () => {
  expectInvalid(await post("", { contentType: null }));
});

test("the signature covers the exact bytes: the same JSON with other formatting is refused", async () => {
  const { signatureHeaders } = await import("../../../../e2e/harness/sign.ts");
  const body = good();
  const headers = signatureHeaders({ method: "POST", path: "/api/corp/v1/test/sample", body: Buffer.from(body), secret: caller.secret });
  for (const rewritten of [
    ` ${body}`,
    `${body}\n`,
    body.replace(",", ", "),
    JSON.stringify({ amount: "10", urid: "U-1" }),
    body.replace("U", "\\u0055"),
  ]) {
    expect((await post(rewritten, { headers })).json()).toMatchObject({ error: "invalid_signature", code: 113, urid: "U-1" });
  }
  expect((await post(body, { headers })).status).toBe(200);
});

describe("a handler that throws", () => {
  const FAULT = { status: "rejected", error: "internal_error", code: 500, message: expect.stringContaining("reference") };

  test.each([
    ["POST", "/test/throws", { body: `{"urid":"U-9"}` }, { urid: "U-9" }],
    ["POST", "/test/throws", { body: `{"urid":"a b"}` }, {}],
    ["GET", "/test/throws", { query: [["urid", "U-9"]] }, { urid: "U-9" }],
    ["POST", "/test/throws-signed", { body: `{"request_id":"R-9"}` }, { request_id: "R-9", urid: "R-9" }],
  ] as const)("%s %s %j answers 500 with the reference and without internals", async (method, path, sent, echoed) => {
    const reply = await send(fixture, routeOf(method, path), { token: caller.token, sign: caller.secret, ...sent });
    expect({ status: reply.status, body: reply.json() }).toEqual({ status: 500, body: { ...FAULT, ...echoed } });
    expect(reply.text).not.toContain(INSIDE);
    const requestId = reply.headers.get("x-request-id")?.[0] ?? "";
    const line = fixture
      .log()
      .split("\n")
      .find((one) => one.includes(requestId) && one.includes("unexpectedly"));
    expect(line).toContain(INSIDE);
  });
});

const REASONS: readonly (readonly [more: Partial<Account>, error: string])[] = [
  [{ standing: "inactive" }, "account_inactive"],
  [{ standing: "paused" }, "account_paused"],
  [{ kyc: "pending" }, "kyc_not_verified"],
  [{ agreement: "pending" }, "agreement_not_signed"],
  [{ standing: "inactive", kyc: "pending", agreement: "pending" }, "account_inactive"],
  [{ standing: "paused", kyc: "pending", agreement: "pending" }, "account_paused"],
  [{ kyc: "pending", agreement: "pending" }, "kyc_not_verified"],
];

test.each(REASONS)(
  "an account that is %j is refused on everything but transactions, after its fields were checked",
  async (more, error) => {
    const refused = fixture.caller(more);
    for (const one of TEST_ROUTES.filter((candidate) => candidate.kind !== "transaction")) {
      const name = one.service === "recharge" ? "urid" : "request_id";
      const sent: Sent = one.method === "GET" ? { query: [[name, "KNOWN"]] } : { body: JSON.stringify({ [name]: "KNOWN", amount: "1" }) };
      const reply = await send(fixture, one, { token: refused.token, sign: refused.secret, ...sent });
      const echoed = name === "urid" ? { urid: "KNOWN" } : { request_id: "KNOWN", urid: "KNOWN" };
      expect({ status: reply.status, body: reply.json() }).toEqual({
        status: 403,
        body: { status: "rejected", error, code: 331, message: expect.any(String), ...echoed },
      });
    }
    expectInvalid(await send(fixture, SAMPLE, { token: refused.token, body: `{"urid":"U-1"}` }), {
      urid: "U-1",
      fields: { amount: "is required" },
    });
  },
);

test("an invalid request to a signed service gets the signed services' format", async () => {
  const reply = await send(fixture, routeOf("POST", "/test/fetch"), { token: caller.token, sign: caller.secret, body: `{"request_id":7}` });
  expect(reply.json()).toEqual({
    ok: false,
    status: "rejected",
    error: "invalid_request",
    code: 120,
    message: "The request has a wrong field: request_id.",
    order_id: "",
    fields: { request_id: "must be a string" },
  });
});
