import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADDRESS_REFUSED, expectAnswered, expectRefusal, get, getText, type Header } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { connect } from "./harness/raw-http.ts";
import { type Installation, type Service, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
let behindProxies: Service;
let open: Client;
beforeAll(async () => {
  installation = await sharedInstallation();
  // The peer 127.0.0.1 is a proxy, as is all of 127.0.9.0/24; 127.0.1.x are clients.
  behindProxies = await installation.another({ CORPRAIL_TRUSTED_PROXIES: "127.0.0.1, 127.0.9.0/24,fd00::/8" });
  open = await newClient(installation.service);
});
afterAll(() => installation?.close());

const spoofs: readonly Header[] = [
  ["X-Forwarded-For", "10.20.30.40"],
  ["X-Forwarded-For", "127.0.0.1, 10.20.30.40"],
  ["X-Forwarded-For", "10.20.30.40, 127.0.0.1"],
  ["X-Real-IP", "10.20.30.40"],
  ["Forwarded", "for=10.20.30.40"],
  ["X-Client-IP", "10.20.30.40"],
  ["True-Client-IP", "10.20.30.40"],
  ["CF-Connecting-IP", "10.20.30.40"],
  ["X-Originating-IP", "10.20.30.40"],
  ["X-Forwarded-Host", "10.20.30.40"],
];

test.each(spoofs)("an untrusted peer that writes %s: %s is judged by its own address", async (name, value) => {
  const account = await newClient(installation.service, { allowlist: ["10.20.30.40"] });
  const reply = await get(installation.service.port, "/services", { token: account.token, headers: [[name, value]] });
  expectRefusal(reply, ADDRESS_REFUSED);
  expect(String(reply.json()["message"])).toContain("127.0.0.1");
});

type AddressCase = readonly [allowlist: readonly string[], from: string, admitted: boolean];
const ADDRESSES: readonly AddressCase[] = [
  [[], "127.0.0.1", false],
  [["127.0.0.1"], "127.0.0.1", true],
  [["127.0.0.1"], "127.0.0.2", false],
  [["127.0.0.1/32"], "127.0.0.1", true],
  [["127.0.3.77/24"], "127.0.3.200", true],
  [["127.0.3.77/24"], "127.0.4.1", false],
  [["127.0.3.77/31"], "127.0.3.76", true],
  [["127.0.3.77/31"], "127.0.3.78", false],
  [["0.0.0.0/0"], "127.99.1.1", true],
  [["::/0"], "127.0.0.1", false],
  [["::ffff:127.0.0.1"], "127.0.0.1", true],
  [["::ffff:127.0.5.0/120"], "127.0.5.9", true],
  [["::ffff:127.0.5.0/120"], "127.0.6.9", false],
  [["10.0.0.1", "192.168.0.0/16", "127.0.0.8"], "127.0.0.8", true],
];

test.each(ADDRESSES)("the allowlist %j and the address %s: admitted is %s", async (allowlist, from, admitted) => {
  const account = await newClient(installation.service, { allowlist });
  const reply = await get(installation.service.port, "/services", { token: account.token, from });
  if (admitted) expectAnswered(reply);
  else expectRefusal(reply, ADDRESS_REFUSED);
});

test.each([
  "127.0.0.1/33",
  "127.1",
  "0177.0.0.1",
  "127.0.0.1/08",
  "::1/129",
  "localhost",
  "",
  " 127.0.0.1",
  "fe80::1%eth0",
  "127.0.0.1/-1",
  "127.0.0.256",
])("an operator cannot save the allowlist entry %j", async (entry) => {
  const reply = await operator(installation.service, "POST", `/accounts/${open.accountId}/allowlist`, { entries: ["10.0.0.1", entry] });
  expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request", fields: { entries: expect.stringContaining(entry) } } });
  expectAnswered(await get(installation.service.port, "/services", { token: open.token }));
});

test("host bits of a saved range are masked", async () => {
  const account = await newClient(installation.service, { allowlist: ["10.1.2.3/8", "2001:db8::1/32"] });
  const { body } = await operator(installation.service, "GET", `/accounts/${account.accountId}`);
  expect(body["allowlist"]).toEqual(["10.0.0.0/8", "2001:db8::/32"]);
});

test("a change of the allowlist holds on a connection that is already open", async () => {
  const account = await newClient(installation.service);
  const connection = await connect(installation.service.port);
  const ask = async () => {
    connection.send(getText("/services", { token: account.token }));
    const reply = await connection.next();
    if (!reply) throw new Error("The connection was closed.");
    return reply;
  };
  try {
    expectAnswered(await ask());
    await change(installation.service, `/accounts/${account.accountId}/allowlist`, { entries: ["10.0.0.1"] });
    expectRefusal(await ask(), ADDRESS_REFUSED);
    await change(installation.service, `/accounts/${account.accountId}/allowlist`, { entries: ["127.0.0.1"] });
    expectAnswered(await ask());
  } finally {
    connection.destroy();
  }
});

describe("behind a trusted proxy", () => {
  type ProxyCase = readonly [name: string, headers: readonly string[], peer: string, seen: string];
  const CASES: readonly ProxyCase[] = [
    ["the client the proxy names", ["198.51.100.7"], "127.0.0.1", "198.51.100.7"],
    ["the rightmost, not what the client wrote itself", ["10.0.0.1, 198.51.100.7"], "127.0.0.1", "198.51.100.7"],
    ["past further trusted proxies", ["10.0.0.1, 198.51.100.7, 127.0.9.1, 127.0.9.200"], "127.0.0.1", "198.51.100.7"],
    ["two headers count as one list", ["10.0.0.1", "198.51.100.7"], "127.0.0.1", "198.51.100.7"],
    ["a mapped address is unmapped", ["::ffff:198.51.100.7"], "127.0.0.1", "198.51.100.7"],
    ["an IPv6 client", ["2001:DB8:0:0::7"], "127.0.0.1", "2001:db8::7"],
    ["a trusted IPv6 proxy is skipped", ["198.51.100.7, fd00::1"], "127.0.0.1", "198.51.100.7"],
    ["only trusted proxies: the peer", ["127.0.9.1"], "127.0.0.1", "127.0.0.1"],
    ["no header: the peer", [], "127.0.0.1", "127.0.0.1"],
    ["a wrong entry left of the caller does not matter", ["x, 198.51.100.7"], "127.0.0.1", "198.51.100.7"],
    ["a peer that is no proxy is not believed", ["198.51.100.7"], "127.0.1.1", "127.0.1.1"],
    ["a peer of the trusted range is believed", ["198.51.100.7"], "127.0.9.33", "198.51.100.7"],
  ];

  test.each(CASES)("%s", async (_name, values, peer, seen) => {
    const account = await newClient(behindProxies, { allowlist: ["192.0.2.1"] });
    const headers = values.map((value): Header => ["X-Forwarded-For", value]);
    const refusal = await get(behindProxies.port, "/services", { token: account.token, headers, from: peer });
    expectRefusal(refusal, ADDRESS_REFUSED);
    expect(refusal.json()["message"]).toBe(`The source address ${seen} is not on the account's allowlist.`);
    await change(behindProxies, `/accounts/${account.accountId}/allowlist`, { entries: [seen] });
    expectAnswered(await get(behindProxies.port, "/services", { token: account.token, headers, from: peer }));
  });

  test.each([
    ["an empty header", ""],
    ["an entry that is no address", "198.51.100.7, unknown"],
    ["an entry with a port", "198.51.100.7:443"],
    ["an empty entry", "198.51.100.7,"],
    ["an entry that is no address, behind a trusted proxy", "198.51.100.7, x, 127.0.9.1"],
  ])("%s in the caller's place is refused, even when the proxy's own address is on the list", async (_name, value) => {
    const account = await newClient(behindProxies, { allowlist: ["127.0.0.1", "198.51.100.7"] });
    const refusal = await get(behindProxies.port, "/services", { token: account.token, headers: [["X-Forwarded-For", value]] });
    expectRefusal(refusal, ADDRESS_REFUSED);
    expect(refusal.json()["message"]).toMatch(/^The forwarded address cannot be read: /);
  });

  test("a site refuses a caller whose address cannot be read, so that its throttles cannot be evaded", async () => {
    const origin = behindProxies.url;
    const signIn = async (forwarded: string) => {
      const headers = { origin, "content-type": "application/json", "x-forwarded-for": forwarded };
      const body = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
      const reply = await fetch(`${origin}/portal/api/sign-in`, { method: "POST", headers, body });
      return { status: reply.status, body: await reply.json() };
    };
    expect(await signIn("198.51.100.7, unknown")).toMatchObject({
      status: 403,
      body: { error: "forbidden", message: expect.stringMatching(/^The forwarded address cannot be read/) },
    });
    expect((await signIn("unknown, 198.51.100.7")).body).toMatchObject({ error: "unauthorized" });
  });

  test.each([
    ["198.51.100.231", "198.51.100.231"],
    ["10.0.0.1, 198.51.100.232, 127.0.9.1", "198.51.100.232"],
    ["198.51.100.233, unknown", "unreadable"],
  ])("a provider callback that is refused is kept with the client's address: %s is %s", async (forwarded, source) => {
    const kept = async () => {
      const { body } = await operator(behindProxies, "GET", "/provider-callbacks?reason=unknown_provider");
      return body["items"] as readonly Record<string, unknown>[];
    };
    const before = (await kept()).length;
    const reply = await fetch(`${behindProxies.url}/upstream/nobody/callback?x=1`, { headers: { "x-forwarded-for": forwarded } });
    expect(reply.status).toBe(403);
    const [newest] = await until("the callback is kept", async () => {
      const now = await kept();
      return now.length > before && now;
    });
    expect(newest).toMatchObject({ provider: null, method: "GET", source });
  });
});
