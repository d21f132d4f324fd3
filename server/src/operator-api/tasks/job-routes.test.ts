import { afterAll, beforeAll, expect, test } from "vitest";
import type { StaffRole } from "../../people/user.ts";
import { STAFF_SHELF } from "../../tasks/shelf.ts";
import { claimJob, finishJob, insertJob, writeStep } from "../../tasks/store.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  // A door that believes: what is behind it is the matter here.
  api = await testApi({}, async (request) => {
    const role = request.headers["x-role"] as StaffRole | undefined;
    const who =
      role === undefined
        ? ({ kind: "key", actor: "key:K1", staff: null } as const)
        : ({ kind: "staff", actor: `staff:${role}`, staff: { userId: role, name: role, role } } as const);
    request.setDecorator("caller", { ...who, person: who.actor });
    return undefined;
  });
});
afterAll(() => api.close());

async function newJob(kind: string): Promise<string> {
  const { ctx, clock } = api.settings;
  const jobId = ctx.ids.entry(clock.now());
  clock.advance(1);
  await insertJob(
    ctx.sql,
    STAFF_SHELF,
    { lane: jobId, jobId, askedBy: "staff:U1", kind, input: { day: "2026-03-05" } },
    new Date(clock.now()),
  );
  return jobId;
}

/** As its runner would leave it. */
async function finish(jobId: string): Promise<void> {
  const { ctx, clock } = api.settings;
  const job = await claimJob(ctx.sql, STAFF_SHELF, "claim", clock.now(), 30_000);
  expect(job?.jobId).toBe(jobId);
  const key = { shelf: STAFF_SHELF, lane: jobId, jobId, claimId: "claim" };
  await writeStep(ctx.sql, key, { done: 2, total: 2, part: { number: 0, content: "a,b\n" } }, new Date(clock.now() + 30_000));
  clock.advance(2_000);
  await finishJob(ctx.sql, key, { state: "done", result: { rows: 2, file: "two.csv" } }, new Date(clock.now()));
}

const as = (role: StaffRole) => ({ headers: { "x-role": role } });

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
    expect((await api.get(`/jobs/${waiting}`, as(role))).status).toBe(200);
    expect((await api.get(`/jobs/${done}/file`, as(role))).status).toBe(403);
    expect((await api.post(`/jobs/${waiting}/cancel`, {}, as(role))).body.error).toBe("forbidden");
  }
  expect((await api.get(`/jobs/${done}/file`, as("admin"))).text).toBe("a,b\n");
  expect((await api.post(`/jobs/${waiting}/cancel`, { reason: "Wrong day." }, as("admin"))).body).toMatchObject({ state: "cancelled" });
  expect((await api.post(`/jobs/${waiting}/cancel`, {}, as("admin"))).status).toBe(200);
  const { items } = (await api.get(`/audit?subject_kind=job&subject_id=${waiting}`)).body;
  expect(items).toMatchObject([{ actor: "staff:admin", action: "job.cancelled", details: { kind: "gone_kind", reason: "Wrong day." } }]);
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
