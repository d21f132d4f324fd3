import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAnswered, expectRefusal, expectSiteHeaders, getText, INVALID_REQUEST, PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, newClient } from "./harness/operator.ts";
import { type Connection, connect, exchange, type RawReply } from "./harness/raw-http.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await newClient(installation.service, { settings: { money_per_minute: 10_000, get_per_minute: 10_000 } });
});
afterAll(() => installation?.close());

const port = () => installation.service.port;
const TARGET = `${PREFIX}/services`;

async function replies(connection: Connection, count: number): Promise<readonly (RawReply | null)[]> {
  const seen: (RawReply | null)[] = [];
  for (let at = 0; at < count; at++) seen.push(await connection.next());
  return seen;
}

/** The refusal of what is no HTTP: one reply, after which the connection is closed. */
async function expectCutOff(text: string | Uint8Array, status = 400): Promise<void> {
  const connection = await connect(port());
  try {
    connection.send(text);
    const reply = await connection.next();
    if (!reply) throw new Error("The connection was closed without a reply.");
    expect(reply.status).toBe(status);
    expect(reply.json()).toEqual({ status: "rejected", error: "invalid_request", code: 120, message: expect.any(String) });
    expectSiteHeaders(reply);
    expect(reply.headers.get("connection")).toEqual(["close"]);
    expect(await connection.next()).toBeNull();
  } finally {
    connection.destroy();
  }
}

const post = (headers: string, body: string) => `POST ${TARGET} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`;
const SMUGGLED = getText("/services", { token: "tok_live_smuggled" });

