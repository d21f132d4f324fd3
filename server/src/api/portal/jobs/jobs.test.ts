import { afterAll, beforeAll, expect, test } from "vitest";
import { csvLines } from "../../../domain/jobs/csv.ts";
import type { JobKind as AnyKind, JobControl } from "../../../domain/jobs/kind.ts";
import { createJobRunner, type JobRunner, type RunnerOptions } from "../../../domain/jobs/runner.ts";
import { claimJob, finishJob, sweepJobs, writeStep } from "../../../domain/jobs/store.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import { indiaDate, indiaDateTime } from "../../../platform/core/india-time.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";
import { accountWithOrders, manyOrders, untilNoon } from "../testing/orders.ts";
import { exportTransactions } from "./export-transactions.ts";
import { PORTAL_KINDS, type WorkContext } from "./kinds.ts";

type JobKind = AnyKind<WorkContext>;

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
  untilNoon(fixture);
});
afterAll(() => fixture.close());

const FROM = Date.parse("2026-03-05T06:00:00Z");
const MARCH = { from: "2026-03-01", to: "2026-03-31" };

function runner(options: Partial<RunnerOptions<WorkContext>> = {}): JobRunner {
  const { sql, clock, ids, callbacks } = fixture.ctx;
  return createJobRunner({ sql, clock, ids, callbacks, log: createLog("silent") }, { owner: "client", kinds: PORTAL_KINDS, ...options });
}

async function begin(visitor: Visitor, body: object = MARCH): Promise<string> {
  const answer = await visitor.post("/exports", body);
  expect([answer.status, answer.body.job?.state]).toEqual([200, "waiting"]);
  return answer.body.job.job_id;
}

async function runAll(one: JobRunner): Promise<void> {
  await one.look();
  await one.idle();
}

async function accountWith(count: number): Promise<Visitor> {
  const { accountId } = await fixture.newAccount();
  await manyOrders(fixture.ctx.sql, accountId, count, FROM);
  return fixture.as("operations", accountId);
}

/** What the file must be, straight from the database. */
async function expected(accountId: string): Promise<string> {
  const rows = await fixture.ctx.sql<{ order_id: string; reference: string; amount: bigint; created_at: Date }[]>`
    select order_id, reference, amount, created_at from orders where account_id = ${accountId} order by order_id`;
  const head = "order_id,urid,service,operator,account,amount,fee,status,shown,operator_ref,reason,created_at,updated_at,commission\n";
  const lines = rows.map(({ order_id, reference, amount, created_at }) => {
    const at = indiaDateTime(created_at.getTime());
    const rupees = `${amount / 10_000n}.${String(amount % 10_000n).padStart(4, "0")}`;
    return `${order_id},${reference},recharge,AT,9876543210,${rupees},0.0000,SUCCESS,SUCCESS,,,${at},${at},0.0000\n`;
  });
  return head + lines.join("");
}

test("an export of 50,000 transactions is the database line by line, and tells how far it is", async () => {
  const visitor = await accountWith(50_000);
  const jobId = await begin(visitor);
  const seen: (readonly [number, number | null])[] = [];
  const watched: JobKind = (ctx, job, hand) =>
    exportTransactions(ctx, job, {
      ...hand,
      isDue: () => true,
      save: async (step) => {
        seen.push([step.done, step.total]);
        await hand.save(step);
      },
    });
  await runAll(runner({ kinds: { export: watched } }));
  expect(seen.length).toBeGreaterThanOrEqual(25);
  expect(seen.every(([done, total], place) => total === 50_000 && done >= (seen[place - 1]?.[0] ?? 0))).toBe(true);
  const job = (await visitor.get(`/jobs/${jobId}`)).body;
  expect(job).toMatchObject({ kind: "export", state: "done", done: 50_000, total: 50_000, eta_seconds: null });
  expect(job.result).toEqual({ rows: 50_000, file: "transactions-2026-03-01-to-2026-03-31.csv" });
  const file = await visitor.get(`/jobs/${jobId}/file`);
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="transactions-2026-03-01-to-2026-03-31.csv"');
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.text === (await expected(visitor.session.accountId))).toBe(true);
});

test("progress is written at most once a second", async () => {
  const visitor = await accountWith(20_000);
  await begin(visitor);
  let saves = 0;
  const started = performance.now();
  const counted: JobKind = (ctx, job, hand) =>
    exportTransactions(ctx, job, { ...hand, save: (step) => hand.save(step).finally(() => saves++) });
  await runAll(runner({ kinds: { export: counted } }));
  // The first and the last one, and those of full parts, are beside the seconds.
  expect(saves).toBeLessThanOrEqual(2 + 3 + Math.ceil((performance.now() - started) / 1000));
});

/** An export that stops for good after so many steps, as in a process that is killed: nothing of it is cleaned up. */
function dyingAfter(steps: number): { readonly kind: JobKind; readonly died: Promise<void> } {
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  let left = steps;
  const kind: JobKind = (ctx, job, hand) => {
    const save: JobControl["save"] = async (step) => {
      if (left-- > 0) return await hand.save(step);
      die();
      return await new Promise<void>(() => {});
    };
    return exportTransactions(ctx, job, { ...hand, isDue: () => true, save });
  };
  return { kind, died };
}

