import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { readProviders, sealedOf } from "../store.ts";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { unsealSecrets } from "./provider-secrets.ts";
import { addProvider, changeProvider, type ProviderInput } from "./save-provider.ts";
import { setSecret } from "./set-secret.ts";

let settings: TestSettings;
beforeEach(async () => {
  settings = await testSettings();
});
afterEach(() => settings.close());

const IN_ENVIRONMENT = { CORPRAIL_PROVIDER_ACME_TOKEN: "from-environment" };

function described(origin: string, more: JsonObject = {}): ProviderInput {
  const description = { ...(JSON_SPOKEN.describe(origin) as JsonObject), name: "acme", ...more };
  return { provider: "acme", connector: "description", settings: description, guardSecrets: {} };
}

const add = (input: ProviderInput) => addProvider({ ...settings.ctx, egress: testEgress() }, "test", input);
const change = (input: ProviderInput) => changeProvider({ ...settings.ctx, egress: testEgress() }, "test", input);

async function heldSecrets() {
  const row = (await readProviders(settings.ctx.sql)).find((one) => one.provider === "acme");
  return row ? await unsealSecrets(settings.ctx.vault, "acme", sealedOf(row)) : null;
}

const ASKED_AGAIN = { kind: "invalid", faults: [{ path: "secrets.token", message: expect.stringContaining("Enter the secret again") }] };
const DONE = { kind: "done", created: false };

test("a provider is added once, and only one that is there is changed", async () => {
  expect(await change(described("https://a.example"))).toEqual({ kind: "not_found" });
  expect(await add(described("https://a.example"))).toEqual({ kind: "done", created: true });
  expect(await add(described("https://a.example"))).toMatchObject({ kind: "conflict" });
  expect(await change(described("https://a.example", { polling: { quiet_seconds: 9 } }))).toEqual(DONE);
});

test("a secret does not follow its provider to another address unless it is given again", async () => {
  await add({ ...described("https://a.example"), secrets: { token: "first" } });
  for (const elsewhere of ["https://evil.example", "https://a.example:8443", "http://a.example", "https://a.example.evil.example"])
    expect([elsewhere, await change(described(elsewhere))]).toEqual([elsewhere, ASKED_AGAIN]);
  expect(await heldSecrets()).toEqual({ token: "first" });
  expect(await change({ ...described("https://b.example"), secrets: { token: "second" } })).toEqual(DONE);
  expect(await heldSecrets()).toEqual({ token: "second", "token@1": "first" });
  expect(await change(described("https://b.example", { polling: { quiet_seconds: 9 } }))).toEqual(DONE);
  expect(await heldSecrets()).toEqual({ token: "second", "token@1": "first" });
  // At its own address the new value applies to earlier versions too.
  expect(await change({ ...described("https://b.example"), secrets: { token: "third" } })).toEqual(DONE);
  expect(await heldSecrets()).toEqual({ token: "third", "token@1": "first" });
});

test("one of two addresses is enough to ask for it again", async () => {
  await add({ ...described("https://a.example"), secrets: { token: "first" } });
  const { settings: description } = described("https://a.example");
  const elsewhere = JSON.stringify(description).replace('"/status"', '"https://evil.example/status"');
  expect(await change({ ...described("https://a.example"), settings: JSON.parse(elsewhere) as JsonObject })).toEqual(ASKED_AGAIN);
});

const PAY = { request: { url: "/pay", body: { json: { ref: "{reference}" } } } };

/** The description with a change of its payment. */
function paying(request: object, more: JsonObject = {}): ProviderInput {
  const input = described("https://a.example", more);
  const { "recharge.pay": pay } = input.settings["operations"] as { readonly "recharge.pay": JsonObject };
  const changed = { ...pay, request: { ...PAY.request, ...request } } as JsonObject;
  return { ...input, settings: { ...input.settings, operations: { "recharge.pay": changed } } };
}

const CIPHER_OF_REQUEST = {
  c: { kind: "aes", cipher: "aes-128-cbc", key: "0123456789abcdef", iv: "0123456789abcdef", text: "{request.body}", output: "hex" },
};
const COMPUTED = { login: { kind: "basic", user: "us", password: "{secret.token}" } };
const PARTS: readonly (readonly [string, { readonly query?: object; readonly headers?: object }, JsonObject])[] = [
  ["a shortening filter", { query: { pin: "{secret.token|first:4}" } }, {}],
  ["another form", { query: { pin: "{secret.token|upper}" } }, {}],
  ["two filters that keep it whole", { query: { pin: "{secret.token|base64|base64}" } }, {}],
  ["a part of a computed value", { query: { pin: "{computed.login|last:5}" } }, { computed: COMPUTED }],
  ["a part of a ciphertext of the request", { headers: { x: "{computed.c|first:4}" } }, { computed: CIPHER_OF_REQUEST }],
  ["a map of codes", { query: { pin: "{code.parts}" } }, { codes: { parts: { by: "{secret.token}", values: { a: "b" } } } }],
];

