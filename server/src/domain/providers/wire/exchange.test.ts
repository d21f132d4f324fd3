import { createServer } from "node:http";
import { type AddressInfo, createServer as createPlainServer, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { type FinishedSpan, traced, useTracer } from "../../../platform/observability/traces/tracer.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER } from "../testing/requests.ts";
import { type Call, createWire, type Wire, type WireOptions } from "./exchange.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function wire(options: Partial<WireOptions> = {}): Wire {
  const opened = createWire({ connectMilliseconds: 5000, wholeMilliseconds: 20_000, egress: testEgress(), ...options });
  closers.push(() => opened.close());
  return opened;
}

function get(origin: string, path = "/"): Call {
  return { method: "GET", origin, path, headers: {}, body: null };
}

/** A server on bare connections, which sees every byte. */
async function plain(onConnection: (socket: Socket, count: number) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createPlainServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    onConnection(socket, sockets.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test("a name that does not resolve is proof that nothing was sent", async () => {
  expect(await wire().exchange(get("http://no-such-host.invalid"), NEVER)).toMatchObject({ kind: "not_sent" });
});

test("a failed TLS handshake is proof that nothing was sent", async () => {
  const received: string[] = [];
  const origin = await plain((socket) =>
    socket.on("data", (chunk) => {
      received.push(chunk.toString("latin1"));
      socket.end("not TLS");
    }),
  );
  expect(await wire().exchange(get(origin.replace("http:", "https:"), "/secret-path"), NEVER)).toMatchObject({ kind: "not_sent" });
  expect(received.join("")).not.toContain("secret-path");
});

test("a header that cannot be written is proof that nothing was sent", async () => {
  const origin = await plain(() => {});
  expect(await wire().exchange({ ...get(origin), headers: { "x-bad": "a\r\nb" } }, NEVER)).toMatchObject({ kind: "not_sent" });
});

test("a kept connection that dies under a request leaves it unknown, and it is not sent again", async () => {
  let requests = 0;
  const origin = await plain((socket) =>
    socket.on("data", () => {
      requests++;
      if (requests === 1) socket.write(OK);
      else socket.destroy();
    }),
  );
  const opened = wire();
  expect(await opened.exchange(get(origin), NEVER)).toMatchObject({ kind: "answered" });
  // undici takes a connection up again only in the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await opened.exchange(get(origin), NEVER)).toMatchObject({ kind: "unknown" });
  expect(await opened.exchange({ ...get(origin), method: "POST", body: "x" }, NEVER)).toMatchObject({ kind: "unknown" });
  expect(requests).toBe(3);
});

test("what was given up before it had a connection never leaves, not even later", async () => {
  let requests = 0;
  const held: Socket[] = [];
  const origin = await plain((socket) => {
    held.push(socket);
    socket.on("data", (chunk) => {
      requests += chunk.toString("latin1").split("GET /").length - 1;
    });
  });
  const opened = wire();
  const calledOff = new AbortController();
  const busy = Array.from({ length: 256 }, () => opened.exchange(get(origin, "/busy"), NEVER));
  await expect.poll(() => requests).toBe(256);
  const waiting = opened.exchange(get(origin, "/late"), calledOff.signal);
  calledOff.abort();
  expect(await waiting).toMatchObject({ kind: "not_sent" });
  const seen: string[] = [];
  for (const socket of held) socket.on("data", (chunk) => seen.push(chunk.toString("latin1")));
  for (const socket of held) socket.write(OK);
  for (const exchange of await Promise.all(busy)) expect(exchange.kind).toBe("answered");
  expect(await opened.exchange(get(origin, "/after"), AbortSignal.timeout(2000))).toMatchObject({ kind: "unknown" });
  expect(seen.join("")).toContain("/after");
  expect(seen.join("")).not.toContain("/late");
});

test("an answer that ends with the connection is marked as such", async () => {
  const origin = await plain((socket) => socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nSUCCESS")));
  const exchange = await wire().exchange(get(origin), NEVER);
  expect(exchange).toMatchObject({ kind: "answered", answer: { endMarked: false } });
  const marked = await plain((socket) => socket.on("data", () => socket.write(OK)));
  expect(await wire().exchange(get(marked), NEVER)).toMatchObject({ kind: "answered", answer: { endMarked: true } });
});

test("an interim answer is not taken for the final one", async () => {
  const origin = await plain((socket) => socket.on("data", () => socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}`)));
  expect(await wire().exchange(get(origin), NEVER)).toMatchObject({ kind: "answered", answer: { status: 200 } });
});

test("path and body go out exactly as they were given", async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? "");
    request.on("data", (chunk) => received.push(String(chunk))).on("end", () => response.end("ok"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await wire().exchange({ method: "POST", origin, path: "/a/../b?x=%2e%20", headers: {}, body: "é=1" }, NEVER);
  expect(received).toEqual(["/a/../b?x=%2e%20", "é=1"]);
});

test("an answer that is not HTTP leaves the request unknown, in words that staff can read", async () => {
  const origin = await plain((socket) => socket.on("data", () => socket.write("NOPE\r\n\r\n")));
  expect(await wire().exchange(get(origin), NEVER)).toEqual({ kind: "unknown", why: "the connection failed" });
});

test("what is said about a failure has nothing of the request in it", async () => {
  const exchange = await wire().exchange(get("http://no-such-host.invalid", "/?token=s3cret"), NEVER);
  expect(JSON.stringify(exchange)).not.toContain("s3cret");
});

test("a connection is made to allowed addresses only, whatever name leads there, and a refusal is a fault of ours", async () => {
  let connections = 0;
  const origin = await plain(() => connections++);
  const named = origin.replace("127.0.0.1", "provider.example");
  const resolvesTo = (...addresses: string[]) => wire({ egress: testEgress({ allow: [], resolve: async () => addresses }) });
  const refused = { kind: "not_sent", fault: "address", why: expect.stringContaining("public addresses only") };
  expect(await wire({ egress: testEgress({ allow: [] }) }).exchange(get(origin), NEVER)).toMatchObject(refused);
  expect(await resolvesTo("127.0.0.1").exchange(get(named), NEVER)).toMatchObject(refused);
  expect(await resolvesTo("93.184.215.14", "127.0.0.1").exchange(get(named), NEVER)).toMatchObject(refused);
  expect(await resolvesTo().exchange(get(named), NEVER)).toMatchObject({ kind: "not_sent", fault: "name" });
  expect(connections).toBe(0);
});

test("a redirect is an answer, and is not followed", async () => {
  let connections = 0;
  const elsewhere = await plain(() => connections++);
  const answer = `HTTP/1.1 302 Found\r\nlocation: ${elsewhere}/\r\ncontent-length: 0\r\n\r\n`;
  const origin = await plain((socket) => socket.on("data", () => socket.write(answer)));
  expect(await wire().exchange(get(origin), NEVER)).toMatchObject({ kind: "answered", answer: { status: 302 } });
  expect(connections).toBe(0);
});

test("waiting for one of our own connections in vain is a fault of ours, not the provider's silence", async () => {
  let requests = 0;
  const origin = await plain((socket) => socket.on("data", () => requests++));
  const calledOff = new AbortController();
  const opened = wire({ wholeMilliseconds: 60_000 });
  const busy = Array.from({ length: 256 }, () => opened.exchange(get(origin), calledOff.signal));
  await expect.poll(() => requests).toBe(256);
  const late = new Promise((resolve) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    void opened.exchange(get(origin), NEVER).then(resolve);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
  });
  expect(await late).toMatchObject({ kind: "not_sent", fault: "capacity" });
  calledOff.abort();
  expect((await Promise.all(busy)).every((one) => one.kind === "unknown" && one.fault === "shutdown")).toBe(true);
});

test("with traces on, the provider gets the trace of the request, and the call is a span of it", async () => {
  const received: string[] = [];
  const origin = await plain((socket) =>
    socket.on("data", (chunk) => {
      received.push(chunk.toString("latin1"));
      socket.end(OK);
    }),
  );
  const spans: FinishedSpan[] = [];
  const undo = useTracer({ sampler: () => true, export: (span) => spans.push(span) });
  try {
    await traced({ name: "request", kind: "server", parent: null }, async () => {
      await wire().exchange(get(origin), NEVER, { operation: "recharge.pay", record: undefined });
    });
  } finally {
    undo();
  }
  const [call, request] = spans;
  expect(received[0]).toContain(`traceparent: 00-${request?.context.traceId}-${call?.context.spanId}-01`);
  expect(call).toMatchObject({
    name: "recharge.pay",
    parentSpanId: request?.context.spanId,
    attributes: { "http.response.status_code": 200 },
  });
});
