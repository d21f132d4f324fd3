import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { exchange } from "../../../../e2e/harness/raw-http.ts";
import { ids } from "../../domain/orders/testing/fixture.ts";
import { createLog } from "../../platform/observability/log.ts";
import { createMetrics } from "../../platform/observability/metrics.ts";
import { startMetricsPort } from "./site.ts";

let trouble: string | null = null;
const app = await startMetricsPort(
  {
    ids,
    log: createLog("silent"),
    metrics: createMetrics(),
    isStarted: () => true,
    isStopping: () => false,
    databaseHealth: { isAway: () => false, trouble: () => null, confirm: async () => trouble },
    clockWatch: { fault: () => null },
  },
  "127.0.0.1",
  0,
);
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;

test("the metrics port has the timeouts of the main port", () => {
  expect(app.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 65_000 });
});

test.each([
  ["two Host headers", "GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  ["noise", "GET /metrics HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400],
  ["another path", "GET /metrics/none HTTP/1.1\r\nHost: a\r\n\r\n", 404],
  ["a body for a path without one", "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Type: text/x\r\nContent-Length: 1\r\n\r\na", 404],
])("%s at the metrics port is refused in the documented format", async (_name, text, status) => {
  const reply = await exchange(port, text);
  expect([reply.status, reply.json()]).toEqual([status, { error: expect.any(String), message: expect.any(String) }]);
});

test("the metrics are there", async () => {
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
});

test("health is answered at the metrics' port as at the main one, with GET and HEAD", async () => {
  const ask = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return [reply.status, await reply.json()];
  };
  expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
  expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
  const askHead = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`, { method: "HEAD" })).status;
  expect([await askHead("/healthz"), await askHead("/readyz")]).toEqual([200, 200]);
  trouble = "the database does not answer";
  expect(await askHead("/readyz")).toBe(503);
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "the database does not answer" }]);
});
