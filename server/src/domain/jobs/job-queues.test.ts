import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { randomIds } from "../../platform/core/ids.ts";
import { createLog } from "../../platform/observability/log.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import type { JobContext, JobKind } from "./kind.ts";
import { createJobRunner } from "./runner.ts";
import { startJob } from "./start-job.ts";
import { cancelJob, claimJob, findJob, listJobs, readFile, sweepJobs } from "./store.ts";

let database: TestDatabase;
let ctx: JobContext;
beforeAll(async () => {
  database = await testDatabase();
  ctx = { sql: database.sql, clock: { now: () => Date.now() }, ids: randomIds(), log: createLog("silent") };
});
afterAll(() => database.drop());

async function begin(queue: string, kind = "test"): Promise<string> {
  const audit = { actor: "test", action: "test.started", subject: { kind: "installation", id: "test" } } as const;
  const job = await startJob(ctx, { owner: "staff", queue, askedBy: "staff:S1", kind, input: { queue }, audit });
  if (!job) throw new Error("The queue is full.");
  return job.jobId;
}

const stateOf = async (jobId: string) => (await findJob(ctx.sql, { owner: "staff", jobId }))?.state;

test("of each queue one job runs at a time, of different queues several", async () => {
  const waiting = [await begin("one"), await begin("one"), await begin("two")];
  let [under, most] = [new Set<string>(), 0];
  let both = () => {};
  const twoAtOnce = new Promise<void>((resolve) => {
    both = resolve;
  });
  const watched: JobKind<JobContext> = async (_ctx, job) => {
    expect(under.has(job.queue)).toBe(false);
    under = new Set([...under, job.queue]);
    most = Math.max(most, under.size);
    if (under.size === 2) both();
    await twoAtOnce;
    under.delete(job.queue);
    return {};
  };
  const runner = createJobRunner(ctx, { owner: "staff", kinds: { test: watched } });
  for (let round = 0; round < 2; round++) {
    await runner.look();
    await runner.idle();
  }
  expect(most).toBe(2);
  expect(await Promise.all(waiting.map(stateOf))).toEqual(["done", "done", "done"]);
});

test("a queue holds five jobs that are not finished, however many begin at once; another queue has its own limit", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => begin("full")));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await begin("free");
  const entries = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from audit_log where details::jsonb ->> 'queue' = 'full'`;
  expect(entries).toEqual([{ count: 5 }]);
  for (const job of await listJobs(ctx.sql, "staff", { before: null, limit: 50 }))
    await cancelJob(ctx.sql, { owner: "staff", jobId: job.jobId }, new Date());
});

test("while a step is written its lease waits for nothing; before and after that it is renewed", async () => {
  const jobId = await begin("long");
  let [now, sent] = [ctx.clock.now(), 0];
  const sql = new Proxy(ctx.sql, {
    apply: (target, self, args) => {
      sent++;
      return Reflect.apply(target, self, args);
    },
  });
  const leaseUntil = async () =>
    (await ctx.sql<{ at: Date }[]>`select lease_until as at from jobs where job_id = ${jobId}`)[0]?.at.getTime();
  const tick = () => vi.advanceTimersByTimeAsync(10_000);
  const later = async () => {
    now += 10_000;
    await tick();
  };
  // A renewal that fails is tried again at the next tick.
  const isRenewed = () => expect.poll(() => tick().then(leaseUntil)).toBe(now + 30_000);
  const long: JobKind<JobContext> = async (_ctx, _job, control) => {
    await later();
    await isRenewed();
    const write = async () => {
      const before = sent;
      for (let round = 0; round < 3; round++) await later();
      expect(sent).toBe(before);
      return null;
    };
    await control.save({ done: 1, total: 1, write });
    await later();
    await isRenewed();
    return {};
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const runner = createJobRunner({ ...ctx, sql, clock: { now: () => now } }, { owner: "staff", kinds: { test: long } });
    await runner.look();
    await runner.idle();
  } finally {
    vi.useRealTimers();
  }
  expect(await stateOf(jobId)).toBe("done");
});

test("what is kept for the staff is none of the portal's, and is swept like it", async () => {
  const jobId = await begin("file");
  const runner = createJobRunner(ctx, {
    owner: "staff",
    kinds: {
      test: async (_ctx, _job, control) => {
        await control.save({ done: 1, total: 2, part: { number: 0, content: "one," } });
        await control.save({ done: 2, total: 2, part: { number: 1, content: "two\n" } });
        return { file: "both.csv" };
      },
    },
  });
  expect(await claimJob(ctx.sql, "client", "portal", ctx.clock.now(), 30_000)).toBe(null);
  await runner.look();
  await runner.idle();
  const key = { owner: "staff" as const, jobId };
  const parts: string[] = [];
  for await (const part of readFile(ctx.sql, key)) parts.push(Buffer.from(part).toString());
  expect([await stateOf(jobId), parts.join("")]).toEqual(["done", "one,two\n"]);
  const later = new Date(ctx.clock.now() + 60_000);
  await sweepJobs(ctx.sql, "staff", later, new Date(0));
  expect((await readFile(ctx.sql, key).next()).done).toBe(true);
  expect(await stateOf(jobId)).toBe("done");
  await sweepJobs(ctx.sql, "staff", later, later);
  expect(await stateOf(jobId)).toBe(undefined);
});