test.each([0, 1, 4])(
  "a runner that dies after %i written steps leaves a job that another one ends with one correct file",
  async (steps) => {
    const visitor = await accountWith(12_000);
    const jobId = await begin(visitor);
    const { kind, died } = dyingAfter(steps);
    await runner({ kinds: { export: kind } }).look();
    await died;
    const second = runner();
    await runAll(second);
    expect((await visitor.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "running", done: steps * 2_000 });
    fixture.settings.clock.advance(31_000);
    await runAll(second);
    expect((await visitor.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "done", done: 12_000, result: { rows: 12_000 } });
    expect((await visitor.get(`/jobs/${jobId}/file`)).text === (await expected(visitor.session.accountId))).toBe(true);
  },
);

test("a worker that has lost the claim can no longer write", async () => {
  const visitor = await accountWith(10);
  await begin(visitor);
  const { sql, clock } = fixture.ctx;
  const first = await claimJob(sql, "client", "first", clock.now(), 30_000);
  expect(await claimJob(sql, "client", "second", clock.now(), 30_000)).toBe(null);
  fixture.settings.clock.advance(30_001);
  const second = await claimJob(sql, "client", "second", clock.now(), 30_000);
  expect([first?.jobId, second?.claims]).toEqual([second?.jobId, 2]);
  if (!first) throw new Error("There is no job.");
  const keyOf = (claimId: string) => ({ owner: "client" as const, queue: first.queue, jobId: first.jobId, claimId });
  const step = { done: 5, total: 10, place: {}, part: { number: 0, content: "too late" } };
  expect(await writeStep(sql, keyOf("first"), step, new Date())).toBe(null);
  expect(await finishJob(sql, keyOf("first"), { state: "done", result: {} }, new Date())).toBe(false);
  expect(await sql`select from job_files where job_id = ${first.jobId}`).toHaveLength(0);
  expect(await finishJob(sql, keyOf("second"), { state: "failed", result: null }, new Date())).toBe(true);
});

test("a job that is cancelled stops between two steps and leaves no file; one that waits never begins", async () => {
  const visitor = await accountWith(20_000);
  const jobId = await begin(visitor);
  const waiting = await begin(visitor);
  const cancelling: JobKind = (ctx, job, hand) =>
    exportTransactions(ctx, job, {
      ...hand,
      isDue: () => true,
      save: async (step) => {
        if (step.done === 4_000)
          expect((await visitor.post(`/jobs/${jobId}/cancel`)).body).toMatchObject({ state: "running", cancel_asked: true });
        await hand.save(step);
      },
    });
  expect((await visitor.post(`/jobs/${waiting}/cancel`)).body.state).toBe("cancelled");
  await runAll(runner({ kinds: { export: cancelling } }));
  expect((await visitor.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "cancelled", done: 4_000, result: null });
  expect((await visitor.get(`/jobs/${jobId}/file`)).status).toBe(404);
  expect(await fixture.ctx.sql`select from job_files where job_id = ${jobId}`).toHaveLength(0);
  expect((await visitor.post(`/jobs/${jobId}/cancel`)).body.state).toBe("cancelled");
});

test("an account has one job under way at a time, a process three; all come to their end", async () => {
  const visitors = await Promise.all([1, 2, 3, 4].map(() => accountWith(10)));
  for (const visitor of visitors) for (const _ of [1, 2]) await begin(visitor);
  let [now, most] = [0, 0];
  const running = new Set<string>();
  const counted: JobKind = async (ctx, job, hand) => {
    expect(running.has(job.queue)).toBe(false);
    running.add(job.queue);
    most = Math.max(most, ++now);
    const result = await exportTransactions(ctx, job, hand);
    running.delete(job.queue);
    now--;
    return result;
  };
  const processes = [runner({ kinds: { export: counted } }), runner({ kinds: { export: counted }, most: 0 })];
  for (let round = 0; round < 10; round++) await Promise.all(processes.map(runAll));
  expect(most).toBeLessThanOrEqual(3);
  for (const visitor of visitors)
    expect((await visitor.get("/jobs")).body.items.map((job: { state: string }) => job.state)).toEqual(["done", "done"]);
});

test("a process that stops gives its job back, and the next one goes on with it at once", async () => {
  const visitor = await accountWith(10_000);
  const jobId = await begin(visitor);
  const first: { runner?: JobRunner; closed?: Promise<void> } = {};
  const stopping: JobKind = (ctx, job, hand) =>
    exportTransactions(ctx, job, {
      ...hand,
      isDue: () => true,
      save: async (step) => {
        await hand.save(step);
        if (step.done === 4_000) first.closed = first.runner?.close() ?? Promise.resolve();
      },
    });
  first.runner = runner({ kinds: { export: stopping } });
  await runAll(first.runner);
  await first.closed;
  expect((await visitor.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "running", done: 4_000 });
  await runAll(runner());
  expect((await visitor.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "done", done: 10_000 });
  expect((await visitor.get(`/jobs/${jobId}/file`)).text === (await expected(visitor.session.accountId))).toBe(true);
});

