import { expect, test } from "vitest";
import type { ProviderExchange } from "../../connector.ts";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider, type Heard } from "../testing/provider.ts";

const SECRETS = { key: "Kp4Lz9Qw7RtY2Mn8", pin: "824193" };
const QUERY = { ref: "{reference}" };
const outcome = [{ when: { status: "OK" }, means: "success" }];
const status = { request: { url: "/status" }, outcome };

/** What a provider gets of a request, and what the evidence shows of it. */
async function sent(request: object, more: object = {}): Promise<{ readonly heard: Heard | undefined; readonly shown: string }> {
  const operations = { "recharge.pay": { request: { url: "/pay", ...request }, outcome, status } };
  const described = (origin: string) => ({
    ...{ version: 2, name: "acme", base_url: origin, plain_http: true, secrets: ["key", "pin"], query: QUERY, operations },
    ...more,
  });
  const echo = ({ body, query }: Heard) => ({ body: { status: "OK", said: `${body} ${query}` } });
  const { connector, heard } = await describedProvider(described, echo, Date.now, SECRETS);
  const kept: ProviderExchange[] = [];
  await connector.send(providerRequest(), NEVER, (one) => kept.push(one));
  return { heard: heard[0], shown: kept[0]?.request ?? "" };
}

test("the evidence shows nothing of a secret that a filter has shortened or changed, wherever it stands", async () => {
  const query = { first: "{secret.key|first:4}", one: "{secret.pin|last:1}", twice: "{secret.key|base64|base64}" };
  const headers = { "x-lower": "v={secret.key|lower};" };
  const { heard, shown } = await sent({
    url: "/pay/{secret.key|last:3}",
    query,
    headers,
    body: { json: { n: "{secret.pin|first:3|number}" } },
  });
  expect(Object.fromEntries(heard?.query ?? [])).toMatchObject({ first: "Kp4L", one: "3" });
  expect([heard?.path, heard?.headers["x-lower"], heard?.body]).toEqual(["/pay/Mn8", "v=kp4lz9qw7rty2mn8;", '{"n":824}']);
  expect(shown).toContain(`/pay/[hidden]?ref=${heard?.query.get("ref")}&first=[hidden]&one=[hidden]&twice=[hidden]`);
  expect(shown).toContain("x-lower: v=[hidden];");
  expect(shown).toContain('{"n":"[hidden]"}');
});

test.each([
  [{ form: { p: "{secret.key|before:9}" } }, "p=Kp4Lz", "p=[hidden]"],
  [{ xml: "<p>{secret.key|first:4|xml}</p>" }, "<p>Kp4L</p>", "<p>[hidden]</p>"],
  [{ text: "p is {secret.key|digits}", content_type: "text/plain" }, "p is 49728", "p is [hidden]"],
])("the same holds for a body, case %#", async (body, wanted, masked) => {
  const { heard, shown } = await sent({ body });
  expect(heard?.body).toBe(wanted);
  expect(shown.endsWith(masked)).toBe(true);
});

test("the evidence shows no one-time password in a text, and no identity in base64", async () => {
  const text = "PAY|{reference}|{details.account|base64}|{details.otp}|{details.account}";
  const operations = { "transfers.send": { request: { url: "/pay", body: { text, content_type: "text/plain" } }, outcome, status } };
  const { connector, heard } = await describedProvider(
    { query: QUERY, operations },
    ({ body }) => ({ body: { status: "OK", said: body.split("|")[2] } }),
    Date.now,
    SECRETS,
  );
  const kept: ProviderExchange[] = [];
  const request = { ...providerRequest(), service: "transfers", details: { account: "50100234567890", otp: "482913" } };
  await connector.send(request, NEVER, (one) => kept.push(one));
  const { reference } = request;
  expect(heard[0]?.body).toBe(`PAY|${reference}|NTAxMDAyMzQ1Njc4OTA=|482913|50100234567890`);
  expect(kept[0]?.request.endsWith(`PAY|${reference}|[hidden]|[hidden]|…7890`)).toBe(true);
  expect(JSON.stringify(kept)).not.toMatch(/NTAxMDAy|482913|50100234567890/);
});

test("what a filter leaves of a computed value with a secret in it is masked too", async () => {
  const computed = { login: { kind: "basic", user: "{secret.pin}", password: "{secret.key}" } };
  const { heard, shown } = await sent({ query: { part: "{computed.login|after: |first:6}" } }, { computed });
  expect(heard?.query.get("part")).toBe("ODI0MT");
  expect(shown).toContain("&part=[hidden]");
});

test("a signature by a shortened key is sent as before", async () => {
  const computed = { mark: { kind: "hmac", digest: "sha256", key: "{secret.key|first:8}", text: "{request.body}" } };
  const { heard, shown } = await sent({ headers: { "x-mark": "{computed.mark}" }, body: { json: { ref: "{reference}" } } }, { computed });
  expect(heard?.headers["x-mark"]).toMatch(/^[0-9a-f]{64}$/);
  expect(shown).toContain("x-mark: [hidden]");
});

test("a map of codes does not say the part of a secret for which it has no code", async () => {
  const codes = { parts: { by: "{secret.key|first:4}", values: { none: "1" } } };
  const operations = { "recharge.pay": { request: { url: "/pay", query: { c: "{code.parts}" } }, outcome, status } };
  const { connector } = await describedProvider(
    { secrets: ["key"], query: QUERY, codes, operations },
    () => ({ body: { status: "OK" } }),
    Date.now,
    SECRETS,
  );
  const result = await connector.send(providerRequest(), NEVER);
  expect(result).toMatchObject({ kind: "not_sent", why: expect.stringContaining("no code for this value in parts") });
  expect(JSON.stringify(result)).not.toContain("Kp4L");
});

test("a part of a secret, or of a computed value, can be the key of a map of codes", async () => {
  const computed = { mark: { kind: "basic", user: "a", password: "b" } };
  const codes = {
    parts: { by: "{secret.key|first:4}", values: { Kp4L: "1" } },
    marks: { by: "{computed.mark|first:5}", values: { Basic: "2" }, else: "3" },
  };
  const { heard, shown } = await sent({ query: { c: "{code.parts}", m: "{code.marks}", p: "{secret.pin|last:2}" } }, { computed, codes });
  expect(heard?.query.toString()).toContain("&c=1&m=2&p=93");
  expect(shown).toContain("&c=1&m=2&p=[hidden]");
});
