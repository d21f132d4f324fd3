import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { ProviderMessage } from "../../connector.ts";
import { defined, JSON_SPOKEN } from "../../testing/definitions.ts";
import { buildCallback } from "../../twin/send-callback.ts";
import { describedProvider } from "../testing/provider.ts";
import { readCallback } from "./read-callback.ts";

// Callbacks whose values are in a text inside the message: a query parameter with parts, or a form field with JSON.

const SECRETS = { token: "t0ken-value", hook: "hook-value" };
const OUTCOME = [{ when: { "2": "1" }, means: "success" }];
const PARTS = {
  path: "/done",
  method: "GET",
  auth: { kind: "hmac", inner: "4", text: "{inner.0}|{inner.1}|{inner.2}|{inner.3}", secret: "hook" },
  from: "query",
  read: { inner: { at: "d", format: "text" }, separator: "|", provider_ref: "1", operator_ref: "3" },
  reference: "0",
  outcome: OUTCOME,
  samples: { success: { query: { d: "{reference}|{provider_ref}|1|{operator_ref}|{signature}" } } },
};

const described = (callback: object) =>
  defined({ ...JSON_SPOKEN.describe("https://a.example"), secrets: ["token", "hook"], callbacks: [callback] });
const sum = (text: string) => createHmac("sha256", SECRETS.hook).update(text).digest("hex");
const partsFor = (definition: ReturnType<typeof described>) => ({
  definition,
  secrets: SECRETS,
  clock: { now: () => 0 },
  clean: (text: string) => text,
});

function reading(callback: object, message: Partial<ProviderMessage>) {
  const whole: ProviderMessage = { method: "GET", path: "/done", source: "203.0.113.9", query: {}, headers: {}, body: "", ...message };
  return readCallback(partsFor(described(callback)), whole);
}

test("values and checksum in one query parameter are taken apart, and each signed part is covered", () => {
  const genuine = `R1|P7|1|OP9|${sum("R1|P7|1|OP9")}`;
  expect(reading(PARTS, { query: { d: genuine } })).toEqual({
    reference: "R1",
    finding: { kind: "succeeded", operatorRef: "OP9", providerRef: "P7" },
  });
  for (const forged of [genuine.replace("R1", "R2"), genuine.replace("OP9", "OP8"), "R1|P7|1|OP9|", "", "|||"])
    expect(reading(PARTS, { query: { d: forged } })).toMatchObject({ refused: "wrong_key" });
  expect(reading(PARTS, {})).toMatchObject({ refused: "wrong_key" });
});

test("JSON in a form field is signed as a whole, and a field beside it stays readable with $outer", () => {
  const callback = {
    ...PARTS,
    method: "POST",
    from: "body",
    auth: { kind: "hmac", field: "checksum", text: "{field.data}", secret: "hook" },
    read: { format: "form", inner: { at: "data", format: "json" }, operator_ref: "op", message: "$outer.note" },
    reference: "ref",
    outcome: [{ when: { s: "NO" }, means: "declined" }],
    samples: {},
  };
  const data = JSON.stringify({ ref: "R1", s: "NO" });
  const body = (checksum: string) => String(new URLSearchParams({ data, checksum, note: "bad number" }));
  expect(reading(callback, { method: "POST", body: body(sum(data)) })).toMatchObject({
    reference: "R1",
    finding: { kind: "declined", reason: "bad number" },
  });
  expect(reading(callback, { method: "POST", body: body(sum(`${data} `)) })).toMatchObject({ refused: "wrong_key" });
});

test("an authentic message whose inner document cannot be opened is unreadable", () => {
  const callback = {
    ...PARTS,
    auth: { kind: "key", header: "x-key", secret: "hook" },
    read: { inner: { at: "d", format: "json" } },
    samples: {},
  };
  const refused = reading(callback, { query: { d: "{" }, headers: { "x-key": SECRETS.hook } });
  expect(refused).toMatchObject({ refused: "unreadable", authentic: true });
});

test("the twin writes the checksum into its place inside the text", () => {
  const definition = described(PARTS);
  const [callback] = definition.callbacks;
  const sample = callback?.samples?.success;
  if (callback === undefined || sample === undefined) throw new Error("no sample");
  const values: Readonly<Record<string, string>> = { reference: "R1", provider_ref: "P7", operator_ref: "OP9" };
  const scope = { style: { amount: definition.amount, zone: definition.times }, get: (name: string) => values[name] };
  const message = buildCallback({ definition, callback, sample, scope, secrets: SECRETS, now: 0, isForged: false });
  expect(message.query).toEqual({ d: `R1|P7|1|OP9|${sum("R1|P7|1|OP9")}` });
  expect(readCallback(partsFor(definition), message)).toMatchObject({ reference: "R1" });
});

test.each([
  ["a query parameter", { query: "k" }, {}, "k"],
  ["a field", { field: "data.channel" }, {}, "channel"],
  ["a text inside the message", { inner: "3" }, { from: "query", read: { inner: { at: "d", format: "text" }, separator: "|" } }, "d"],
])("the key in %s is hidden where staff see a refused message, because a wrong key may be nearly right", async (_, place, more, name) => {
  const outcome = [{ when: { s: "OK" }, means: "success" }];
  const callback = { auth: { kind: "key", secret: "key", ...place }, reference: "ref", outcome, ...more };
  const balance = { request: { url: "/balance", headers: { key: "{secret.key}" } }, value: { balance: "b" } };
  const { connector } = await describedProvider({ callbacks: [callback], operations: { balance } }, () => ({}));
  expect(connector.callbackKeyName).toBe(name);
});