const BROKEN: readonly (readonly [name: string, text: string])[] = [
  ["two lengths that differ", post("Content-Length: 3\r\nContent-Length: 5", `abc${SMUGGLED}`)],
  ["two lengths that agree", post("Content-Length: 3\r\nContent-Length: 3", "abc")],
  ["a list of lengths", post("Content-Length: 3, 5", "abc")],
  ["a length and chunks", post("Content-Length: 4\r\nTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`)],
  ["chunks and a length", post("Transfer-Encoding: chunked\r\nContent-Length: 4", `0\r\n\r\n${SMUGGLED}`)],
  ["a negative length", post("Content-Length: -1", "")],
  ["a length with a sign", post("Content-Length: +3", "abc")],
  ["a length in hexadecimal", post("Content-Length: 0x3", "abc")],
  ["a length that overflows", post("Content-Length: 18446744073709551617", "a")],
  ["an empty length", post("Content-Length:", "")],
  ["chunks with a space before the colon", post("Transfer-Encoding : chunked", "0\r\n\r\n")],
  ["an unknown encoding", post("Transfer-Encoding: xchunked", "0\r\n\r\n")],
  ["chunked, then another encoding", post("Transfer-Encoding: chunked, identity", "0\r\n\r\n")],
  ["chunked in two headers, not last", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n")],
  ["a folded encoding", post("Transfer-Encoding:\r\n chunked", "0\r\n\r\n").replace("\r\n chunked", "\r\n\x0bchunked")],
  ["a chunk size that is no number", post("Transfer-Encoding: chunked", "zz\r\nab\r\n0\r\n\r\n")],
  ["a chunk size with 0x", post("Transfer-Encoding: chunked", "0x2\r\nab\r\n0\r\n\r\n")],
  ["a chunk size that overflows", post("Transfer-Encoding: chunked", "fffffffffffffffff\r\nab")],
  ["a chunk longer than it says", post("Transfer-Encoding: chunked", "1\r\nabc\r\n0\r\n\r\n")],
  ["chunks ended by bare line feeds", post("Transfer-Encoding: chunked", "1\na\n0\n\n")],
  ["bare line feeds between headers", `GET ${TARGET} HTTP/1.1\nHost: a\nX-Api-Token: x\n\n`],
  ["a bare carriage return in a value", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-A: b\rX-Api-Token: c\r\n\r\n`],
  ["a NUL in a value", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n`],
  ["a space in a header's name", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-Api Token: x\r\n\r\n`],
  ["an empty header name", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n`],
  ["a header without a colon", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-Api-Token\r\n\r\n`],
  ["no Host", `GET ${TARGET} HTTP/1.1\r\nX-Api-Token: x\r\n\r\n`],
  ["HTTP/2.0 on the line", `GET ${TARGET} HTTP/2.0\r\nHost: a\r\n\r\n`],
  ["HTTP/9.9", `GET ${TARGET} HTTP/9.9\r\nHost: a\r\n\r\n`],
  ["HTTP/0.9", `GET ${TARGET}\r\n\r\n`],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["another protocol's method", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["the first bytes of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["a space in the target", `GET ${TARGET} x HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["a tunnel", "CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: 10.0.0.1:443\r\n\r\n"],
];

test.each(BROKEN)("%s: refused in the shape of a refusal, and the connection is closed", async (_name, text) => {
  await expectCutOff(text);
});

test.each([
  ["one header", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`],
  ["many headers", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\n${"X-A: aaaaaaaaaa\r\n".repeat(2_000)}\r\n`],
  ["a target", `GET ${TARGET}?a=${"a".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["a header without an end", `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(200_000)}`],
])("headers over 16 KiB are refused as such: %s", async (_name, text) => {
  await expectCutOff(text, 431);
});

test("a trailer cannot bring the token in afterwards", async () => {
  const body = "2\r\n{}\r\n0\r\nX-Api-Token: ";
  const reply = await exchange(
    port(),
    post("Content-Type: application/json\r\nTransfer-Encoding: chunked", `${body}${client.token}\r\n\r\n`),
  );
  expect(reply.status).toBe(405);
  const got = await exchange(
    port(),
    `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Api-Token: ${client.token}\r\n\r\n`,
  );
  expectRefusal(got, INVALID_REQUEST);
});

describe("connections", () => {
  test("pipelined requests are answered in the order they were sent", async () => {
    const connection = await connect(port());
    const paths = ["/services?limit=1", "/nowhere", "/operators?limit=2", "/services?limit=3", "/operators?limit=0"];
    connection.send(paths.map((path) => getText(path, { token: client.token })).join(""));
    const seen = await replies(connection, paths.length);
    expect(seen.map((reply) => reply?.status)).toEqual([200, 404, 200, 200, 400]);
    expect(seen.map((reply) => (reply?.json()["items"] as unknown[] | undefined)?.length)).toEqual([1, undefined, 2, 3, undefined]);
    connection.destroy();
  });

  test("a good request's reply comes before the refusal of garbage that follows it", async () => {
    const connection = await connect(port());
    connection.send(`${getText("/services", { token: client.token })}garbage\r\n\r\n`);
    const [first, second, end] = await replies(connection, 3);
    expect(first?.status).toBe(200);
    expect(second?.status).toBe(400);
    expect(end).toBeNull();
  });

  test("a request split into single bytes is one request", async () => {
    const connection = await connect(port());
    for (const byte of Buffer.from(getText("/services", { token: client.token }))) connection.send(Buffer.of(byte));
    const reply = await connection.next();
    if (!reply) throw new Error("No reply.");
    expectAnswered(reply);
    connection.destroy();
  });

  test("clients that leave in the middle of a request leave no trace", async () => {
    for (const text of ["GET /api", getText("/services").slice(0, 50), post("Content-Length: 100", "{")]) {
      const connection = await connect(port());
      connection.send(text);
      connection.destroy();
    }
    expectAnswered(await exchange(port(), getText("/services", { token: client.token })));
  });

  test("HTTP/1.0 is answered and closed, with or without a Host", async () => {
    for (const host of ["", "Host: a\r\n"]) {
      const connection = await connect(port());
      connection.send(`GET ${TARGET} HTTP/1.0\r\n${host}X-Api-Token: ${client.token}\r\n\r\n`);
      expect((await connection.next())?.status).toBe(200);
      expect(await connection.next()).toBeNull();
    }
  });

  test("Expect: 100-continue is invited to go on, then judged", async () => {
    const connection = await connect(port());
    connection.send(post("Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2", ""));
    expect((await connection.next())?.status).toBe(100);
    connection.send("{}");
    expect((await connection.next())?.status).toBe(405);
    connection.destroy();
  });

  test("another expectation is refused", async () => {
    const reply = await exchange(port(), post("Expect: the unexpected\r\nContent-Length: 2", "{}"));
    expect(reply.status).toBe(417);
    expect(reply.json()).toMatchObject({ status: "rejected", error: "invalid_request", code: 120 });
    expectSiteHeaders(reply);
  });

  test.each([
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  ])("an upgrade is not granted: %j", async (headers) => {
    const reply = await exchange(port(), `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-Api-Token: ${client.token}\r\n${headers}\r\n\r\n`);
    expectAnswered(reply);
  });

  test("the connection header cannot take the token off the request", async () => {
    const reply = await exchange(port(), getText("/services", { token: client.token, headers: [["Connection", "close, X-Api-Token"]] }));
    expectAnswered(reply);
  });

  test("a body far over the limit is refused without being read to its end, and the sender gets to see it", async () => {
    const before = installation.service.output().length;
    const connection = await connect(port());
    const megabyte = Buffer.alloc(1024 * 1024, "a");
    connection.send(post(`Content-Type: application/json\r\nContent-Length: ${64 * megabyte.length}`, ""));
    connection.pause();
    for (let sent = 0; sent < 8; sent++) connection.send(megabyte);
    // It is looked at only after the service has written it, and done whatever it does at once after that.
    await until("the service has answered", () => installation.service.output().includes(`"path":"${TARGET}","status":405`, before));
    expectAnswered(await exchange(port(), getText("/services", { token: client.token })));
    connection.resume();
    const reply = await connection.next();
    expect(reply?.status).toBe(405);
    expect(reply?.headers.get("connection")).toEqual(["close"]);
    await connection.closed;
  });

  test("a body a little over the limit is read and the connection goes on", async () => {
    const connection = await connect(port());
    connection.send(post(`Content-Type: application/json\r\nContent-Length: ${200 * 1024}`, "a".repeat(200 * 1024)));
    expect((await connection.next())?.status).toBe(405);
    connection.send(getText("/services", { token: client.token }));
    expect((await connection.next())?.status).toBe(200);
    connection.destroy();
  });

  test("a client that reads nothing does not hold up others", async () => {
    const connection = await connect(port());
    connection.pause();
    connection.send(getText("/operators", { token: client.token }).repeat(300));
    expectAnswered(await exchange(port(), getText("/services", { token: client.token })));
    connection.destroy();
  });

  test("a thousand idle connections do not hold up others", async () => {
    const idle = await Promise.all(Array.from({ length: 1000 }, () => connect(port())));
    try {
      for (const connection of idle.slice(0, 300)) connection.send(`GET ${TARGET} HTTP/1.1\r\nHost: a\r\n`);
      for (const connection of idle.slice(300, 400)) connection.send(post("Content-Length: 1000", "{"));
      const startedAt = performance.now();
      expectAnswered(await exchange(port(), getText("/services", { token: client.token })));
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    } finally {
      for (const connection of idle) connection.destroy();
    }
    await until(
      "the service answers as before",
      async () => (await exchange(port(), getText("/services", { token: client.token }))).status === 200,
    );
  });
});

describe("slow senders", () => {
  test.concurrent("headers that do not arrive in ten seconds are cut off", async ({ expect: expectHere }) => {
    const connection = await connect(port());
    connection.send(`GET ${TARGET} HTTP/1.1\r\nHost: a\r\n`);
    const trickle = setInterval(() => connection.send("X-A: b\r\n"), 500);
    const reply = await connection.next({ milliseconds: 15_000 });
    clearInterval(trickle);
    expectHere(reply?.status).toBe(408);
    expectHere(reply?.json()).toMatchObject({ status: "rejected", error: "invalid_request", code: 120 });
    await connection.closed;
  });

  test.concurrent("a body that does not arrive in twenty seconds is cut off", async ({ expect: expectHere }) => {
    const connection = await connect(port());
    connection.send(post("Content-Type: application/json\r\nContent-Length: 5000", "{"));
    const trickle = setInterval(() => connection.send(" "), 500);
    const reply = await connection.next({ milliseconds: 30_000 });
    clearInterval(trickle);
    expectHere(reply?.status).toBe(408);
    await connection.closed;
  });

  test.concurrent("a connection that never says anything is closed", async () => {
    const connection = await connect(port());
    await connection.next({ milliseconds: 15_000 });
    await connection.closed;
  });
});