test("a job that throws has failed, and one that ends every process is given up", async () => {
  const visitor = await accountWith(1);
  const failing = await begin(visitor);
  await runAll(runner({ kinds: { export: () => Promise.reject(new Error("secret detail")) } }));
  const failed = (await visitor.get(`/jobs/${failing}`)).body;
  expect(failed).toMatchObject({ state: "failed", result: { message: "An internal error occurred. Try again." } });
  const deadly = await begin(visitor);
  for (let process = 0; process < 5; process++) {
    await claimJob(fixture.ctx.sql, "client", `P${process}`, fixture.ctx.clock.now(), 30_000);
    fixture.settings.clock.advance(31_000);
  }
  await runAll(runner());
  expect((await visitor.get(`/jobs/${deadly}`)).body.state).toBe("failed");
});

test("filters of an export hold, and a success that was taken back is called Reversed", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [
    { state: "SUCCESS" },
    { state: "FAILED" },
    { service: "bills" },
    { state: "pending" },
  ]);
  await reverseManually(fixture.ctx.orders, "test", { orderId: ids[0] ?? "", reason: "Taken back." });
  const today = indiaDate(fixture.ctx.clock.now());
  const visitor = fixture.as("owner", accountId);
  fixture.settings.clock.advance(1_000);
  const jobs = [{ status: "FAILED" }, { status: "Reversed" }, { service: "bills" }, {}, { search: ids[3] }, { operator: "NONE" }];
  const one = runner();
  const files: string[] = [];
  for (const more of jobs) {
    const jobId = await begin(visitor, { from: today, to: today, ...more });
    await runAll(one);
    const file = await visitor.get(`/jobs/${jobId}/file`);
    expect(file.status).toBe(200);
    files.push(file.text);
  }
  const idsIn = (text: string) =>
    text
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[0]);
  expect(files.map(idsIn)).toEqual([[ids[0], ids[1]], [ids[0]], [ids[2]], ids, [ids[3]], []]);
  expect(files[1]).toContain(",FAILED,Reversed,OP-REF-1,Reversed by the service's staff.,");
});

test("no cell of a file is a formula, and numbers stay numbers", () => {
  const cells = ["=1+1", "+91", "-1.50", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "\r=1", "12.00", 'a "b", c', "plain"];
  expect(csvLines([cells])).toBe(`'=1+1,'+91,-1.50,'-cmd|' /C calc'!A0,'@SUM(A1),'\tx,"'\r=1",12.00,"a ""b"", c",plain\n`);
});

test("another account's jobs are not there, readers cannot begin one, and five wait at most", async () => {
  const visitor = await accountWith(1);
  const jobId = await begin(visitor);
  const stranger = fixture.as("owner", (await fixture.newAccount()).accountId);
  for (const path of [`/jobs/${jobId}`, `/jobs/${jobId}/file`]) expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.post(`/jobs/${jobId}/cancel`)).status).toBe(404);
  expect((await stranger.get("/jobs")).body).toEqual({ items: [], next: null });
  const reader = fixture.as("read_only", visitor.session.accountId);
  expect((await reader.post("/exports", MARCH)).status).toBe(403);
  expect((await reader.get(`/jobs/${jobId}`)).status).toBe(200);
  for (let more = 0; more < 4; more++) await begin(visitor);
  expect((await visitor.post("/exports", MARCH)).status).toBe(409);
  const page = (await visitor.get("/jobs?limit=3")).body;
  expect((await visitor.get(`/jobs?limit=3&after=${page.next}`)).body).toMatchObject({ items: [{}, { job_id: jobId }], next: null });
  for (const body of [{ from: "2025-01-01", to: "2026-12-31" }, { ...MARCH, service: "none" }, { ...MARCH, status: "x" }, {}])
    expect((await visitor.post("/exports", body)).status).toBe(400);
});

test("a file is gone after a week, its job after a month", async () => {
  const visitor = await accountWith(3);
  const jobId = await begin(visitor);
  const one = runner();
  for (let round = 0; round < 10; round++) await runAll(one);
  expect((await visitor.get(`/jobs/${jobId}/file`)).status).toBe(200);
  const { sql, clock } = fixture.ctx;
  const week = 7 * 24 * 3_600_000;
  fixture.settings.clock.advance(week);
  expect((await visitor.get(`/jobs/${jobId}/file`)).status).toBe(404);
  expect((await visitor.get(`/jobs/${jobId}`)).body.result).toEqual({ rows: 3, file: null });
  await sweepJobs(sql, "client", new Date(clock.now() - week + 60_000), new Date(clock.now() - 2 * week));
  expect(await sql`select from job_files where job_id = ${jobId}`).toHaveLength(0);
  await sweepJobs(sql, "client", new Date(clock.now()), new Date(clock.now()));
  expect((await visitor.get(`/jobs/${jobId}`)).status).toBe(404);
});
