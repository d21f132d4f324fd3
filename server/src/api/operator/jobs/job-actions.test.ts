import { afterAll, beforeAll, expect, test } from "vitest";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { claimJob, finishJob, insertJob, writeStep } from "../../../domain/jobs/store.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";

let api: ConsoleFixture;
beforeAll(async () => {
  api = await createConsoleFixture();
});
afterAll(() => api.close());

/** The same call at the console. */
async function asRole(role: StaffRole, method: string, path: string, body: object = {}) {
  const headers = { ...api.as(role), ...(method === "POST" ? { "content-type": "application/json" } : {}) };
  const reply = await fetch(`${api.base}/console/api${path}`, { method, headers, body: method === "POST" ? JSON.stringify(body) : null });
  const text = await reply.text();
  return { status: reply.status, text };
}

async function newJob(kind: string): Promise<string> {
  const { ctx, clock } = api.settings;
  const jobId = ctx.ids.entry(clock.now());
  clock.advance(1);
  await insertJob(
    ctx.sql,
    "staff",
    { queue: jobId, jobId, askedBy: "staff:U1", kind, input: { day: "2026-03-05" } },
    new Date(clock.now()),
  );
  return jobId;
}

/** As its runner would leave it. */
async function finish(jobId: string): Promise<void> {
  const { ctx, clock } = api.settings;
  const job = await claimJob(ctx.sql, "staff", "claim", clock.now(), 30_000);
  expect(job?.jobId).toBe(jobId);
  const key = { owner: "staff" as const, queue: jobId, jobId, claimId: "claim" };
  await writeStep(ctx.sql, key, { done: 2, total: 2, part: { number: 0, content: "a,b\n" } }, new Date(clock.now() + 30_000));
  clock.advance(2_000);
  await finishJob(ctx.sql, key, { state: "done", result: { rows: 2, file: "two.csv" } }, new Date(clock.now()));
}

test("a job tells its kind, who asked, how far and how fast it is, and hands out its file", async () => {
  const jobId = await newJob("gone_kind");
  expect((await api.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "waiting", done: 0, total: null, asked_by: "staff:U1" });
  await finish(jobId);
  expect((await api.get(`/jobs/${jobId}`)).body).toMatchObject({
    job_id: jobId,
    kind: "gone_kind",
    input: { day: "2026-03-05" },
    state: "done",
    done: 2,
    // Two in two seconds, and what the machine took meanwhile.
    rate_per_second: expect.toSatisfy((rate: number) => rate > 0 && rate <= 1),
    result: { rows: 2, file: "two.csv" },
  });
  const file = await api.get(`/jobs/${jobId}/file`);
  expect([file.status, file.text, file.headers.get("content-disposition")]).toEqual([200, "a,b\n", 'attachment; filename="two.csv"']);
  for (const path of ["/jobs/NONE", "/jobs/NONE/file", "/jobs/%00"]) expect((await api.get(path)).status).toBe(404);
});

test("everybody sees a job; only the roles of its kind stop it or take its file", async () => {
  const done = await newJob("gone_kind");
  await finish(done);
  const waiting = await newJob("gone_kind");
  for (const role of ["finance", "operations", "support", "auditor"] as const) {
    expect((await asRole(role, "GET", `/jobs/${waiting}`)).status).toBe(200);
    expect((await asRole(role, "GET", `/jobs/${done}/file`)).status).toBe(403);
    expect(await asRole(role, "POST", `/jobs/${waiting}/cancel`)).toMatchObject({
      status: 403,
      text: expect.stringContaining("forbidden"),
    });
  }
  expect((await asRole("admin", "GET", `/jobs/${done}/file`)).text).toBe("a,b\n");
  const cancelled = await asRole("admin", "POST", `/jobs/${waiting}/cancel`, { reason: "Wrong day." });
  expect(JSON.parse(cancelled.text)).toMatchObject({ state: "cancelled" });
  expect((await asRole("admin", "POST", `/jobs/${waiting}/cancel`)).status).toBe(200);
  const { items } = (await api.get(`/audit?subject_kind=job&subject_id=${waiting}`)).body;
  expect(items).toMatchObject([
    { actor: expect.stringMatching(/^staff:U/), action: "job.cancelled", details: { kind: "gone_kind", reason: "Wrong day." } },
  ]);
});

test("the list is newest first, by kind and state, a page at a time", async () => {
  const made = [await newJob("listed"), await newJob("listed"), await newJob("listed")];
  await api.post(`/jobs/${made[1]}/cancel`);
  const idsOf = (body: { readonly items: readonly { readonly job_id: string }[] }) => body.items.map((job) => job.job_id);
  expect(idsOf((await api.get("/jobs?kind=listed")).body)).toEqual(made.toReversed());
  expect(idsOf((await api.get("/jobs?kind=listed&state=waiting")).body)).toEqual([made[2], made[0]]);
  const first = (await api.get("/jobs?kind=listed&limit=2")).body;
  expect(idsOf((await api.get(`/jobs?kind=listed&limit=2&after=${first.next}`)).body)).toEqual([made[0]]);
  expect((await api.get("/jobs?state=none")).status).toBe(400);
});
