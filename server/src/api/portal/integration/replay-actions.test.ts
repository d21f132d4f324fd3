import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobRunner } from "../../../domain/jobs/runner.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { PORTAL_KINDS } from "../jobs/kinds.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

const HOUR = 3_600_000;

/** Delivered callbacks of one order each, an hour apart, the newest now. */
async function accountWith(count: number): Promise<{ accountId: string; orderIds: readonly string[] }> {
  const { sql, clock, ids } = fixture.ctx;
  const { accountId } = await fixture.newAccount();
  await sql`update accounts set callback_url = 'https://8.8.8.8/in' where account_id = ${accountId}`;
  const orderIds: string[] = [];
  for (let hour = count - 1; hour >= 0; hour--) {
    const at = clock.now() - hour * HOUR;
    const id = ids.entry(at);
    orderIds.push(id);
    await sql`
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, state, attempts, delivered_at, next_at, created_at)
      values (${accountId}, ${id}, 'status', ${id}, 'u', 'SUCCESS', 'delivered', 1, ${new Date(at)}, ${new Date(at)}, ${new Date(at)})`;
  }
  return { accountId, orderIds };
}

async function waitingOf(accountId: string): Promise<readonly string[]> {
  const rows = await fixture.ctx.sql<{ order_id: string }[]>`
    select order_id from callbacks where account_id = ${accountId} and state = 'waiting' order by order_id`;
  return rows.map((row) => row.order_id);
}

async function runJobs(): Promise<void> {
  const { sql, clock, ids, callbacks } = fixture.ctx;
  const runner = createJobRunner({ sql, clock, ids, callbacks, log: createLog("silent") }, { owner: "client", kinds: PORTAL_KINDS });
  await runner.look();
  await runner.idle();
}

test("a replay sends what its preview counted, delivered callbacks of the window, of this account alone, once", async () => {
  const [{ accountId, orderIds }, other] = [await accountWith(4), await accountWith(4)];
  const member = fixture.as("operations", accountId);
  const window = {
    since: Math.floor((fixture.ctx.clock.now() - 2.5 * HOUR) / 1000),
    until: Math.floor((fixture.ctx.clock.now() - HOUR / 2) / 1000),
  };
  const preview = await member.post("/callbacks/replay/preview", { ...window, state: "delivered" });
  expect(preview.body).toMatchObject({ count: 2, skipped: [], has_more: false });
  const shown = { selection_id: preview.body.selection_id, count: 2 };
  expect((await member.post("/callbacks/replay", { ...shown, count: 3 })).status).toBe(400);
  const begun = await member.post("/callbacks/replay", shown);
  expect(begun.body.job).toMatchObject({ kind: "replay", state: "waiting" });
  expect((await member.post("/callbacks/replay", shown)).status).toBe(409);
  await runJobs();
  expect((await member.get(`/jobs/${begun.body.job.job_id}`)).body).toMatchObject({ state: "done", result: { rows: 2 } });
  expect([await waitingOf(accountId), await waitingOf(other.accountId)]).toEqual([orderIds.slice(1, 3), []]);
  const audited = await fixture.ctx.sql<{ actor: string }[]>`
    select actor from audit_log where subject_id = ${accountId} and action in ('callbacks.replay_started', 'callbacks.resent')`;
  expect(audited.map((row) => row.actor)).toEqual([`user:${member.session.userId}`, `user:${member.session.userId}`]);
});

test("the events of one order are replayed by its id; an order of another account has none", async () => {
  const [mine, theirs] = [await accountWith(2), await accountWith(1)];
  const member = fixture.as("owner", mine.accountId);
  const counted = async (orderId: string | undefined) => (await member.post("/callbacks/replay/preview", { order_id: orderId })).body;
  expect((await counted(mine.orderIds[0])).count).toBe(1);
  expect((await counted(theirs.orderIds[0])).count).toBe(0);
  expect((await member.post("/callbacks/replay/preview", {})).status).toBe(400);
});

test("a preview is started by the member who saw it, for the account that it is about, and not by readers", async () => {
  const [{ accountId }, other] = [await accountWith(1), await accountWith(1)];
  const preview = (await fixture.as("owner", accountId).post("/callbacks/replay/preview", { since: "2020-01-01" })).body;
  const shown = { selection_id: preview.selection_id, count: 1 };
  expect((await fixture.as("developer", accountId).post("/callbacks/replay", shown)).status).toBe(404);
  expect((await fixture.as("owner", other.accountId).post("/callbacks/replay", shown)).status).toBe(404);
  const reader = fixture.as("read_only", accountId);
  for (const path of ["/callbacks/replay", "/callbacks/replay/preview"]) expect((await reader.post(path, {})).status).toBe(403);
});

test("a new preview replaces the member's earlier one, and one that cannot be started now is not used up", async () => {
  const { accountId } = await accountWith(1);
  const member = fixture.as("owner", accountId);
  const previewed = async () => (await member.post("/callbacks/replay/preview", { since: "2020-01-01" })).body.selection_id as string;
  const [first, second] = [await previewed(), await previewed()];
  const start = async (selectionId: string) => (await member.post("/callbacks/replay", { selection_id: selectionId, count: 1 })).status;
  expect(await start(first)).toBe(404);
  const { sql, clock } = fixture.ctx;
  await sql`
    insert into jobs (job_id, owner, queue, started_by, kind, input, created_at)
    select 'full' || n, 'client', ${accountId}, 'U', 'export', '{}', ${new Date(clock.now())} from generate_series(1, 5) n`;
  expect(await start(second)).toBe(409);
  await sql`delete from jobs where queue = ${accountId}`;
  expect(await start(second)).toBe(200);
});
