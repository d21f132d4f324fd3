import fc from "fast-check";
import { expect, test } from "vitest";
import { testClock } from "../../testing/test-clock.js";
import { type CallbackVector, callbackVectors } from "../../testing/vectors.js";
import { UsageError } from "../errors.js";
import { complaintCallback, type SignedCallback, statusCallback } from "../testing.js";
import { bookingKey } from "./booking-key.js";
import type { IncomingCallback, NonceStore } from "./types.js";
import { CallbackVerifier, type VerifierOptions } from "./verifier.js";

const NOW = 1_750_000_000;
const TOKEN = "tok_test_FAKE-TOKEN";
const SECRET = "cbk_FAKE-SECRET";
const URL_2 = "https://client.example/cb";

function verifier(options: VerifierOptions = {}, now = NOW): CallbackVerifier {
  return new CallbackVerifier({ token: TOKEN, callbackSecret: SECRET, clock: testClock(now * 1000), ...options });
}

function incoming(vector: CallbackVector): IncomingCallback {
  const { version, target, signature = "", ts } = vector;
  const headers = { "x-callback-signature": signature, "x-callback-timestamp": String(ts) };
  if (version === 2) return { method: "GET", url: target, headers: {}, body: new Uint8Array() };
  return { method: "POST", url: target, headers, body: Uint8Array.from(Buffer.from(vector.body_hex ?? "", "hex")) };
}

const keysOf = (vector: CallbackVector) => (vector.version === 2 ? { token: vector.key } : { callbackSecret: vector.key });
const madeBy = (vector: CallbackVector) => new CallbackVerifier({ ...keysOf(vector), clock: testClock(vector.ts * 1000) });

test.each(callbackVectors)("callback vector: $name", async (vector) => {
  const verdict = await madeBy(vector).verify(incoming(vector));
  expect(verdict).toMatchObject({ ok: true });
  const { kind, status, order_id: orderId, urid } = vector.facts;
  const signed = vector.version === 2 ? Object.fromEntries(vector.parameters ?? []) : JSON.parse(vector.body ?? "");
  expect(verdict.ok && verdict.callback).toMatchObject({
    kind,
    status,
    orderId,
    urid,
    ts: vector.ts,
    nonce: vector.nonce,
    parameters: signed,
  });
});

test.each(callbackVectors)("callback vector with another key, or any one byte changed, is refused: $name", async (vector) => {
  const message = incoming(vector);
  const otherKey = Object.fromEntries(Object.entries(keysOf(vector)).map(([name, key]) => [name, `${key}x`]));
  const other = new CallbackVerifier({ ...otherKey, clock: testClock(vector.ts * 1000) });
  expect(await other.verify(message)).toEqual({ ok: false, reason: "wrong_signature" });
  const text = vector.version === 2 ? message.url : Buffer.from(message.body).toString("latin1");
  for (let at = vector.version === 2 ? text.indexOf("?") + 1 : 0; at < text.length; at += 1) {
    const changed = `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`;
    const forged =
      vector.version === 2 ? { ...message, url: changed } : { ...message, body: Uint8Array.from(Buffer.from(changed, "latin1")) };
    expect(await madeBy(vector).verify(forged), `at ${at}`).toEqual({ ok: false, reason: "wrong_signature" });
  }
});

const made: readonly (readonly [string, (more?: { ts?: number; nonce?: string }) => SignedCallback])[] = [
  ["version 2", (more) => statusCallback({ version: 2, token: TOKEN, url: URL_2, status: "SUCCESS", ts: NOW, ...more })],
  ["version 3", (more) => statusCallback({ version: 3, callbackSecret: SECRET, url: URL_2, status: "SUCCESS", ts: NOW, ...more })],
];

test.each(made)("%s is fresh up to and including 300 seconds either way", async (_, make) => {
  for (const [distance, ok] of [
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ] as const) {
    const verdict = await verifier().verify(make({ ts: NOW + distance }));
    expect(verdict.ok ? true : verdict.reason, String(distance)).toBe(ok ? true : "stale");
  }
});

