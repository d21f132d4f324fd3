import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSimpleRequest } from "./simple-request.ts";

type Read = { readonly method: string; readonly target: string; readonly rawHeaders: readonly string[]; readonly body: string };

// How node:http reads the same bytes; null if it refuses them or reads more than one request.
const server = createServer({ requireHostHeader: false });
const seen: Read[] = [];
server.on("request", (request, response) => {
  void bodyOf(request).then((body) => {
    seen.push({ method: request.method ?? "", target: request.url ?? "", rawHeaders: request.rawHeaders, body });
    response.end();
  });
});
server.on("clientError", (_error, socket) => socket.destroy());
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += (chunk as Buffer).toString("latin1");
  return body;
}

async function readByNode(bytes: Buffer): Promise<Read | null> {
  seen.length = 0;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await new Promise((resolve) => {
    socket.on("error", resolve).on("close", resolve).on("data", resolve);
    socket.write(bytes);
  });
  socket.destroy();
  return seen.length === 1 ? (seen[0] ?? null) : null;
}

const request = (...lines: readonly string[]) => Buffer.from(lines.join("\r\n"), "latin1");
const GET = "GET /api/corp/v1/services?limit=1 HTTP/1.1";
const POST = "POST /api/corp/v1/recharge HTTP/1.1";

describe("a simple request", () => {
  test("is read with its headers as sent", () => {
    expect(readSimpleRequest(request(GET, "Host: a", "x-api-TOKEN:\t t ", "X-Api-Token: u", "Empty:", "", ""))).toEqual({
      method: "GET",
      target: "/api/corp/v1/services?limit=1",
      rawHeaders: ["Host", "a", "x-api-TOKEN", "t", "X-Api-Token", "u", "Empty", ""],
      body: Buffer.alloc(0),
    });
  });

  test("may have a body, byte for byte", () => {
    const bytes = Buffer.concat([request(POST, "Host: a", "Content-Length: 3", "", ""), Buffer.of(0, 255, 13)]);
    expect(readSimpleRequest(bytes)?.body).toEqual(Buffer.of(0, 255, 13));
  });
});

test.each<[string, Buffer]>([
  ["half a request", request(GET, "Host: a", "")],
  ["two requests", Buffer.concat([request(GET, "Host: a", "", ""), request(GET, "Host: a", "", "")])],
  ["another path", request("GET /api/operator/v1/accounts HTTP/1.1", "Host: a", "", "")],
  ["another method", request("PUT /api/corp/v1/recharge HTTP/1.1", "Host: a", "", "")],
  ["another version", request("GET /api/corp/v1/services HTTP/1.0", "Host: a", "", "")],
  ["an absolute target", request("GET http://a/api/corp/v1/services HTTP/1.1", "Host: a", "", "")],
  ["no Host", request(GET, "X-Api-Token: a", "", "")],
  ["no header", request(GET, "", "")],
  ["two Hosts", request(GET, "Host: a", "Host: a", "", "")],
  ["a body that is not whole", request(POST, "Host: a", "Content-Length: 3", "", "ab")],
  ["a body and more", request(POST, "Host: a", "Content-Length: 3", "", "abcd")],
  ["a GET with a body", request(GET, "Host: a", "Content-Length: 1", "", "a")],
  ["a POST without a length", request(POST, "Host: a", "", "")],
  ["two lengths", request(POST, "Host: a", "Content-Length: 1", "content-length: 1", "", "a")],
  ["an odd length", request(POST, "Host: a", "Content-Length: +1", "", "a")],
  ["chunks", request(POST, "Host: a", "Transfer-Encoding: chunked", "", "0", "", "")],
  ["a length and chunks", request(POST, "Host: a", "Content-Length: 5", "Transfer-Encoding: chunked", "", "0", "", "")],
  ["a Connection header", request(GET, "Host: a", "CONNECTION: close", "", "")],
  ["an expectation", request(POST, "Host: a", "Expect: 100-continue", "Content-Length: 1", "", "a")],
  ["an upgrade", request(GET, "Host: a", "Upgrade: websocket", "", "")],
  ["a folded header", request(GET, "Host: a", "X-A: b", " c", "", "")],
  ["a space before the colon", request(GET, "Host : a", "", "")],
  ["a bare line feed", Buffer.from(`${GET}\nHost: a\n\n`)],
  ["a control character", request(GET, "Host: a", "X-A: \u0001", "", "")],
  ["letters beyond ASCII", request(GET, "Host: a", "X-A: \u00e9", "", "")],
  ["more than 16 KiB", request(GET, "Host: a", `X-A: ${"a".repeat(17_000)}`, "", "")],
])("left to node:http: %s", (_what, bytes) => {
  expect(readSimpleRequest(bytes)).toBeNull();
});

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("host:b ", "X-Api-Token:  t\t", "X:", "X: ;,\"'()", "content-length: 2") },
  { weight: 1, arbitrary: fc.constantFrom("Connection: close", "Transfer-Encoding: chunked", "Expect: 100-continue", "TE: trailers") },
  { weight: 1, arbitrary: fc.string({ unit: "binary-ascii", maxLength: 12 }) },
  { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 12 }).map((text) => `X-A: ${text}`) },
);
const target = fc.string({ unit: "grapheme-ascii", maxLength: 12 }).map((text) => `/api/corp/${text.replaceAll(" ", "")}`);
const framing = fc.constantFrom(["GET", "X-B: c", ""], ["GET", "Content-Length: 2", "ab"], ["POST", "Content-Length: 2", "ab"]);

test("every request that it accepts, node:http reads in the same way", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(framing, target, fc.array(header, { maxLength: 3 }), async ([method, length = "", body = ""], where, headers) => {
      const bytes = request(`${method} ${where} HTTP/1.1`, ...headers, "Host: a", length, "", body);
      const simple = readSimpleRequest(bytes);
      if (simple === null) return;
      taken++;
      expect({ ...simple, body: simple.body.toString("latin1") }).toEqual(await readByNode(bytes));
    }),
    { numRuns: 1_500 },
  );
  expect(taken).toBeGreaterThan(200);
});
