import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBatcher } from "../../db/batching/batcher.ts";
import { createLog } from "../log.ts";
import { createExporter, type Exporter } from "./exporter.ts";
import { readTraceSettings } from "./settings.ts";
import { parseTraceparent, traceparentOf } from "./trace-context.ts";
import { currentTrace, traced, useTracer } from "./tracer.ts";

type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
};

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** A collector over a real socket. */
async function startCollector(status = 200) {
  const spans: SentSpan[] = [];
  const resources: unknown[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { resource: unknown; scopeSpans: { spans: SentSpan[] }[] }[];
      };
      for (const one of body.resourceSpans) {
        resources.push(one.resource);
        spans.push(...one.scopeSpans.flatMap((scope) => scope.spans));
      }
      reply.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, resources, close: () => new Promise((resolve) => server.close(resolve)) };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let exporter: Exporter;
let counts: Record<string, number>;
let undo = () => {};

function start(environment: Record<string, string> = {}, url = collector.url): void {
  const { settings, faults } = readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...environment });
  if (settings === null) throw new Error(faults.join("\n"));
  counts = { exported: 0, dropped: 0, failed: 0 };
  const count = (outcome: string, spans: number) => {
    counts[outcome] = (counts[outcome] ?? 0) + spans;
  };
  exporter = createExporter({ ...settings, count });
  undo = useTracer({ sampler: settings.sampler, export: exporter.add });
}

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  undo();
  undo = () => {};
  await collector.close();
});

test("a span continues the caller's trace, its children belong to it, and a failed one is marked", async () => {
  start({ OTEL_SERVICE_NAME: "payments", OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" });
  await traced({ name: "request", kind: "server", parent: parseTraceparent(PARENT) }, async () => {
    await traced(
      { name: "provider", kind: "client", attributes: { "http.response.status_code": 200, fast: true, share: 0.5 } },
      async () => {},
    );
    await traced({ name: "broken", kind: "internal" }, async () => Promise.reject(new Error("no"))).catch(() => {});
  });
  await exporter.close();
  const [provider, broken, request] = collector.spans;
  expect(request).toMatchObject({
    name: "request",
    kind: 2,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    parentSpanId: "00f067aa0ba902b7",
  });
  expect(provider).toMatchObject({ name: "provider", kind: 3, traceId: request?.traceId, parentSpanId: request?.spanId });
  expect(provider?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: "200" } });
  expect(provider?.attributes).toContainEqual({ key: "share", value: { doubleValue: 0.5 } });
  expect(broken?.status).toEqual({ code: 2 });
  expect(JSON.stringify(collector.resources[0])).toContain('{"key":"service.name","value":{"stringValue":"payments"}}');
  expect(counts).toEqual({ exported: 3, dropped: 0, failed: 0 });
});

test("a batch is a trace of its own with a link to each request that it works for", async () => {
  start();
  const batcher = createBatcher<number, number>({ run: async (items) => items, maxItems: 10, maxInFlight: 1, traceName: "order batch" });
  const request = (item: number) => traced({ name: `request ${item}`, kind: "server", parent: null }, () => batcher.submit(item));
  expect(await Promise.all([request(1), request(2)])).toEqual([1, 2]);
  await exporter.close();
  const batch = collector.spans.find(({ name }) => name === "order batch");
  const requests = collector.spans.filter(({ name }) => name.startsWith("request"));
  expect(batch?.parentSpanId).toBeUndefined();
  expect(batch?.links.map(({ spanId }) => spanId).toSorted()).toEqual(requests.map(({ spanId }) => spanId).toSorted());
  expect(requests.every(({ traceId }) => traceId !== batch?.traceId)).toBe(true);
});

test("log lines carry the trace in which they were written", async () => {
  start();
  const lines: string[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(line) });
  const trace = await traced({ name: "request", kind: "server", parent: null }, async () => {
    log.info("inside");
    return currentTrace();
  });
  log.info("outside");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ message: "inside", trace_id: trace?.traceId, span_id: trace?.spanId });
  expect(lines[1]).not.toContain("trace_id");
});

test("without an endpoint nothing is traced, and work gets no span", async () => {
  expect(readTraceSettings({ OTEL_SERVICE_NAME: "x" })).toEqual({ settings: null, faults: [] });
  expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_SDK_DISABLED: "true" }).settings).toBeNull();
  await traced({ name: "request", kind: "server" }, async (span) => {
    expect(span).toBeNull();
    expect(currentTrace()).toBeUndefined();
  });
});

test("spans beyond the queue are dropped and counted, and a collector that is down causes no error", async () => {
  start({ OTEL_BSP_MAX_QUEUE_SIZE: "3", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "100" }, "http://127.0.0.1:9");
  for (let turn = 0; turn < 5; turn++) await traced({ name: "request", kind: "server", parent: null }, async () => {});
  await exporter.close();
  expect(counts).toEqual({ exported: 0, dropped: 2, failed: 3 });
});

test.each([
  ["always_off", "", PARENT, 0],
  ["parentbased_always_off", "", PARENT, 1],
  ["parentbased_always_on", "", PARENT.replace(/01$/, "00"), 0],
  ["traceidratio", "0", PARENT, 0],
  ["traceidratio", "1", PARENT, 1],
])("the sampler %s %s decides about a caller's trace", async (name, share, parent, exported) => {
  start({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share });
  await traced({ name: "request", kind: "server", parent: parseTraceparent(parent) }, async (span) => {
    expect(traceparentOf(span?.context ?? { traceId: "", spanId: "", isSampled: false }).endsWith(exported === 1 ? "-01" : "-00")).toBe(
      true,
    );
  });
  await exporter.close();
  expect(counts["exported"]).toBe(exported);
});

test.each([
  "",
  "garbage",
  PARENT.toUpperCase(),
  `ff${PARENT.slice(2)}`,
  `${PARENT}-more`,
  PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0".repeat(32)),
])("the header %j begins a new trace", (header) => {
  expect(parseTraceparent(header)).toBeNull();
});

test("wrong settings are named", () => {
  const { faults } = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_BSP_MAX_QUEUE_SIZE: "none",
  });
  expect(faults).toHaveLength(4);
});
