import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobRunner, type JobRunner } from "../../../domain/jobs/runner.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";
import { PORTAL_KINDS } from "./kinds.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

const COUNT = 2_500;

async function accountWithWaiting(): Promise<string> {
  const { sql, clock, ids } = fixture.ctx;
  const { accountId } = await fixture.newAccount();
  const callbackIds = Array.from({ length: COUNT }, () => ids.entry(clock.now()));
  const later = new Date(clock.now() + 3_600_000);
  await sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, attempts, retry_step, next_at, created_at)
    select ${accountId}, c.id, 'status', c.id, 'u', 'SUCCESS', 4, 4, ${later}, ${new Date(clock.now())} from unnest(${callbackIds}::text[]) as c (id)`;
  return accountId;
}

async function waitingLater(accountId: string): Promise<number> {
  const { sql, clock } = fixture.ctx;
  const rows = await sql`select from callbacks where account_id = ${accountId} and next_at > ${new Date(clock.now())}`;
  return rows.length;
}

function runner(): JobRunner {
  const { sql, clock, ids, callbacks } = fixture.ctx;
  return createJobRunner({ sql, clock, ids, callbacks, log: createLog("silent") }, { owner: "client", kinds: PORTAL_KINDS });
}

test("recovering is a job that makes everything undelivered of its account due, on record for who asked", async () => {
  const [accountId, otherId] = [await accountWithWaiting(), await accountWithWaiting()];
  const visitor = fixture.as("operations", accountId);
  const begun = await visitor.post("/callbacks/recover", { since: "2020-01-01" });
  expect(begun.body.job).toMatchObject({ kind: "recover", state: "waiting" });
  const one = runner();
  await one.look();
  await one.idle();
  const job = (await visitor.get(`/jobs/${begun.body.job.job_id}`)).body;
  expect(job).toMatchObject({ state: "done", done: COUNT, total: COUNT, result: { rows: COUNT } });
  expect([await waitingLater(accountId), await waitingLater(otherId)]).toEqual([0, COUNT]);
  const actors = await fixture.ctx.sql<{ actor: string }[]>`
    select actor from audit_log where subject_id = ${accountId} and action in ('callbacks.recovery_started', 'callbacks.recovered')`;
  expect(actors.map((row) => row.actor)).toEqual([`user:${visitor.session.userId}`, `user:${visitor.session.userId}`]);
  expect((await fixture.as("read_only", accountId).post("/callbacks/recover", { since: "2020-01-01" })).status).toBe(403);
});

test("a recovery that is cancelled before it begins changes nothing", async () => {
  const accountId = await accountWithWaiting();
  const visitor = fixture.as("owner", accountId);
  const { job } = (await visitor.post("/callbacks/recover", { since: "2020-01-01" })).body;
  await visitor.post(`/jobs/${job.job_id}/cancel`);
  const one = runner();
  await one.look();
  await one.idle();
  expect((await visitor.get(`/jobs/${job.job_id}`)).body.state).toBe("cancelled");
  expect(await waitingLater(accountId)).toBe(COUNT);
});
