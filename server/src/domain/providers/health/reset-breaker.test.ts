import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { audited, type ChangeFeed, followChanges } from "../../audit/feed.ts";
import type { ProvidersContext } from "../context.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "../registry.ts";
import { resetBreaker } from "./reset-breaker.ts";

type Process = { readonly providerRegistry: ProviderRegistry; readonly feed: ChangeFeed };

let settings: TestSettings;
let processes: Process[];
beforeEach(async () => {
  settings = await testSettings();
  processes = [await start(), await start()];
});
afterEach(async () => {
  for (const { providerRegistry, feed } of processes) {
    feed.close();
    await providerRegistry.close();
  }
  await settings.close();
});

async function start(): Promise<Process> {
  const { sql, vault, clock } = settings.ctx;
  const from = await audited(sql);
  const providerRegistry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {} });
  return { providerRegistry, feed: followChanges({ sql, from, apply: providerChanges(providerRegistry), onError: () => {} }) };
}

function goesSilent(operator: string, times = 5): void {
  for (const { providerRegistry } of processes)
    for (let time = 0; time < times; time++)
      providerRegistry.noteOutcome("simulator", { service: "recharge", operator }, { kind: "unknown", why: "" }, 10);
}

const open = () => processes.map(({ providerRegistry }) => providerRegistry.breakers().map((one) => one.operator));
const ctx = (): ProvidersContext => ({ ...settings.ctx, refresh: () => processes[0]?.feed.refresh() ?? Promise.resolve() });

test("a breaker tells since when it is open, after how many silences, and when it is tried next", () => {
  const { providerRegistry } = processes[0] as Process;
  const at = settings.clock.now();
  goesSilent("AT", 4);
  expect(providerRegistry.breakers()).toEqual([{ provider: "simulator", operator: "AT", breaker: { state: "closed", failures: 4 } }]);
  goesSilent("AT", 1);
  const [{ breaker } = { breaker: null }] = providerRegistry.breakers();
  expect(breaker).toMatchObject({ state: "open", failures: 5 });
  const opened = breaker?.state === "open" ? breaker : null;
  expect(opened?.since).toBeGreaterThanOrEqual(at);
  expect(opened?.until).toBe((opened?.since ?? 0) + 30_000);
});

test("a reset holds when it is answered, here at once and in another process by the feed", async () => {
  goesSilent("AT");
  goesSilent("JO");
  expect(await resetBreaker(ctx(), "user:U1", { provider: "simulator", operator: "AT", reason: "repaired" })).toEqual({ kind: "done" });
  expect(open()[0]).toEqual(["JO"]);
  await expect.poll(() => open()[1], { interval: 20 }).toEqual(["JO"]);
  const [entry] = await settings.ctx.sql<{ actor: string; subject_id: string; details: string }[]>`
    select actor, subject_id, details from audit_log where action = 'provider.breaker_reset'`;
  expect(entry).toMatchObject({ actor: "user:U1", subject_id: "simulator" });
  expect(JSON.parse(entry?.details ?? "")).toEqual({ operator: "AT", reason: "repaired" });
});

test("without an operator all of a provider's breakers are reset", async () => {
  goesSilent("AT");
  goesSilent("JO");
  await resetBreaker(ctx(), "test", { provider: "simulator", operator: null });
  await expect.poll(open, { interval: 20 }).toEqual([[], []]);
  expect(await resetBreaker(ctx(), "test", { provider: "nobody", operator: null })).toEqual({ kind: "not_found" });
});

test("what was heard of a provider in the last hour is counted", () => {
  const { providerRegistry } = processes[0] as Process;
  const heard = [
    { kind: "succeeded", operatorRef: "1" },
    { kind: "declined", reason: "" },
    { kind: "pending", why: "" },
    { kind: "unknown", why: "" },
  ] as const;
  for (const outcome of heard) providerRegistry.noteOutcome("simulator", { service: "recharge", operator: "AT" }, outcome, 100);
  expect(providerRegistry.providerHealth("simulator")).toEqual({
    status: "up",
    successRate1h: 0.3333,
    succeeded: 1,
    declined: 1,
    pending: 1,
    unheard: 1,
    ours: 0,
    averageMilliseconds: 100,
  });
  settings.clock.advance(61 * 60_000);
  expect(providerRegistry.providerHealth("simulator")).toMatchObject({ succeeded: 0, averageMilliseconds: null });
});