test.each(made)("%s is taken once: the same nonce again is a replay, the same news with another nonce is not", async (_, make) => {
  const receiver = verifier();
  const first = make();
  expect(await receiver.verify(first)).toMatchObject({ ok: true });
  expect(await receiver.verify(first)).toEqual({ ok: false, reason: "replayed" });
  expect(await receiver.verify(make({ ts: NOW + 5 }))).toMatchObject({ ok: true });
});

test("the memory of nonces forgets none that could still be fresh", async () => {
  const clock = testClock((NOW - 300) * 1000);
  const receiver = verifier({ clock });
  const future = statusCallback({ version: 2, token: TOKEN, url: URL_2, status: "SUCCESS", ts: NOW });
  expect(await receiver.verify(future)).toMatchObject({ ok: true });
  clock.set((NOW + 300) * 1000);
  expect(await receiver.verify(future)).toEqual({ ok: false, reason: "replayed" });
  clock.set((NOW + 301) * 1000);
  expect(await receiver.verify(future)).toEqual({ ok: false, reason: "stale" });
});

test("a store of your own is asked only for what is rightly signed and fresh, with the time to keep it", async () => {
  const asked: (readonly [string, number])[] = [];
  const nonces: NonceStore = { remember: async (nonce, until) => asked.push([nonce, until]) === 1 };
  const receiver = verifier({ nonces });
  const good = statusCallback({ version: 3, callbackSecret: SECRET, url: URL_2, status: "FAILED", ts: NOW - 10, nonce: "N1" });
  const forged = { ...good, headers: { "x-callback-signature": "0".repeat(64) } };
  const stale = statusCallback({ version: 3, callbackSecret: SECRET, url: URL_2, status: "FAILED", ts: NOW - 301 });
  expect([await receiver.verify(forged), await receiver.verify(stale)]).toMatchObject([{ reason: "wrong_signature" }, { reason: "stale" }]);
  expect(asked).toEqual([]);
  expect(await receiver.verify(good)).toMatchObject({ ok: true });
  expect(await receiver.verify(good)).toMatchObject({ reason: "replayed" });
  expect(asked).toEqual([
    ["N1", NOW + 290],
    ["N1", NOW + 290],
  ]);
});

test("each version needs its own key", async () => {
  const [two, three] = made.map(([, make]) => make());
  const onlyTwo = new CallbackVerifier({ token: TOKEN, clock: testClock(NOW * 1000) });
  const onlyThree = new CallbackVerifier({ callbackSecret: SECRET, clock: testClock(NOW * 1000) });
  expect(await onlyTwo.verify(three as SignedCallback)).toEqual({ ok: false, reason: "version_not_accepted" });
  expect(await onlyThree.verify(two as SignedCallback)).toEqual({ ok: false, reason: "version_not_accepted" });
  for (const options of [{}, { token: "" }, { callbackSecret: "" }, { callbackSecret: "sig_x" }]) {
    expect(() => new CallbackVerifier(options)).toThrow(UsageError);
  }
});

test("a body that is not bytes is a mistake of the receiver's, and said so", async () => {
  const parsed = { method: "POST", url: "/", headers: {}, body: { v: "3" } } as unknown as IncomingCallback;
  await expect(verifier().verify(parsed)).rejects.toBeInstanceOf(UsageError);
});

test("rightly signed messages that are not callbacks are refused as malformed", async () => {
  const { hmacHex } = await import("../signing.js");
  const good = {
    v: "3",
    status: "SUCCESS",
    orderid: "O",
    urid: "U",
    amount: "1.0000",
    account: "9",
    optid: "",
    ts: String(NOW),
    nonce: "N",
  };
  const bodies = [
    "null",
    "[]",
    "{",
    JSON.stringify({ ...good, v: "2" }),
    JSON.stringify({ ...good, status: "pending" }),
    JSON.stringify({ ...good, ts: NOW }),
    JSON.stringify({ ...good, ts: "soon" }),
    JSON.stringify({ ...good, nonce: "" }),
    JSON.stringify({ ...good, event: "party" }),
    JSON.stringify({ ...good, event: "complaint" }),
    JSON.stringify({ ...good, orderid: undefined }),
  ];
  for (const text of bodies) {
    const body = new TextEncoder().encode(text);
    const headers = { "X-Callback-Signature": hmacHex(SECRET, body) };
    expect(await verifier().verify({ method: "POST", url: "/", headers, body }), text).toEqual({ ok: false, reason: "malformed" });
  }
  const later = new TextEncoder().encode(JSON.stringify({ ...good, added: { later: 1 }, more: "x" }));
  const headers = { "X-Callback-Signature": hmacHex(SECRET, later) };
  expect(await verifier().verify({ method: "POST", url: "/", headers, body: later })).toMatchObject({
    callback: { parameters: { more: "x" } },
  });
});

