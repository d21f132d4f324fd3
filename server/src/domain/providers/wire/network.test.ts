import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeAll, expect, test } from "vitest";
import { parseRange } from "../../../platform/network/address.ts";
import { makeCertificate } from "../../callbacks/testing/certificate.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER } from "../testing/requests.ts";
import { type Call, clientCertificateFault, createWire, type Wire, type WireOptions } from "./exchange.ts";
import { closeAll, closeLater, listen, plainServer } from "./testing/servers.ts";

let certificate: ReturnType<typeof makeCertificate>;
beforeAll(() => {
  certificate = makeCertificate("provider.example");
});
afterEach(closeAll);

const resolve = async (name: string) => {
  if (name.endsWith(".example")) return ["127.0.0.1"];
  throw new Error("No such name.");
};

function wire(options: Partial<WireOptions> = {}): Wire {
  const egress = testEgress({ resolve, ca: certificate.cert });
  const opened = createWire({ connectMilliseconds: 5000, wholeMilliseconds: 20_000, egress, ...options });
  closeLater(() => opened.close());
  return opened;
}

function get(origin: string, more: Partial<Call> = {}): Call {
  return { method: "GET", origin, path: "/", headers: {}, body: null, ...more };
}

test.each(["PUT", "PATCH", "DELETE"] as const)("%s goes out with its body, and the answer's headers come back", async (method) => {
  const server = createHttpServer((request, response) => {
    response.setHeader("Set-Cookie", ["a=1", "b=2"]);
    request.on("data", (chunk) => response.write(`${request.method} ${chunk}`)).on("end", () => response.end());
  });
  const port = await listen(server);
  const exchange = await wire().exchange(get(`http://127.0.0.1:${port}`, { method, body: Buffer.from("bytes") }), NEVER);
  expect(exchange).toMatchObject({ kind: "answered", answer: { status: 200, headers: { "set-cookie": "a=1, b=2" } } });
  expect(exchange.kind === "answered" && exchange.answer.body.toString()).toBe(`${method} bytes`);
});

test("a call's own time limit replaces the wire's", async () => {
  const port = await plainServer(() => {});
  const exchange = await wire().exchange(get(`http://127.0.0.1:${port}`, { wholeMilliseconds: 60 }), NEVER);
  expect(exchange).toMatchObject({ kind: "unknown", why: "no answer within 60 ms" });
});

const MEGABYTE = Buffer.alloc(1024 * 1024, "x");

/** Sends as many megabytes without a declared length and counts what was taken. */
async function largeServer(megabytes: number) {
  const counted = { sent: 0 };
  const server = createHttpServer(async (_, response) => {
    for (let sent = 0; sent < megabytes && !response.destroyed; sent++) {
      if (!response.write(MEGABYTE)) await new Promise<void>((next) => response.once("drain", next).once("close", next));
      counted.sent++;
    }
    response.end();
  });
  return { origin: `http://127.0.0.1:${await listen(server)}`, counted };
}

test("a query's answer may have some megabytes; a transaction's may not", async () => {
  const { origin } = await largeServer(5);
  expect(await wire().exchange(get(origin), NEVER)).toMatchObject({ kind: "unknown", why: "the answer is larger than 65536 bytes" });
  const exchange = await wire().exchange(get(origin, { kind: "query" }), NEVER);
  expect(exchange.kind === "answered" && exchange.answer.body.length).toBe(5 * 1024 * 1024);
  const small = get(origin, { kind: "query", maxAnswerBytes: 1000 });
  expect(await wire().exchange(small, NEVER)).toMatchObject({ why: "the answer is larger than 1000 bytes" });
});

test("an answer of 20 MB is cut off and unknown, whatever limit the call asks for", async () => {
  const { origin, counted } = await largeServer(20);
  const exchange = await wire().exchange(get(origin, { kind: "query", maxAnswerBytes: 100e6 }), NEVER);
  expect(exchange).toMatchObject({ kind: "unknown", why: "the answer is larger than 8388608 bytes" });
  expect(counted.sent).toBeLessThan(20);
});

