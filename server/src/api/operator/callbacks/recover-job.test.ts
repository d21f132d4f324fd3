import { afterAll, beforeAll, expect, test } from "vitest";
import { createJobRunner } from "../../../domain/jobs/runner.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import type { StaffWorkContext } from "../jobs/staff-context.ts";
import { type TestApi, testApi } from "../testing/api.ts";
import { RECOVER, recoverJob } from "./recover-job.ts";

let api: TestApi;
let deps: OperatorApiDependencies;
let due: string[];
beforeAll(async () => {
  due = [];
  const callbacks = { makeDue: async (ids: readonly string[] | "all") => void due.push(...ids) };
  const change = { callbacks } as unknown as Partial<OperatorApiDependencies>;
  api = await testApi(change, async (_app, given) => {
    deps = given;
  });
});
afterAll(() => api.close());

const DAY = 86_400_000;

async function client(): Promise<string> {
  const { account_id: id } = await api.newAccount();
  await api.post(`/accounts/${id}`, { callback_url: "https://127.0.0.1/in" });
  return id;
}

/** Callbacks that were tried and are put off to tomorrow. */
async function failed(accountId: string, count: number, ago = 0): Promise<void> {
  const { ids } = api.settings.ctx;
  const at = api.settings.clock.now() - ago;
  const rows = Array.from({ length: count }, () => ids.entry(at));
  await api.settings.database.sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, attempts, retry_step, next_at, created_at)
    select ${accountId}, id, 'status', id, id, 'SUCCESS', 4, 4, ${new Date(at + DAY)}, ${new Date(at)} from unnest(${rows}::text[]) id`;
}

async function putOff(accountId: string): Promise<number> {
  const [row] = await api.settings.database.sql<{ count: number }[]>`
    select count(*)::int as count from callbacks where account_id = ${accountId} and retry_step > 0`;
  return row?.count ?? 0;
}

/** Runs what waits, as a process does. */
async function work(change: Partial<StaffWorkContext> = {}): Promise<void> {
  const ctx = { ...deps, log: createLog("silent"), ...change };
  const runner = createJobRunner(ctx, { owner: "staff", kinds: { [RECOVER]: recoverJob.run } });
  await runner.look();
  await runner.idle();
  await runner.close();
}

const since = (ago: number) => Math.floor((api.settings.clock.now() - ago) / 1000);

test("one account's undelivered callbacks are made due by a job that tells how far it is", async () => {
  const [mine, other] = [await client(), await client()];
  await failed(mine, 1_200);
  await failed(mine, 3, 2 * DAY);
  await failed(other, 2);
  const started = await api.post("/callbacks/recovery", { account_id: mine, since: since(DAY), reason: "they were down" });
  expect(started).toMatchObject({ status: 200, body: { job: { kind: "callbacks_recover", state: "waiting" } } });
  await work();
  expect((await api.get(`/jobs/${started.body.job.job_id}`)).body).toMatchObject({
    state: "done",
    done: 1_200,
    total: 1_200,
    result: { rows: 1_200, message: "1200 callbacks are being sent again." },
  });
  expect([await putOff(mine), await putOff(other), due]).toEqual([3, 2, [mine]]);
  const trail = (await api.get(`/audit?subject_kind=account&subject_id=${mine}`)).body.items;
  expect(trail.map((entry: { action: string }) => entry.action).slice(0, 2)).toEqual(["callbacks.recovered", "callbacks.recovery_started"]);
  expect(trail[0].details).toMatchObject({ recovered: 1_200, reason: "they were down" });
  await api.settings.database.sql`delete from callbacks`;
});

test("without an account everybody's are, and a job that was broken off goes on behind the accounts that were through", async () => {
  const accounts = [await client(), await client(), await client()].sort();
  for (const id of accounts) await failed(id, 2);
  const { job } = (await api.post("/callbacks/recovery", { all_accounts: true, since: since(DAY) })).body;
  // As a process leaves it that ended after the first account.
  const place = JSON.stringify({ after: accounts[0], recovered: 2 });
  await api.settings.database.sql`update jobs set resume_from = ${place}::text::jsonb, done = 2 where job_id = ${job.job_id}`;
  await work();
  expect((await api.get(`/jobs/${job.job_id}`)).body).toMatchObject({ state: "done", done: 6, total: 6, result: { rows: 6 } });
  expect(await Promise.all(accounts.map(putOff))).toEqual([2, 0, 0]);
});

test("with several cells a job goes on in the cell with the saved number", async () => {
  await api.settings.database.sql`delete from callbacks`;
  const accounts = [await client(), await client()].sort();
  for (const id of accounts) await failed(id, 2);
  const { job } = (await api.post("/callbacks/recovery", { all_accounts: true, since: since(DAY) })).body;
  const place = JSON.stringify({ cell: 2, after: accounts[0], recovered: 2 });
  await api.settings.database.sql`update jobs set resume_from = ${place}::text::jsonb, done = 2 where job_id = ${job.job_id}`;
  // Home is done. Cell 1 does not exist, so cell 2 is the second in the list.
  await work({ allCells: () => [0, 2].map((cell) => ({ ...deps, cell })) });
  expect((await api.get(`/jobs/${job.job_id}`)).body).toMatchObject({ state: "done", result: { rows: 4 } });
  expect(await Promise.all(accounts.map(putOff))).toEqual([2, 0]);
});

test("an unknown account and a wrong time are refused", async () => {
  expect((await api.post("/callbacks/recovery", { account_id: "ANOBODY", since: since(DAY) })).status).toBe(404);
  expect((await api.post("/callbacks/recovery", { since: "yesterday" })).status).toBe(400);
  expect((await api.post("/callbacks/recovery", {})).status).toBe(400);
  expect((await api.post("/callbacks/recovery", { account_id: "ANOBODY", all_accounts: true, since: since(DAY) })).status).toBe(400);
});
