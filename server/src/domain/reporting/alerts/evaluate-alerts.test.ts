import { afterEach, beforeEach, expect, test } from "vitest";
import { createMetrics } from "../../../platform/observability/metrics.ts";
import { listAudit } from "../../audit/list.ts";
import { alertMetrics } from "../overview.ts";
import { createOverviewFixture, type OverviewFixture, watch } from "../testing/fixture.ts";
import { acknowledgeAlert } from "./acknowledge-alert.ts";
import { applyConditions, evaluateAlerts } from "./evaluate-alerts.ts";
import type { Condition } from "./rules.ts";
import { changeAlertSettings, readAlertSettings } from "./settings.ts";
import { listActiveAlerts, listAlerts } from "./store.ts";

let fixture: OverviewFixture;
beforeEach(async () => {
  fixture = await createOverviewFixture();
});
afterEach(() => fixture.close());

const LEDGER: Condition = { kind: "ledger_violation", subject: "", message: "1 violation." };
const first = (message: string): Condition => ({ kind: "provider_success", subject: "first", message });
const take = async (...conditions: Condition[]) =>
  await applyConditions(fixture.ctx, conditions, { close_seconds: 60 }, fixture.clock.now());
const all = () => listAlerts(fixture.sql, { state: null, kind: null, assignedTo: null, after: null, limit: 100 });
const later = (seconds: number) => fixture.clock.advance(seconds * 1000);

test("an alert opens once, says how it stands now, and closes when it has not been so for a minute", async () => {
  await take(first("30 %"));
  later(5);
  await take(first("20 %"));
  expect(await all()).toMatchObject([{ kind: "provider_success", subject: "first", message: "20 %", closedAt: null }]);
  later(59);
  await take();
  expect(await listActiveAlerts(fixture.sql)).toHaveLength(1);
  later(1);
  await take();
  expect(await listActiveAlerts(fixture.sql)).toEqual([]);
  expect(await all()).toMatchObject([{ message: "20 %", closedAt: new Date(fixture.clock.now()) }]);
  expect(fixture.logged.map(({ message }) => message)).toEqual(["alert opened", "alert closed"]);
});

test("one that comes back within the minute has never been away, one that comes back later is another", async () => {
  await take(LEDGER);
  later(30);
  await take();
  later(20);
  await take(LEDGER);
  later(50);
  await take();
  expect(await all()).toHaveLength(1);
  later(60);
  await take();
  await take(LEDGER);
  expect((await all()).map((alert) => alert.closedAt === null)).toEqual([true, false]);
});

test("a clock that was set back does not keep an alert open", async () => {
  await take(LEDGER);
  later(-3600);
  await take();
  expect(await listActiveAlerts(fixture.sql)).toEqual([]);
});

test("many processes that look at once open one alert", async () => {
  await Promise.all(Array.from({ length: 10 }, () => take(LEDGER, first("30 %"))));
  expect(await all()).toHaveLength(2);
  expect(fixture.logged).toHaveLength(2);
});

const NOTHING = { operators: [], services: [] };

test("one process checks every five seconds and reports what the tables show", async () => {
  const ids = await fixture.make(2, { state: 0, at: fixture.clock.now() - 3_600_000 });
  await watch(fixture.sql, fixture.accountId, ids, "unknown: silence", true);
  await fixture.make(12, { state: 2 });
  await fixture.make(8);
  await Promise.all(Array.from({ length: 5 }, () => evaluateAlerts({ ...fixture.ctx, unserved: () => NOTHING })));
  expect((await all()).map((alert) => alert.kind).sort()).toEqual(["human_tasks", "provider_success"]);
  expect((await all()).find((alert) => alert.kind === "provider_success")?.message).toMatch(/^first carried out 8 of 20 orders/);
  const [{ started_at: takenAt } = { started_at: null }] = await fixture.sql<
    { started_at: Date }[]
  >`select started_at from periodic_job_runs where job = 'watch alerts'`;
  later(3);
  await evaluateAlerts({ ...fixture.ctx, unserved: () => NOTHING });
  const [again] = await fixture.sql<{ started_at: Date }[]>`select started_at from periodic_job_runs where job = 'watch alerts'`;
  expect(again?.started_at).toEqual(takenAt);
});

