import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { audited, type ChangeFeed, followChanges } from "../domain/audit/feed.ts";
import { createFixture, type Fixture, type TestAccount } from "../domain/callbacks/testing/fixture.ts";
import { startJob } from "../domain/jobs/start-job.ts";
import { claimJob, finishJob } from "../domain/jobs/store.ts";
import { type Activity, createActivity, QUIET_AFTER_MILLISECONDS } from "../platform/core/activity.ts";
import { connect } from "../platform/db/connection.ts";
import { findDueWork, watchDueWork } from "./watch-due-work.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});
// What polls the database ends before it does.
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await fixture.close();
});

const now = () => fixture.settings.clock.now();
const isDue = async (at = now()) => (await findDueWork(fixture.sql, at)).isDue;
const URL_OF_CLIENT = "https://client.example/callbacks";

async function waitingCallback(nextAt: number): Promise<TestAccount> {
  const account = await fixture.account({ status: URL_OF_CLIENT });
  await fixture.tell(account, { nextAt });
  return account;
}

async function queueJob(): Promise<void> {
  const { ctx, clock } = fixture.settings;
  const audit = { actor: "test", action: "test.started", subject: { kind: "installation", id: "test" } } as const;
  await startJob(
    { ...ctx, sql: fixture.sql, clock },
    { owner: "staff", queue: "one", askedBy: "staff:S1", kind: "test", input: {}, audit },
  );
}

/** A process that is quiet from the beginning, and follows the settings. */
async function startQuietProcess() {
  let milliseconds = 0;
  const activity: Activity = createActivity(() => milliseconds);
  milliseconds = QUIET_AFTER_MILLISECONDS;
  activity.update();
  const apply = vi.fn(async () => {});
  const feed: ChangeFeed = followChanges({
    ...{ sql: fixture.sql, from: await audited(fixture.sql), apply, activity },
    onError: (error) => {
      throw error;
    },
  });
  closers.push(feed.close);
  const watch = (sql = fixture.sql) => {
    const [warn, now] = [vi.fn(), vi.fn(fixture.settings.clock.now)];
    closers.push(watchDueWork({ activity, cells: () => [{ feed, database: { sql } }], clock: { now }, log: { warn } }));
    return { warn, checks: () => now.mock.calls.length };
  };
  return { activity, apply, feed, watch };
}

test("nothing is due in an installation in which nothing happens", async () => {
  await waitingCallback(now() + 60_000);
  expect(await findDueWork(fixture.sql, now())).toEqual({ auditSeq: await audited(fixture.sql), isDue: false });
});

test("a callback is due at its time, but not while its account is paused or has no address", async () => {
  const { accountId } = await waitingCallback(now() + 60_000);
  expect(await isDue(now() + 60_000)).toBe(true);
  await fixture.sql`update accounts set callbacks_paused = true where account_id = ${accountId}`;
  expect(await isDue(now() + 60_000)).toBe(false);
  await fixture.sql`update accounts set callbacks_paused = false, callback_url = null where account_id = ${accountId}`;
  expect(await isDue(now() + 60_000)).toBe(false);
});

test("a later retry is due only when the breaker of its target lets a probe through", async () => {
  const { accountId } = await waitingCallback(now());
  await fixture.sql`update callbacks set retry_step = 3 where account_id = ${accountId}`;
  await fixture.sql`
    insert into callback_targets (account_id, kind, failures, probe_at, settings_version)
    values (${accountId}, 'status', 10, ${new Date(now() + 60_000)}, 1)`;
  expect(await isDue()).toBe(false);
  expect(await isDue(now() + 60_000)).toBe(true);
});

test("an order is due when it must be polled, and never again once staff must decide", async () => {
  const at = new Date(now() + 1_000);
  await fixture.sql`insert into pending_polls (account_id, order_id, why, since, due_at) values ('A', 'O', 'test', ${at}, ${at})`;
  expect(await isDue()).toBe(false);
  expect(await isDue(now() + 1_000)).toBe(true);
  await fixture.sql`update pending_polls set needs_human = true`;
  expect(await isDue(now() + 1_000)).toBe(false);
});

test("a job is due until it has finished, so that another process takes it over and an alert about its end is not late", async () => {
  await queueJob();
  expect(await isDue()).toBe(true);
  const job = await claimJob(fixture.sql, "staff", "C1", now(), 30_000);
  expect(await isDue()).toBe(true);
  const key = { owner: "staff", queue: "one", jobId: job?.jobId ?? "", claimId: "C1" } as const;
  await finishJob(fixture.sql, key, { state: "done", result: null }, new Date(now()));
  expect(await isDue()).toBe(false);
});

test("an approval is due when it expires, and from its decision until its action is done", async () => {
  const [at, later] = [new Date(now()), new Date(now() + 60_000)];
  await fixture.sql`
    insert into approvals (approval_id, kind, about, input, made_by, maker_person, created_at, expires_at)
    values ('V1', 'wallet', 'A', '{}', 'staff:S1', 'S1', ${at}, ${later})`;
  expect(await isDue()).toBe(false);
  expect(await isDue(now() + 60_000)).toBe(true);
  await fixture.sql`
    update approvals set state = 'approved', decided_by = 'staff:S2', checker_person = 'S2', decided_at = ${at} where approval_id = 'V1'`;
  expect(await isDue()).toBe(true);
  await fixture.sql`update approvals set state = 'done', finished_at = ${at} where approval_id = 'V1'`;
  expect(await isDue()).toBe(false);
});

test("a quiet process becomes active when work is due that another process left", async () => {
  const { activity, watch } = await startQuietProcess();
  watch();
  await queueJob();
  await expect.poll(activity.isQuiet).toBe(false);
});

test("a quiet process applies settings that another process changed, and becomes active", async () => {
  const { activity, apply, watch } = await startQuietProcess();
  watch();
  await fixture.account();
  await expect.poll(() => apply.mock.calls.length).toBeGreaterThan(0);
  expect(activity.isQuiet()).toBe(false);
});

test("while a process is quiet, its settings stay recent without a poll of their own", async () => {
  const { activity, feed, watch } = await startQuietProcess();
  const { checks } = watch();
  // By then the settings would be older than a request may find them.
  await expect.poll(checks).toBeGreaterThanOrEqual(4);
  expect(activity.isQuiet()).toBe(true);
  expect(feed.ensureFresh()).toBeUndefined();
});

test("a process whose checks fail polls as usual", async () => {
  const { activity, watch } = await startQuietProcess();
  const closed = connect({ url: fixture.settings.database.url, connections: 1, role: null });
  await closed.close();
  const { warn } = watch(closed.sql);
  await expect.poll(activity.isQuiet).toBe(false);
  expect(warn).toHaveBeenCalledTimes(1);
});
