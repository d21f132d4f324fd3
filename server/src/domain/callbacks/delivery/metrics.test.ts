import { afterAll, beforeAll, expect, test } from "vitest";
import { createMetrics } from "../../../platform/observability/metrics.ts";
import { createFixture, type Fixture, until } from "../testing/fixture.ts";
import { startReceiver, type TestReceiver } from "../testing/receiver.ts";

let fixture: Fixture;
let receiver: TestReceiver;
beforeAll(async () => {
  fixture = await createFixture();
  receiver = await startReceiver((received) => (received.path === "/cb" ? 200 : 503));
});
afterAll(async () => {
  await fixture.close();
  await receiver.close();
});

test("the metrics tell of deliveries, of targets by state, and of the ten that have been due longest", async () => {
  const well = await fixture.account({ status: receiver.url });
  const broken = await fixture.account({ status: `${receiver.url}/broken` });
  const parked = await fixture.account({ status: receiver.url });
  const paused = await fixture.account({ status: receiver.url });
  const delivered = await fixture.tell(well);
  await Promise.all(Array.from({ length: 10 }, () => fixture.tell(broken)));
  for (const account of [parked, paused]) await fixture.tell(account);
  await fixture.change(parked.accountId, { callbackUrl: null });
  await fixture.sql`update accounts set callbacks_paused = true where account_id = ${paused.accountId}`;
  const metrics = createMetrics();
  const worker = await fixture.worker({ metrics });
  await until(async () => (await fixture.row(delivered)).state === "delivered");
  await until(async () => (await fixture.sql`select 1 from callback_targets where probe_at is not null`).length > 0);
  await worker.close();
  const due = await Promise.all(Array.from({ length: 12 }, () => fixture.account({ status: receiver.url })));
  const hourAgo = fixture.settings.clock.now() - 3_600_000;
  for (const account of due) await fixture.tell(account, { at: hourAgo });
  const text = await metrics.registry.metrics();
  const value = (line: string) => Number(new RegExp(`^${line.replace(/[{}]/g, "\\$&")} ([0-9.e+]+)$`, "m").exec(text)?.[1]);
  expect(value('corprail_callback_deliveries_total{version="2",attempt="first"}')).toBe(1);
  expect(value('corprail_callback_attempt_seconds_count{kind="status",result="delivered"}')).toBe(1);
  expect(value('corprail_callback_attempt_seconds_count{kind="status",result="refused"}')).toBe(10);
  expect(value("corprail_callback_first_attempt_seconds_count")).toBe(11);
  const states = ["waiting", "broken", "parked", "paused"].map((state) => value(`corprail_callback_targets{state="${state}"}`));
  expect(states).toEqual([12, 1, 1, 1]);
  expect(value("corprail_callbacks_waiting")).toBe(24);
  const ages = [...text.matchAll(/^corprail_callback_oldest_due_seconds\{.*\} ([0-9.]+)$/gm)].map((match) => Number(match[1]));
  expect(ages).toHaveLength(10);
  expect(Math.min(...ages)).toBeGreaterThan(3_590);
});