test("an answer that declares too large a length is not read at all", async () => {
  const port = await plainServer((socket) => socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 20000000\r\n\r\n")));
  expect(await wire().exchange(get(`http://127.0.0.1:${port}`, { kind: "query" }), NEVER)).toMatchObject({ kind: "unknown" });
});

test("a client certificate identifies us; without it, or with a bad one, nothing is sent", async () => {
  const seen: (string | undefined)[] = [];
  const options = { key: certificate.key, cert: certificate.cert, ca: certificate.cert, requestCert: true, rejectUnauthorized: false };
  const server = createTlsServer(options, (request, response) => {
    seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? ""));
    response.end("ok");
  });
  const origin = `https://provider.example:${await listen(server)}`;
  const own = { certificate: certificate.cert, key: certificate.key };
  expect(await wire({ clientCertificate: own }).exchange(get(origin), NEVER)).toMatchObject({ kind: "answered" });
  expect(await wire().exchange(get(origin), NEVER)).toMatchObject({ kind: "answered" });
  expect(seen).toEqual(["provider.example", ""]);
  expect(clientCertificateFault(own)).toBeNull();
  const bad = { certificate: certificate.cert, key: "not a key" };
  expect(await wire({ clientCertificate: bad }).exchange(get(origin), NEVER)).toMatchObject({ kind: "not_sent", fault: "credentials" });
  expect(seen).toHaveLength(2);
});

test("requests come from the source address that was set; one that this machine lacks is a fault of ours", async () => {
  const sources: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    sources.push(request.socket.remoteAddress);
    response.end("ok");
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  expect(await wire({ localAddress: "127.0.0.7" }).exchange(get(origin), NEVER)).toMatchObject({ kind: "answered" });
  expect(await wire({ localAddress: "127.0.0.8" }).exchange(get(origin.replace("127.0.0.1", "a.example")), NEVER)).toMatchObject({
    kind: "answered",
  });
  expect(sources).toEqual(["127.0.0.7", "127.0.0.8"]);
  const absent = await wire({ localAddress: "203.0.113.9" }).exchange(get(origin), NEVER);
  expect(absent).toMatchObject({ kind: "not_sent", fault: "connector", why: expect.stringContaining("EADDRNOTAVAIL") });
  const otherFamily = await wire({ localAddress: "::1" }).exchange(get(origin.replace("127.0.0.1", "a.example")), NEVER);
  expect(otherFamily).toMatchObject({ kind: "not_sent", fault: "name" });
});

type Proxy = { readonly url: string; readonly asked: string[]; readonly heads: string[] };

/** A proxy that connects to wherever it is told, or answers something else. */
async function startProxy(answer = "HTTP/1.1 200 Connection established\r\n\r\n", portOf?: number): Promise<Proxy> {
  const [asked, heads]: [string[], string[]] = [[], []];
  const port = await plainServer((socket: Socket) => {
    socket.once("data", (chunk) => {
      const head = chunk.toString("latin1");
      const [, target = ""] = /^CONNECT (\S+) HTTP/.exec(head) ?? [];
      asked.push(target);
      heads.push(head);
      socket.write(answer);
      if (!answer.includes(" 200 ")) return socket.end();
      const [host = "", given = ""] = target.split(":");
      const onward = connect(portOf ?? Number(given), host.endsWith(".example") ? "127.0.0.1" : host);
      closeLater(async () => onward.destroy());
      onward.on("error", () => socket.destroy());
      return socket.pipe(onward).pipe(socket);
    });
  });
  return { url: `http://127.0.0.1:${port}`, asked, heads };
}

async function secureServer(): Promise<string> {
  const server = createTlsServer({ key: certificate.key, cert: certificate.cert }, (request, response) =>
    response.end(request.headers.host),
  );
  return `https://provider.example:${await listen(server)}`;
}