test("what a process tells of itself is believed while it is alive", async () => {
  const at = new Date(fixture.clock.now());
  await fixture.sql`
    insert into processes (process_id, host, pid, started_at, seen_at, oldest_open_at)
    values ('P1', 'box', 7, ${at}, ${at}, ${at}), ('P2', 'gone', 8, ${at}, ${new Date(fixture.clock.now() - 20_000)}, ${at})`;
  const report = (violations: number, name: string) =>
    JSON.stringify({
      ...{ version: "1", node: "v20", memory_bytes: 1, ledger: { violations, checked_at: 1 }, missing_key_id: null },
      ...{
        breakers: [{ provider: name, operator: "AT" }],
        jobs: [{ name: "sweep", failures: 4, error: "why" }],
        clock_behind_milliseconds: 9_000,
      },
    });
  await fixture.sql`
    insert into process_reports (process_id, at, report)
    values ('P1', ${at}, ${report(0, "first")}::text::jsonb), ('P2', ${at}, ${report(3, "second")}::text::jsonb)`;
  await evaluateAlerts({ ...fixture.ctx, unserved: () => NOTHING });
  expect((await all()).map(({ kind, subject }) => `${kind} ${subject}`).sort()).toEqual([
    "breaker_open first",
    "clock_differs box (process 7)",
    "job_failing sweep",
  ]);
});

test("who acknowledges is kept with the note and the audit log, once, and not after it is over", async () => {
  await take(LEDGER);
  const [alert] = await listActiveAlerts(fixture.sql);
  const alertId = alert?.alertId ?? "";
  const tries = await Promise.all(
    ["staff:U1", "staff:U2"].map((actor) => acknowledgeAlert(fixture.ctx, actor, { alertId, note: "I look at it." })),
  );
  expect(tries.map((one) => one.kind).sort()).toEqual(["conflict", "done"]);
  expect(await listAlerts(fixture.sql, { state: "acknowledged", kind: null, assignedTo: null, after: null, limit: 10 })).toHaveLength(1);
  expect(await listAlerts(fixture.sql, { state: "open", kind: null, assignedTo: null, after: null, limit: 10 })).toEqual([]);
  const entries = await listAudit(fixture.sql, { before: null, limit: 10, subject: { kind: "alert" } });
  expect(entries.map((entry) => [entry.action, entry.subject_id])).toEqual([["alert.acknowledged", alertId]]);
  later(61);
  await take();
  expect(await acknowledgeAlert(fixture.ctx, "staff:U1", { alertId, note: "x" })).toMatchObject({ kind: "conflict" });
  expect(await acknowledgeAlert(fixture.ctx, "staff:U1", { alertId: "NONE", note: "x" })).toEqual({ kind: "not_found" });
});

test("only settings that change are written and audited", async () => {
  const before = await readAlertSettings(fixture.sql);
  const after = await changeAlertSettings(fixture.ctx, "staff:U1", {
    pending_orders: 5,
    human_tasks: null,
    close_seconds: before.close_seconds,
  });
  expect(after).toEqual({ ...before, pending_orders: 5, human_tasks: null });
  expect(await readAlertSettings(fixture.sql)).toEqual(after);
  await changeAlertSettings(fixture.ctx, "staff:U1", { pending_orders: 5 });
  const entries = await listAudit(fixture.sql, { before: null, limit: 10, subject: { kind: "alert_settings" } });
  expect(entries.map((entry) => entry.details)).toEqual(['{"human_tasks":null,"pending_orders":5}']);
});

test("the metric has every kind, as the database has it", async () => {
  const metrics = createMetrics();
  alertMetrics(fixture.sql, metrics);
  await take(LEDGER);
  const text = await metrics.registry.metrics();
  expect(text).toContain('corprail_alerts_open{kind="ledger_violation"} 1');
  expect(text).toContain('corprail_alerts_open{kind="breaker_open"} 0');
});
