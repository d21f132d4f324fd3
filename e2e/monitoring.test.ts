import { access, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { change, newClient } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";
import { type Installation, logLines, ROOT, startInstallation } from "./harness/service.ts";

type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>> };

let installation: Installation;
let samples: readonly Sample[];
/** Takes connections and says nothing: what waits for its eight places stays due. */
const silent = createServer((socket) => socket.on("error", () => {}));
/** Receives the spans of the service. */
let collector: Listener;
/** Receives callbacks, with their headers. */
let receiver: Listener;
beforeAll(async () => {
  [collector, receiver] = await Promise.all([startListener(), startListener()]);
  installation = await startInstallation({
    CORPRAIL_SIMULATOR_DELAY_MS: "100",
    CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  await makeTraffic();
  samples = await until("callbacks were tried, and one is due", async () => {
    const seen = await scrape();
    return seen.some((sample) => sample.name === "corprail_callback_oldest_due_seconds") && seen;
  });
});
afterAll(async () => {
  await installation.close();
  silent.close();
  await Promise.all([collector.close(), receiver.close()]);
});

/** One of everything that a metric tells of: a call, a refusal, an order that ends later, a delivery, and one that nobody takes. */
async function makeTraffic(): Promise<void> {
  const { service } = installation;
  const recharge = async (token: string, urid: string) => {
    const body = JSON.stringify({ account: "9876543200", operator: "AT", amount: "10", urid });
    const headers = { "x-api-token": token, "content-type": "application/json" };
    await (await fetch(`${service.url}/api/corp/v1/recharge`, { method: "POST", headers, body })).text();
  };
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  const { port } = silent.address() as AddressInfo;
  for (const url of [`${service.url}/healthz`, "http://127.0.0.1:9/", `http://127.0.0.1:${port}/`]) {
    const client = await newClient(service, { settings: { callback_url: url } });
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "200", reference: "start", note: "" });
    for (let order = 0; order < 12; order++) await recharge(client.token, `m-${order}`);
  }
  await recharge("tok_live_nobody", "m-2");
}

async function scrape(): Promise<readonly Sample[]> {
  const { service } = installation;
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  const lines = (await reply.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => ({ name: /^\w+/.exec(line)?.[0] ?? "", labels: labelsOf(/\{(.*)\}/.exec(line)?.[1] ?? "") }));
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));
}

async function alertFile(): Promise<string> {
  return readFile(join(ROOT, "docs/monitoring/alerts.yml"), "utf8");
}

async function dashboardQueries(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, "docs/monitoring/grafana-dashboard.json"), "utf8");
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap((panel) => panel.targets.map((target) => target.expr));
}

/** The queries of the alerts, folded ones as one line. */
async function alertQueries(): Promise<readonly string[]> {
  const found = [...(await alertFile()).matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*))/gm)];
  return found.map(([, folded, plain]) => (folded ?? plain ?? "").replaceAll(/\s+/g, " ").trim());
}

test("every metric in the alerts and on the dashboard is exported by a running service", async () => {
  const queries = [...(await alertQueries()), ...(await dashboardQueries())];
  expect(queries.length).toBeGreaterThanOrEqual(30);
  const named = new Set(queries.flatMap((query) => query.match(/corprail_\w+/g) ?? []));
  const exported = new Set(samples.map((sample) => sample.name));
  expect([...named].filter((name) => !exported.has(name))).toEqual([]);
  // Prometheus's own, and nothing else.
  const others = queries.filter((query) => !query.includes("corprail_"));
  expect(others).toEqual([`up{job="corprail"} == 0`]);
});

test("every metric of the service's own is described on the page about operating", async () => {
  const page = await readFile(join(ROOT, "docs/operating.md"), "utf8");
  const described = new Set(page.match(/corprail_\w+/g));
  const own = new Set(samples.map(({ name }) => name).filter((name) => !/^corprail_(?:nodejs|process)_/.test(name)));
  expect(own.size).toBeGreaterThan(30);
  expect([...own].filter((name) => !described.has(name) && !described.has(name.replace(/_(?:bucket|sum|count)$/, "")))).toEqual([]);
});