test("a proxy is told the checked address, and the certificate is checked against the name", async () => {
  const [origin, proxy] = [await secureServer(), await startProxy()];
  const through = wire({ proxy: { url: proxy.url.replace("//", "//user:pa%3Ass@") } });
  const exchange = await through.exchange(get(origin), NEVER);
  expect(exchange.kind === "answered" && exchange.answer.body.toString()).toBe(new URL(origin).host);
  expect(proxy.asked).toEqual([`127.0.0.1:${new URL(origin).port}`]);
  expect(proxy.heads[0]).toContain(`proxy-authorization: Basic ${Buffer.from("user:pa:ss").toString("base64")}\r\n`);
  const byName = await wire({ proxy: { url: proxy.url, connectTo: "name" } }).exchange(get(origin), NEVER);
  expect([byName.kind, proxy.asked[1]]).toEqual(["answered", new URL(origin).host]);
  const other = await wire({ proxy }).exchange(get(origin.replace("provider.", "other.")), NEVER);
  expect(other).toMatchObject({ kind: "not_sent", why: expect.stringContaining("ALTNAME") });
});

test("plain HTTP goes through the proxy's tunnel as well", async () => {
  const port = await plainServer((socket) => socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")));
  const proxy = await startProxy();
  expect(await wire({ proxy }).exchange(get(`http://a.example:${port}`), NEVER)).toMatchObject({ kind: "answered" });
  expect(proxy.asked).toEqual([`127.0.0.1:${port}`]);
});

test("a target that the address rules refuse never reaches the proxy, and a proxy that they refuse is not dialled", async () => {
  const proxy = await startProxy();
  const refused = { kind: "not_sent", fault: "address", why: expect.stringContaining("public addresses only") };
  const inside = testEgress({ resolve: async (name) => (name === "inside.example" ? ["10.0.0.5"] : ["127.0.0.1"]) });
  for (const origin of ["http://inside.example", "http://10.0.0.5", "http://169.254.169.254"])
    for (const connectTo of ["address", "name"] as const)
      expect(await wire({ egress: inside, proxy: { url: proxy.url, connectTo } }).exchange(get(origin), NEVER)).toMatchObject(refused);
  const unknown = await wire({ proxy }).exchange(get("http://no-such-host.invalid"), NEVER);
  expect(unknown).toMatchObject({ kind: "not_sent", fault: "name" });
  const allow = ["198.51.100.0/24"].map(parseRange).filter((range) => range !== null);
  const egress = testEgress({ allow, resolve });
  expect(await wire({ egress, proxy }).exchange(get("http://198.51.100.1"), NEVER)).toMatchObject(refused);
  expect(proxy.asked).toEqual([]);
});

test("a proxy that refuses, is down or says nonsense is a fault of ours; one that cannot reach the provider is not", async () => {
  const origin = "http://a.example:9";
  const askThrough = async (answer: string) => wire({ proxy: await startProxy(answer) }).exchange(get(origin), NEVER);
  expect(await askThrough("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")).toMatchObject({ kind: "not_sent", fault: "proxy" });
  expect(await askThrough("nonsense\r\n\r\n")).toMatchObject({ kind: "not_sent", fault: "proxy", why: expect.stringContaining("no HTTP") });
  const bad = await askThrough("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  expect(bad).toEqual({ kind: "not_sent", why: "the proxy refused the connection (502)" });
  const down = await wire({ proxy: { url: "http://127.0.0.1:9" } }).exchange(get(origin), NEVER);
  expect(down).toMatchObject({ kind: "not_sent", fault: "proxy" });
  const silent = { url: `http://127.0.0.1:${await plainServer(() => {})}` };
  expect(await wire({ proxy: silent, connectMilliseconds: 80 }).exchange(get(origin), NEVER)).toMatchObject({
    kind: "not_sent",
    fault: "proxy",
  });
});