test("other methods are no callbacks", async () => {
  expect(await verifier().verify({ method: "PUT", url: "/", headers: {}, body: new Uint8Array() })).toEqual({
    ok: false,
    reason: "not_a_callback",
  });
});

test("one signed query cannot be cut into other parameters", async () => {
  const { url } = statusCallback({ version: 2, token: TOKEN, url: URL_2, status: "SUCCESS", ts: NOW, nonce: "N" });
  const merged = [
    url.replace("&orderid=", "%26orderid%3D").replace("nonce=N", "nonce=N%26x%3D1"),
    url.replace(/account=([0-9]+)&/, "").replace("amount=", "account=9876543210%26amount%3D"),
    `${url}&status=FAILED`,
    `${url}&x=1`,
    url.replace("status=SUCCESS", "status=%ZZ"),
  ];
  for (const forged of merged) {
    expect(await verifier().verify({ method: "GET", url: forged, headers: {}, body: new Uint8Array() }), forged).toMatchObject({
      ok: false,
    });
  }
});

test("whatever the receiver's address has for a query, what is made is verified, and every change is noticed", async () => {
  const name = fc.stringMatching(/^x[A-Za-z0-9_]{0,6}$/);
  const query = fc.dictionary(
    name,
    fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !/\p{Surrogate}/u.test(text)),
    { maxKeys: 4 },
  );
  const account = fc.stringMatching(/^[!-$'-<>-~]{1,16}$/).filter((text) => !text.includes("%"));
  await fc.assert(
    fc.asyncProperty(query, account, fc.constantFrom("SUCCESS", "FAILED"), fc.nat(), async (own, target, status, place) => {
      const address = `${URL_2}?${new URLSearchParams(own)}`;
      const two = statusCallback({ version: 2, token: TOKEN, url: address, status, account: target, ts: NOW });
      const three = statusCallback({ version: 3, callbackSecret: SECRET, url: address, status, account: target, ts: NOW });
      for (const message of [two, three]) {
        expect(await verifier().verify(message)).toMatchObject({ ok: true, callback: { kind: "status", status, account: target } });
      }
      const flipped = Uint8Array.from(three.body);
      const at = place % flipped.length;
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(await verifier().verify({ ...three, body: flipped })).toEqual({ ok: false, reason: "wrong_signature" });
    }),
  );
});

test("a booking key is one per order and status, and one per complaint", async () => {
  const keys: string[] = [];
  const receiver = verifier();
  const common = { version: 3, callbackSecret: SECRET, url: URL_2, ts: NOW } as const;
  for (const message of [
    statusCallback({ ...common, status: "SUCCESS", orderId: "O1" }),
    statusCallback({ ...common, status: "SUCCESS", orderId: "O1" }),
    statusCallback({ ...common, status: "FAILED", orderId: "O1" }),
    complaintCallback({ ...common, status: "REFUNDED", complaintRef: "CMP1", orderId: "O1" }),
    complaintCallback({ ...common, status: "RESOLVED", complaintRef: "CMP1", orderId: "O1" }),
  ]) {
    const verdict = await receiver.verify(message);
    if (verdict.ok) keys.push(bookingKey(verdict.callback));
    expect(verdict).toMatchObject({ callback: { bookingKey: keys.at(-1) } });
  }
  expect(keys).toEqual(["status:O1:SUCCESS", "status:O1:SUCCESS", "status:O1:FAILED", "complaint:CMP1", "complaint:CMP1"]);
});