test("every label in a query is one that its metric has, and its value one that occurs", async () => {
  const queries = [...(await alertQueries()), ...(await dashboardQueries())];
  const selectors = queries.flatMap((query) => [...query.matchAll(/(corprail_\w+)\{([^}]*)\}/g)]);
  expect(selectors.length).toBeGreaterThan(5);
  for (const [, name = "", selector = ""] of selectors) {
    for (const [, label = "", operator = "", value = ""] of selector.matchAll(/(\w+)(=~|!~|=)"([^"]*)"/g)) {
      const values = new Set(samples.filter((sample) => sample.name === name).map((sample) => sample.labels[label]));
      expect(values, `${name} has no label ${label}`).not.toContain(undefined);
      // Statuses and refusals that this test does not provoke are known by their table.
      const matched = [...values].filter((one) => new RegExp(`^(?:${value})$`).test(one ?? ""));
      // It leaves something out, and leaves something in.
      if (operator === "!~") expect([matched.length > 0, matched.length < values.size]).toEqual([true, true]);
      if (["stage", "part", "state"].includes(label)) expect(values).toContain(value);
    }
  }
});

test("every alert has a name of its own, a severity, and a runbook that exists", async () => {
  const text = await alertFile();
  const names = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(text.match(/severity: (?:page|warn) /g)?.length).toBe(names.length);
  const runbooks = [...text.matchAll(/runbook: (\S+)/g)].map(([, path = ""]) => path);
  expect(runbooks.length).toBe(names.length);
  for (const path of runbooks) await access(join(ROOT, path));
});

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
};

function receivedSpans(): readonly Span[] {
  return collector.heard.flatMap(({ body }) => {
    const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    return sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

test("a caller's trace leads from the request to its batches and its callback, in the log, and to an exemplar", async () => {
  const { service } = installation;
  const client = await newClient(service, { settings: { callback_url: `${receiver.url}/` } });
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "200", reference: "start", note: "" });
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = {
    "x-api-token": client.token,
    "content-type": "application/json",
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  };
  const body = JSON.stringify({ account: "9876543200", operator: "AT", amount: "10", urid: "traced" });
  await (await fetch(`${service.url}/api/corp/v1/recharge`, { method: "POST", headers, body })).text();
  const request = await until("the request's span arrives", async () => receivedSpans().find((span) => span.traceId === traceId) ?? null);
  expect(request).toMatchObject({ name: "POST /recharge", parentSpanId: "00f067aa0ba902b7" });
  const linked = (name: string) =>
    receivedSpans().find((span) => span.name === name && span.links.some(({ spanId }) => spanId === request.spanId));
  for (const name of ["admission batch", "order batch", "callback status"])
    await until(`a linked ${name} arrives`, async () => linked(name) ?? null);
  const delivered = receiver.heard.find(({ url }) => url.includes("traced"));
  expect(delivered?.headers["traceparent"]).toBe(`00-${linked("callback status")?.traceId}-${linked("callback status")?.spanId}-01`);
  expect(logLines(service.output()).filter((line) => line["trace_id"] === traceId && line["message"] === "request")).toHaveLength(1);
  // Ids only: neither the number nor the token is in any span.
  expect(JSON.stringify(receivedSpans())).not.toMatch(/9876543200|tok_live/);
  const accept = "application/openmetrics-text; version=1.0.0";
  const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}`, accept } });
  expect(metrics.headers.get("content-type")).toContain("application/openmetrics-text");
  expect(await metrics.text()).toMatch(/corprail_http_request_seconds_bucket\{.*\} \d+ # \{trace_id="[0-9a-f]{32}"\}/);
});
