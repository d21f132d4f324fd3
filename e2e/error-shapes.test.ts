import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, connect, exchange } from "./harness/raw-http.ts";
import { type Installation, logLines, startInstallation } from "./harness/service.ts";

let installation: Installation;
let consolePort: number;
let slow: readonly (readonly [path: string, connection: Connection])[] = [];
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_CONSOLE_PORT: "0" });
  const line = logLines(installation.service.output()).find(({ message }) => message === "console listening");
  consolePort = Number(new URL(String(line?.["address"])).port);
  // Begun first and read last: they are cut off after twenty seconds.
  slow = await Promise.all(SURFACES.map(async ([path]) => [path, await sendHalf(path)] as const));
});
afterAll(async () => {
  for (const [, connection] of slow) connection.destroy();
  await installation?.close();
});

const CLIENT = { status: "rejected", error: expect.any(String), code: expect.any(Number), message: expect.any(String) };
const PLAIN = { error: expect.any(String), message: expect.any(String) };
const SITE = { ...PLAIN, request_id: expect.any(String) };

const SURFACES: readonly (readonly [path: string, shape: object])[] = [
  ["/api/corp/v1/services", CLIENT],
  ["/api/operator/v1/accounts", PLAIN],
  ["/upstream/x/callback", PLAIN],
  ["/portal/api/session", SITE],
  ["/console/api/session", SITE],
];

const portOf = (path: string) => (path.startsWith("/console") ? consolePort : installation.service.port);

async function sendHalf(path: string): Promise<Connection> {
  const connection = await connect(portOf(path));
  connection.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`);
  return connection;
}

describe.each(SURFACES)("%s answers in its own form", (path, shape) => {
  test.each<readonly [what: string, text: string, status: number]>([
    ["two Host headers", `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`, 400],
    ["two Host headers of HTTP/1.0", `GET ${path} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`, 400],
    ["no Host header", `GET ${path} HTTP/1.1\r\n\r\n`, 400],
    ["a NUL in a header", `GET ${path} HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n`, 400],
    ["a NUL in the target", `GET ${path}?a=\0 HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ["two lengths", `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ["headers that are too large", `GET ${path} HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`, 431],
    ["a method that HTTP does not have", `FOO ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
    ["a tunnel", `CONNECT ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
    ["an expectation nobody knows", `GET ${path} HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n`, 417],
  ])("%s", async (_what, text, status) => {
    const reply = await exchange(portOf(path), text);
    expect([reply.status, reply.json()]).toEqual([status, shape]);
    expect(reply.headers.get("x-request-id")).toHaveLength(1);
  });

  test("an escape that is none, an odd method, and a path that is not there", async () => {
    for (const line of [
      `GET ${path}/%zz`,
      `GET ${path}/%ED%A0%80`,
      `GET ${path}/a%00b`,
      `LOCK ${path}`,
      `DELETE ${path}`,
      `POST ${path}/a/b/c`,
    ]) {
      const reply = await exchange(portOf(path), `${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect([400, 401, 403, 404, 405], line).toContain(reply.status);
      expect(reply.json(), line).toEqual(shape);
    }
  });

  test("a body that is larger than any", async () => {
    const body = `"${"a".repeat(300_000)}"`;
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const reply = await exchange(portOf(path), head + body);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.json()).toEqual(shape);
  });
});

test("a provider gets an error when its message is too large", async () => {
  const body = "a".repeat(70_000);
  const reply = await exchange(
    installation.service.port,
    `POST /upstream/x/callback HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect([reply.status, reply.json()["error"]]).toEqual([413, "body_too_large"]);
});

test.each([
  ["the query", "GET /upstream/x/callback?a=%00 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["the body", "POST /upstream/x/callback HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na\0b"],
])("a provider's message with a NUL in %s is refused", async (_where, text) => {
  const reply = await exchange(installation.service.port, text);
  expect([reply.status, reply.json()["error"]]).toEqual([400, "invalid_request"]);
});

test("a body that does not come in time is cut off on every port, in the form of its path", async () => {
  for (const [path, connection] of slow) {
    const reply = await connection.next();
    const shape = SURFACES.find(([one]) => one === path)?.[1];
    expect([path, reply?.status, reply?.json()]).toEqual([path, expect.any(Number), shape]);
    // Some refuse without the body; none waits for it for ever.
    expect([401, 403, 404, 408]).toContain(reply?.status);
  }
});