test.each(PARTS)("a part of a secret goes to no new place unless the secret is given again: %s", async (_, request, more) => {
  await add({ ...described("https://a.example"), secrets: { token: "first" } });
  expect(await change(paying(request, more))).toEqual(ASKED_AGAIN);
  expect(await change({ ...paying(request, more), secrets: { token: "second" } })).toEqual(DONE);
  // It is known there now, and other changes ask for nothing.
  expect(await change(paying(request, { ...more, polling: { quiet_seconds: 9 } }))).toEqual(DONE);
  const { query = {} } = request;
  expect(await change(paying({ ...request, query: { ...query, y: "{secret.token|last:2}" } }, more))).toEqual(ASKED_AGAIN);
});

test("a whole secret may go to a new place at its address, encoded or in a signature", async () => {
  await add({ ...described("https://a.example"), secrets: { token: "first" } });
  const computed = { mark: { kind: "hmac", digest: "sha256", key: "{secret.token|base64}", text: "{request.body}" } };
  const headers = { x: "{secret.token}", y: "{secret.token|url}", z: "{computed.mark}" };
  expect(await change(paying({ headers }, { computed }))).toEqual(DONE);
});

test("a secret goes to no other address of its provider, and through no proxy, unless it is given again", async () => {
  const secrets = ["token", "other"];
  const pay = { url: "https://b.example/pay", query: { k: "{secret.other}" } };
  const more = { secrets, headers: {}, query: {} };
  const status = (text: string) => JSON.parse(text.replace('"/status"', '"https://a.example/status"')) as JsonObject;
  const two = (request: object, extra: JsonObject = {}) => {
    const input = paying(request, { ...more, ...extra });
    return { ...input, settings: status(JSON.stringify(input.settings)) };
  };
  await add({ ...two({ ...pay, headers: {} }, { query: {} }), secrets: { token: "first", other: "second" } });
  const elsewhere = two({ ...pay, query: { k: "{secret.other}", t: "{secret.token}" } });
  expect(await change(elsewhere)).toEqual(ASKED_AGAIN);
  expect(await change({ ...elsewhere, secrets: { token: "third" } })).toEqual(DONE);
  const proxied = { ...elsewhere, settings: { ...elsewhere.settings, network: { proxy: "http://proxy.example:3128" } } };
  expect(await change(proxied)).toMatchObject({ kind: "invalid", faults: [{ path: "secrets.token" }, { path: "secrets.other" }] });
  expect(await change({ ...proxied, secrets: { token: "third", other: "second" } })).toEqual(DONE);
});

test("a removed secret need not be given again, and goes nowhere", async () => {
  await add({ ...described("https://a.example"), secrets: { token: "first" } });
  expect(await change({ ...described("https://b.example"), secrets: { token: null } })).toEqual(DONE);
  expect(await heldSecrets()).toEqual({});
});

test("a secret of the environment is withheld in the same way, also after an intermediate address", async () => {
  const guarded = { guardSecrets: IN_ENVIRONMENT };
  expect(await add({ ...described("https://evil.example"), ...guarded })).toEqual(ASKED_AGAIN);
  const nameless = JSON.parse(JSON.stringify(described("https://evil.example").settings).replaceAll("{secret.token}", "x")) as JsonObject;
  expect(await add({ ...described("https://evil.example"), settings: { ...nameless, secrets: [] }, ...guarded })).toMatchObject({
    kind: "done",
  });
  expect(await change({ ...described("https://evil.example"), ...guarded })).toEqual(ASKED_AGAIN);
  expect(await change({ ...described("https://evil.example"), ...guarded, secrets: { token: null } })).toEqual(ASKED_AGAIN);
});

test("what the environment gave to the first address stays with it when another one gets its own value", async () => {
  const guardSecrets = { CORPRAIL_PROVIDER_ACME_TOKEN: "first" };
  await add(described("https://a.example"));
  expect(await change({ ...described("https://b.example"), guardSecrets, secrets: { token: "second" } })).toEqual(DONE);
  expect(await heldSecrets()).toEqual({ token: "second", "token@1": "first" });
});

test("one secret is set or removed alone, and the audit log has its name but not its value", async () => {
  await add(described("https://a.example"));
  const set = (name: string, value: string | null) => setSecret(settings.ctx, "test", { provider: "acme", name, value });
  expect(await set("token", "much-hidden")).toEqual({ kind: "done" });
  expect(await heldSecrets()).toEqual({ token: "much-hidden" });
  expect(await set("pin", "1234")).toMatchObject({ kind: "invalid", faults: [{ path: "name" }] });
  expect(await setSecret(settings.ctx, "test", { provider: "nobody", name: "token", value: "x" })).toEqual({ kind: "not_found" });
  expect(await set("token", null)).toEqual({ kind: "done" });
  expect(await heldSecrets()).toEqual({});
  const trail = await settings.ctx.sql<{ details: string }[]>`select details from audit_log where subject_kind = 'provider' order by seq`;
  expect(trail.map((entry) => JSON.parse(entry.details))).toEqual([
    expect.objectContaining({ connector: "description" }),
    { connector: "description", secrets_changed: ["token"] },
    { connector: "description", secrets_changed: ["token"] },
  ]);
  expect(JSON.stringify(trail)).not.toContain("much-hidden");
});
