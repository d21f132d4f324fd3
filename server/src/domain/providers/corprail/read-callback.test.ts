import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { type CallbackRefusal, isRefusal } from "../callbacks/refused-callback.ts";
import type { ProviderMessage, Report } from "../connector.ts";
import { providerRequest } from "../testing/requests.ts";
import { callbackReader } from "./read-callback.ts";

const NOW = 1_750_000_000;
const KEYS = { token: "tok_live_abc", callbackSecret: "cbk_abc" };

let now: number;
let read: (message: ProviderMessage) => Report | null;
let reading: (message: ProviderMessage) => Report | CallbackRefusal;
let nonces = 0;
const taken = (one: Report | CallbackRefusal) => (isRefusal(one) ? null : one);
beforeEach(() => {
  now = NOW;
  const reader = callbackReader(KEYS, { now: () => now * 1000 });
  reading = reader;
  read = (message) => taken(reader(message));
});

const hmac = (key: string, text: string) => createHmac("sha256", key).update(text).digest("hex");

function fields(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  nonces++;
  return {
    v: "3",
    status: "SUCCESS",
    orderid: "01ORDER00001",
    urid: "R1",
    amount: "10.0000",
    account: "1",
    ts: String(now),
    nonce: `n${nonces}`,
    ...more,
  };
}

function version3(more: Readonly<Record<string, string>> = {}, secret = KEYS.callbackSecret): ProviderMessage {
  const body = JSON.stringify(fields({ optid: "OP1", ...more }));
  return { method: "POST", path: "", source: "192.0.2.1", query: {}, headers: { "x-callback-signature": hmac(secret, body) }, body };
}

function version2(more: Readonly<Record<string, string>> = {}, token = KEYS.token): ProviderMessage {
  const query = fields({ v: "2", ...more });
  const text = Object.keys(query)
    .sort()
    .map((name) => `${name}=${query[name]}`)
    .join("&");
  return { method: "GET", path: "", source: "192.0.2.1", query: { ...query, hash: hmac(token, text) }, headers: {}, body: "" };
}

test("a signed body and a signed query are both read", () => {
  const success = { kind: "succeeded", operatorRef: "OP1", providerRef: "01ORDER00001" };
  expect(read(version3())).toMatchObject({ reference: "R1", finding: success });
  expect(read(version2())).toMatchObject({ reference: "R1", finding: { ...success, operatorRef: "" } });
});

test("a success with another amount differs from its order", () => {
  const differs = (amount: string) => read(version3({ amount }))?.differs?.(providerRequest({ amount: "10" }));
  expect([differs("10.0000"), differs("10")]).toEqual([null, null]);
  expect(differs("1.0000")).toBe('amount is "1.0000" instead of "10.0000"');
});

test("a failure, a reversal, a cancelled ticket and the success of an enquiry make us ask", () => {
  for (const message of [version3({ status: "FAILED" }), version2({ status: "FAILED" }), version3({ amount: "0.0000" })])
    expect(read(message)).toEqual({ reference: "R1", finding: { kind: "ask" } });
  expect(read(version3({ amount: "much" }))).toEqual({ reference: "R1", finding: { kind: "ask" } });
});

test("a parameter added later is covered by the hash and does not disturb", () => {
  expect(read(version2({ extra: "x y" }))).not.toBeNull();
  const message = version2();
  expect(read({ ...message, query: { ...message.query, extra: "x" } })).toBeNull();
});

test("a wrong key, a changed body or a missing signature is rejected", () => {
  expect(read(version3({}, "cbk_other"))).toBeNull();
  expect(read(version2({}, "tok_live_other"))).toBeNull();
  const message = version3();
  expect(read({ ...message, body: message.body.replace("R1", "R2") })).toBeNull();
  expect(read({ ...message, headers: {} })).toBeNull();
});

test("without a callback secret version 3 is not read, not even signed with nothing", () => {
  const without = callbackReader({ ...KEYS, callbackSecret: "" }, { now: () => NOW * 1000 });
  expect(taken(without(version3({}, "")))).toBeNull();
});

test("a message is read once, and only within five minutes", () => {
  const message = version3();
  expect(read(message)).not.toBeNull();
  expect(read(message)).toBeNull();
  expect(read(version3({ ts: String(NOW - 300) }))).not.toBeNull();
  expect(read(version3({ ts: String(NOW - 301) }))).toBeNull();
  expect(read(version3({ ts: String(NOW + 301) }))).toBeNull();
  now += 10_000;
  expect(read(message)).toBeNull();
});

test("versions do not mix, and a complaint or a pending status is no report", () => {
  expect(read(version3({ v: "2" }))).toBeNull();
  expect(read(version2({ v: "3" }))).toBeNull();
  expect(read(version3({ event: "complaint", status: "REFUNDED" }))).toBeNull();
  expect(read(version3({ event: "complaint" }))).toBeNull();
  expect(read(version3({ status: "pending" }))).toBeNull();
  expect(read(version3({ urid: "" }))).toBeNull();
});

test("what is not read says why", () => {
  const message = version3();
  reading(message);
  expect(reading(message)).toMatchObject({ refused: "replayed", authentic: true, reference: "R1" });
  expect(reading(version3({}, "cbk_other"))).toMatchObject({ refused: "wrong_key", authentic: false, reference: null });
  expect(reading(version3({ ts: String(NOW - 301) }))).toMatchObject({ refused: "stale" });
  expect(reading(version3({ status: "pending" }))).toMatchObject({ refused: "unknown_status", reference: "R1" });
  expect(reading(version3({ urid: "" }))).toMatchObject({ refused: "unreadable" });
});
