import { createSecretKey } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { NO_MONEY } from "../../../platform/core/money.ts";
import { parseRange, type Range } from "../../../platform/network/address.ts";
import { nameResolver } from "../../../platform/network/name-resolver.ts";
import { callbackUrlChecker } from "../callback-url.ts";
import { makeCertificate } from "../testing/certificate.ts";
import { type NameServer, startNameServer } from "../testing/name-server.ts";
import { type Secure, startReceiver, type TestReceiver } from "../testing/receiver.ts";
import { formatCallback } from "./formats.ts";
import { createSender, type Outcome, type Sender, type SenderOptions } from "./send.ts";

const FACTS = {
  kind: "status",
  orderId: "ORDER0000001",
  urid: "u",
  status: "SUCCESS",
  amount: NO_MONEY,
  target: "1",
  operatorRef: null,
} as const;
const PUBLIC = "93.184.215.14";

let names: NameServer;
let certificate: Secure;
let receiver: TestReceiver;
let allow: Range[];
const senders: Sender[] = [];

beforeAll(async () => {
  names = await startNameServer();
  certificate = makeCertificate("receiver.test");
});
afterAll(() => names.close());
beforeEach(async () => {
  allow = [parseRange("127.0.0.1")].filter((range) => range !== null);
  names.names.clear();
  names.asked.length = 0;
  receiver = await startReceiver(() => 200, { secure: certificate });
});
afterEach(async () => {
  for (const one of senders.splice(0)) await one.close();
  await receiver.close();
});

const resolve = (hostname: string) => nameResolver({ servers: [names.address] })(hostname);

async function sendTo(url: string, options: Partial<SenderOptions> = {}): Promise<Outcome> {
  const sender = createSender({ allow, resolve, ca: certificate.cert, wholeMilliseconds: 2_000, ...options });
  senders.push(sender);
  const message = formatCallback(2, FACTS, { ts: 1_750_000_000, nonce: "N" }, new URL(url), createSecretKey(Buffer.from("k")));
  return await sender.send(message);
}

const REFUSED = { httpStatus: null, error: "Its host must have public addresses only." };

test("a name is resolved once per connection, and the checked address is the one used", async () => {
  names.names.set("receiver.test", ["127.0.0.1"]);
  expect(await sendTo(`https://receiver.test:${receiver.port}/cb`)).toEqual({ httpStatus: 200, error: null });
  expect(names.asked.toSorted()).toEqual(["receiver.test 1", "receiver.test 28"]);
});

test("the certificate is checked against the name, which is also sent as server name", async () => {
  names.names.set("receiver.test", ["127.0.0.1"]);
  names.names.set("other.test", ["127.0.0.1"]);
  expect((await sendTo(`https://other.test:${receiver.port}/cb`)).error).toBe("The certificate is for another name.");
  expect((await sendTo(`https://127.0.0.1:${receiver.port}/cb`)).error).toBe("The certificate is for another name.");
  expect((await sendTo(`https://receiver.test:${receiver.port}/cb`, { ca: makeCertificate("receiver.test").cert })).error).toMatch(
    /certificate/,
  );
  expect(receiver.got).toEqual([]);
  const server = createServer(certificate, (_request, response) => void response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "secureConnection") as Promise<[TLSSocket]>;
  await sendTo(`https://receiver.test:${(server.address() as AddressInfo).port}/cb`);
  expect((await connected)[0].servername).toBe("receiver.test");
  server.close();
});

test.each([
  ["loopback", ["127.0.0.9"]],
  ["a private address", ["10.0.0.1"]],
  ["the metadata address", ["169.254.169.254"]],
  ["a private address beside a public one", [PUBLIC, "192.168.0.1"]],
  ["a private IPv6 address beside a public IPv4 one", [PUBLIC, "fd00::1"]],
  ["a mapped private address", ["::ffff:10.0.0.1"]],
  ["a public address beside an allowed one", [PUBLIC, "127.0.0.1"]],
  ["loopback in IPv6", ["::1"]],
])("a name that means %s is not dialled", async (_name, addresses) => {
  names.names.set("receiver.test", addresses);
  for (const port of ["", ":8443"]) expect(await sendTo(`https://receiver.test${port}/cb`)).toEqual(REFUSED);
  expect((await sendTo(`http://receiver.test:${receiver.port}/cb`)).error).toBe("It must begin with https://.");
  expect(receiver.connections()).toBe(0);
});

test("a name that resolves to a private address at delivery is refused", async () => {
  const url = "https://receiver.test:8443/cb";
  names.names.set("receiver.test", [PUBLIC]);
  expect(await callbackUrlChecker({ allow: [], resolve })(url)).toBeNull();
  names.names.set("receiver.test", ["127.0.0.1"]);
  expect(await sendTo(url, { allow: [] })).toEqual(REFUSED);
});

test("a name that changes with every query is connected only at checked addresses", async () => {
  let turn = 0;
  const seen: string[] = [];
  const flipping = async () => {
    const answer = turn++ % 2 === 0 ? "127.0.0.1" : "10.255.255.1";
    seen.push(answer);
    return [answer];
  };
  const url = `https://receiver.test:${receiver.port}/cb`;
  const outcomes: Outcome[] = [];
  for (let count = 0; count < 4; count++) outcomes.push(await sendTo(url, { resolve: flipping }));
  expect(outcomes.map((outcome) => outcome.error)).toEqual([null, "Its port must be 443 or 8443.", null, "Its port must be 443 or 8443."]);
  expect(seen).toHaveLength(4);
});

test("the peer address is checked again after connecting", async () => {
  names.names.set("receiver.test", ["127.0.0.1"]);
  const server = createServer(certificate, (_request, response) => void response.end()).listen(8443, "127.0.0.1");
  await once(server, "listening");
  // Allowed at the first check and refused when the connection is made.
  server.on("connection", () => allow.splice(0));
  let requests = 0;
  server.on("request", () => requests++);
  expect(await sendTo("https://receiver.test:8443/cb")).toEqual(REFUSED);
  expect(requests).toBe(0);
  server.close();
});

test("names that do not exist, have no address or get no answer fail within the attempt's time limit", async () => {
  names.names.set("empty.test", []);
  names.names.set("silent.test", "silent");
  const unresolved = { httpStatus: null, error: "Its host name does not resolve to an address." };
  expect(await sendTo("https://unknown.test/cb")).toEqual(unresolved);
  expect(await sendTo("https://empty.test/cb")).toEqual(unresolved);
  const from = performance.now();
  expect(await sendTo("https://silent.test/cb", { wholeMilliseconds: 300 })).toEqual({
    httpStatus: null,
    error: "No answer within 0.3 seconds.",
  });
  expect(performance.now() - from).toBeLessThan(10_000);
});

test("a silent name server for one name does not delay another", async () => {
  names.names.set("silent.test", "silent");
  names.names.set("receiver.test", ["127.0.0.1"]);
  const hanging = Array.from({ length: 20 }, () => sendTo("https://silent.test/cb", { wholeMilliseconds: 4_000 }));
  const from = performance.now();
  expect((await sendTo(`https://receiver.test:${receiver.port}/cb`)).error).toBeNull();
  expect(performance.now() - from).toBeLessThan(3_500);
  await Promise.all(hanging);
});

test("localhost is loopback, whatever a name server says", async () => {
  expect(await nameResolver()("LOCALHOST.")).toEqual(["127.0.0.1", "::1"]);
  expect(await nameResolver({ servers: [names.address] })("a.localhost")).toEqual(["127.0.0.1", "::1"]);
});
