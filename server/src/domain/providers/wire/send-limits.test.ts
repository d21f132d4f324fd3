import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { testEgress } from "../testing/egress.ts";
import { NEVER } from "../testing/requests.ts";
import { type Call, createWire, type Wire, type WireOptions } from "./exchange.ts";
import { closeAll, closeLater, listen } from "./testing/servers.ts";

afterEach(closeAll);

function wire(options: Partial<WireOptions>): Wire {
  const opened = createWire({ connectMilliseconds: 5000, wholeMilliseconds: 20_000, egress: testEgress(), ...options });
  closeLater(() => opened.close());
  return opened;
}

/** A provider that keeps its answers back until they are let go. */
async function holdingServer() {
  const held: { readonly path: string; readonly answer: () => void }[] = [];
  const at: number[] = [];
  const server = createServer((request, response) => {
    at.push(performance.now());
    held.push({ path: request.url ?? "", answer: () => response.end("ok") });
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const call = (path: string, more: Partial<Call> = {}): Call => ({ method: "GET", origin, path, headers: {}, body: null, ...more });
  return { held, at, call };
}

test("no more requests are in flight than allowed, transactions go before queries, and each gets its turn", async () => {
  const { held, call } = await holdingServer();
  const opened = wire({ limits: { concurrency: 2 } });
  const all = [
    ...["/1", "/2"].map((path) => opened.exchange(call(path), NEVER)),
    ...["/query-1", "/query-2"].map((path) => opened.exchange(call(path, { kind: "query" }), NEVER)),
    ...["/3", "/4"].map((path) => opened.exchange(call(path), NEVER)),
  ];
  for (let answered = 0; answered < all.length; answered++) {
    await expect.poll(() => held.length).toBe(Math.min(answered + 2, all.length));
    held[answered]?.answer();
  }
  for (const exchange of await Promise.all(all)) expect(exchange.kind).toBe("answered");
  expect(held.slice(2, 4).map((one) => one.path)).toEqual(["/3", "/4"]);
});

test("who gets no turn in time is not sent, by a fault of ours", async () => {
  const { held, call } = await holdingServer();
  const opened = wire({ limits: { concurrency: 1, maxWaiting: 1 } });
  const first = opened.exchange(call("/first"), NEVER);
  await expect.poll(() => held.length).toBe(1);
  const late = opened.exchange(call("/late", { wholeMilliseconds: 100 }), NEVER);
  const refused = { kind: "not_sent", fault: "capacity" };
  expect(await opened.exchange(call("/too-many"), NEVER)).toMatchObject({ ...refused, why: expect.stringContaining("already wait") });
  expect(await late).toMatchObject({ ...refused, why: expect.stringContaining("no turn within 50 ms") });
  const calledOff = new AbortController();
  const aborted = opened.exchange(call("/aborted"), calledOff.signal);
  calledOff.abort();
  expect(await aborted).toMatchObject({ kind: "not_sent", fault: "shutdown" });
  held[0]?.answer();
  expect((await first).kind).toBe("answered");
  const after = opened.exchange(call("/after"), NEVER);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.answer();
  expect([(await after).kind, ...held.map((one) => one.path)]).toEqual(["answered", "/first", "/after"]);
});

test("requests are spaced as the provider demands", async () => {
  const { at, held, call } = await holdingServer();
  const opened = wire({ limits: { requestsPerSecond: 20 } });
  const all = Array.from({ length: 8 }, (_, place) => opened.exchange(call(`/${place}`), NEVER));
  await expect.poll(() => held.length).toBe(8);
  for (const one of held) one.answer();
  await Promise.all(all);
  // Seven intervals of 50 ms. A single interval may look shorter, because the first request also opens a connection.
  expect((at[7] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(300);
});
