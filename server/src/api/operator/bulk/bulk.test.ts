import { afterAll, beforeAll, expect, test } from "vitest";
import { resendCallbacks } from "../../../domain/bulk/resend-callbacks.ts";
import { requeryOrders, settleOrders } from "../../../domain/bulk/run-orders.ts";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import { createJobRunner } from "../../../domain/jobs/runner.ts";
import { findJob } from "../../../domain/jobs/store.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { ACCOUNT_MOVED, failure } from "../../../platform/db/database-errors.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type ConsoleFixture, createConsoleFixture, type StaffMember } from "../console/testing/fixture.ts";
import { STAFF_KINDS } from "../jobs/staff-jobs.ts";

let api: ConsoleFixture;
let meera: StaffMember;
let binu: StaffMember;
beforeAll(async () => {
  api = await createConsoleFixture();
  [meera, binu] = [await api.newStaff("finance"), await api.newStaff("operations")];
});
afterAll(async () => {
  expect((await checkLedger(api.settings.ctx.sql)).filter((check) => check.violations > 0)).toEqual([]);
  await api.close();
});

const context = () => {
  const orders = { ...api.deps.orders, providerRegistry: api.deps.providerRegistry };
  return { ...api.settings.ctx, log: createLog("silent"), orders };
};

async function newClient(fields: object = {}): Promise<string> {
  const { account_id: id } = await api.newAccount(fields);
  await api.post(`/accounts/${id}/wallet`, { amount: "5000.00", reference: "start" });
  return id;
}

const MINUTE = 60_000;

/** Orders of ten rupees whose provider has not answered for so long. */
async function inDoubt(accountId: string, count: number, milliseconds = MINUTE): Promise<readonly string[]> {
  const { sql, clock } = api.settings.ctx;
  const made: string[] = [];
  for (let number = 0; number < count; number++) {
    const orderId = await buildOrder(api.deps.orders, accountId, { state: "pending" });
    const at = new Date(clock.now() - milliseconds);
    await sql`update orders set updated_at = ${at} where account_id = ${accountId} and order_id = ${orderId}`;
    await sql`
      insert into pending_polls (account_id, order_id, why, since, due_at)
      values (${accountId}, ${orderId}, 'unknown: no answer', ${at}, ${at}) on conflict do nothing`;
    made.push(orderId);
  }
  return made;
}

/** Runs every waiting job to its end, as a process would. */
async function runJobs(): Promise<void> {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunner(context(), { owner: "staff", kinds });
  await runner.look();
  await runner.idle();
}

type Preview = { readonly selection_id: string; readonly count: number; readonly amount: string };

async function previewSettle(body: object, who = meera): Promise<Preview> {
  const { status, body: preview, text } = await who.browser.post("/bulk/settle/preview", body);
  expect(status, text).toBe(200);
  return preview;
}

const settle = ({ selection_id, count, amount }: Preview, more: object = {}, who = meera) =>
  who.browser.post("/bulk/settle", { selection_id, count, amount, status: "FAILED", reason: "The operator has no such order.", ...more });

async function settledTimes(orderIds: readonly string[]): Promise<readonly number[]> {
  const { sql } = api.settings.ctx;
  const count = async (orderId: string) =>
    (await sql`select 1 from audit_log where action = 'order.settled' and subject_id = ${orderId}`).length;
  return await Promise.all(orderIds.map(count));
}

const items = async ({ selection_id }: Preview) => (await meera.browser.get(`/bulk/${selection_id}/items?limit=200`)).body.items;

test("a preview counts and sums what is included and says what is left out and why", async () => {
  const accountId = await newClient();
  const [first, second] = await inDoubt(accountId, 2);
  const done = await buildOrder(api.deps.orders, accountId, {});
  const fresh = await buildOrder(api.deps.orders, accountId, { state: "pending" });
  const sandbox = await newClient({ sandbox: true });
  const [other] = await inDoubt(sandbox, 1);
  const order_ids = [first, second, first, done, fresh, other, "NOSUCH"];
  expect(await previewSettle({ order_ids })).toMatchObject({
    ...{ action: "settle", count: 2, amount: "20.0000", accounts: 1, has_more: false },
    skipped: [
      { reason: "There is no such order in this mode.", count: 2 },
      { reason: "The order is SUCCESS.", count: 1 },
      { reason: "The provider is working on the order at this moment.", count: 1 },
    ],
  });
  const { body } = await meera.browser.post("/bulk/requery/preview", { filter: { account_id: accountId, in_doubt: "true" } });
  expect(body).toMatchObject({ action: "requery", count: 2, amount: "20.0000", skipped: [] });
  for (const wrong of [{}, { order_ids, filter: {} }, { order_ids: [] }, { filter: { status: "LATE" } }])
    expect((await meera.browser.post("/bulk/settle/preview", wrong)).status).toBe(400);
});

test("a settlement locks the wallet before the order's poll, as every writer does, so that the two never wait for each other", async () => {
  const accountId = await newClient();
  const [orderId = ""] = await inDoubt(accountId, 1);
  expect((await settle(await previewSettle({ order_ids: [orderId] }))).status).toBe(200);
  const { sql } = api.settings.ctx;
  const { jobs } = await sql.begin(async (writer) => {
    await writer`select from wallets where account_id = ${accountId} for update`;
    const started = runJobs();
    while ((await sql`select from pg_locks where not granted`).length === 0);
    await writer`select from pending_polls where order_id = ${orderId} for update nowait`;
    return { jobs: started };
  });
  await jobs;
  expect(await settledTimes([orderId])).toEqual([1]);
});

test("a job settles exactly what was previewed, once, with a result for each order and a file", async () => {
  const accountId = await newClient();
  const orders = await inDoubt(accountId, 3);
  const preview = await previewSettle({ filter: { account_id: accountId, in_doubt: "true" } });
  const late = await inDoubt(accountId, 1);
  // Settled by a colleague after the preview.
  await api.post(`/orders/${orders[1]}/settle`, { status: "SUCCESS", reason: "Seen at the operator." });
  for (const [wrong, field] of [
    [{ count: 4 }, "count"],
    [{ amount: "31.0000" }, "amount"],
    [{ reason: " " }, "reason"],
  ] as const)
    expect(await settle(preview, wrong)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  expect((await settle(preview, {}, binu)).status).toBe(404);
  const started = await settle(preview);
  expect(started.body.job).toMatchObject({
    kind: "bulk_settle",
    state: "waiting",
    input: { count: 3, amount: "30.0000", status: "FAILED" },
  });
  expect((await settle(preview)).status).toBe(409);
  await runJobs();
  const job = (await meera.browser.get(`/jobs/${started.body.job.job_id}`)).body;
  expect(job).toMatchObject({ state: "done", done: 3, total: 3, result: { done: 2, skipped: 1, file: expect.stringMatching(/\.csv$/) } });
  expect((await items(preview)).map((item: { state: string; detail: string }) => [item.state, item.detail])).toEqual(
    expect.arrayContaining([
      ["done", "The order is FAILED."],
      ["skipped", "The order is SUCCESS."],
    ]),
  );
  const file = await api.file(`/jobs/${job.job_id}/file`);
  expect(file.text.split("\n").filter((line) => line.includes("done"))).toHaveLength(2);
  expect(await settledTimes([...orders, ...late])).toEqual([1, 1, 1, 0]);
});

test("an order that its provider may still be answering is left out of a settlement", async () => {
  const { sql, clock } = api.settings.ctx;
  const accountId = await newClient();
  const [old = ""] = await inDoubt(accountId, 1);
  const [young = ""] = await inDoubt(accountId, 1, 2_000);
  const reason = "The order was sent so recently that its provider may still be answering.";
  const preview = await previewSettle({ order_ids: [old, young] });
  expect(preview).toMatchObject({ count: 1, skipped: [{ reason, count: 1 }] });
  const asked = await meera.browser.post("/bulk/requery/preview", { order_ids: [old, young] });
  expect(asked.body).toMatchObject({ count: 2, skipped: [] });
  // A poll sends it again between the preview and the job.
  await sql`update pending_polls set resent_at = ${new Date(clock.now())} where account_id = ${accountId} and order_id = ${old}`;
  await settle(preview);
  await runJobs();
  expect(await items(preview)).toMatchObject([{ state: "skipped", detail: reason }]);
  expect(await settledTimes([old, young])).toEqual([0, 0]);
});

test("an order that has gone on to another attempt since the preview is not settled", async () => {
  const { sql } = api.settings.ctx;
  const accountId = await newClient();
  const orders = await inDoubt(accountId, 2);
  const preview = await previewSettle({ order_ids: orders });
  await sql`update orders set attempt = 2 where account_id = ${accountId} and order_id = ${orders[0] ?? ""}`;
  await settle(preview);
  await runJobs();
  expect(await items(preview)).toMatchObject([
    { state: "skipped", detail: "The order has moved on: it is in attempt 2, with simulator." },
    { state: "done", detail: "The order is FAILED." },
  ]);
  expect(await settledTimes(orders)).toEqual([0, 1]);
});

/** Stops before the next item after so many, as a process that is told to end. */
function stoppingAfter(checks: number): JobControl {
  let left = checks;
  return { stopped: () => left-- <= 0, progress: async () => {}, isDue: () => false, save: async () => {} };
}

async function startedJob(preview: Preview): Promise<Job> {
  const { body } = await settle(preview);
  const job = await findJob(api.settings.ctx.sql, { owner: "staff", jobId: body.job.job_id });
  if (!job) throw new Error("The job was not created.");
  return job;
}

test("a job that ends anywhere is continued, and processes that run it at the same time settle each order once", async () => {
  const accountId = await newClient();
  const orders = await inDoubt(accountId, 12);
  const job = await startedJob(await previewSettle({ order_ids: orders }));
  await settleOrders(context(), job, stoppingAfter(5));
  const settled = (await settledTimes(orders)).reduce((sum, one) => sum + one, 0);
  expect([settled > 0, settled < 12]).toEqual([true, true]);
  await Promise.all([runJobs(), settleOrders(context(), job, stoppingAfter(1_000)), settleOrders(context(), job, stoppingAfter(1_000))]);
  expect(await settledTimes(orders)).toEqual(orders.map(() => 1));
  expect((await meera.browser.get(`/jobs/${job.jobId}`)).body).toMatchObject({ state: "done", result: { done: 12, skipped: 0 } });
  const wallet = (await api.get(`/accounts/${accountId}/wallet`)).body;
  expect(wallet).toMatchObject({ balance: "5000.0000" });
});

test("orders below the threshold that reach it together wait for a second person, who cannot be the first", async () => {
  const accountId = await newClient();
  const orders = await inDoubt(accountId, 3);
  await api.post("/approval-rules", { order_threshold: "25.00", new_person_hours: 0 });
  const preview = await previewSettle({ order_ids: orders });
  const held = await settle(preview);
  expect(held).toMatchObject({ status: 202, body: { approval: { kind: "bulk_settle", amount: "30.0000", state: "waiting" } } });
  const approvalId = held.body.approval.approval_id;
  expect((await settle(preview)).body.approval.approval_id).toBe(approvalId);
  await runJobs();
  expect(await settledTimes(orders)).toEqual([0, 0, 0]);
  expect((await meera.browser.post(`/approvals/${approvalId}/approve`)).status).toBe(409);
  expect((await binu.browser.post(`/approvals/${approvalId}/approve`)).body).toMatchObject({
    state: "done",
    result: { job_id: expect.any(String) },
  });
  await runJobs();
  expect(await settledTimes(orders)).toEqual([1, 1, 1]);
  const { items: audited } = (await api.get(`/audit?subject_kind=order&subject_id=${orders[0]}`)).body;
  expect(audited[0]).toMatchObject({
    actor: `staff:${binu.userId}`,
    details: { evidence: { approval_id: approvalId, made_by: `staff:${meera.userId}` } },
  });
  // What was settled in bulk without approval counts for the next one.
  const more = await inDoubt(accountId, 3);
  expect((await settle(await previewSettle({ order_ids: more.slice(0, 2) }))).status).toBe(200);
  expect((await settle(await previewSettle({ order_ids: more.slice(2) }))).status).toBe(202);
  await runJobs();
});

test("callbacks of a window are sent again once, except those whose order has changed since", async () => {
  const { sql } = api.settings.ctx;
  const accountId = await newClient();
  await api.post(`/accounts/${accountId}`, { callback_url: "https://shop.example/in" });
  const orders = [await buildOrder(api.deps.orders, accountId, {}), await buildOrder(api.deps.orders, accountId, {})];
  const at = new Date(api.settings.clock.now());
  for (const orderId of orders)
    await sql`
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, state, attempts, next_at, created_at, delivered_at)
      values (${accountId}, ${api.settings.ctx.ids.entry(at.getTime())}, 'status', ${orderId}, 'u', 'SUCCESS', 'delivered', 1, ${at}, ${at}, ${at})`;
  const filter = { account_id: accountId, state: "delivered", since: "2020-01-01" };
  const counted = async (more: object = {}) => (await binu.browser.post("/bulk/resend/preview", { filter: { ...filter, ...more } })).body;
  expect(await counted()).toMatchObject({ action: "resend", count: 2, amount: "0.0000", skipped: [] });
  expect(await counted({ until: "2020-01-02" })).toMatchObject({ count: 0 });
  const { selection_id, count } = await counted();
  await api.post("/approval-rules", { order_threshold: null });
  await sql`update orders set state = 2 where account_id = ${accountId} and order_id = ${orders[0] ?? ""}`;
  expect(await counted()).toMatchObject({
    count: 1,
    skipped: [{ reason: "The order's status has changed since the callback.", count: 1 }],
  });
  const { body } = await binu.browser.post("/bulk/resend", { selection_id, count });
  const job = await findJob(sql, { owner: "staff", jobId: body.job.job_id });
  await Promise.all([runJobs(), resendCallbacks(context(), job as Job, stoppingAfter(1_000))]);
  const rows = await sql<{ order_id: string; state: string }[]>`select order_id, state from callbacks where account_id = ${accountId}`;
  expect(new Map(rows.map((row) => [row.order_id, row.state]))).toEqual(
    new Map([
      [orders[0], "delivered"],
      [orders[1], "waiting"],
    ]),
  );
  expect(await sql`select 1 from audit_log where action = 'callbacks.resent' and subject_id = ${accountId}`).toHaveLength(1);
  await sql`update orders set state = 1 where account_id = ${accountId} and order_id = ${orders[0] ?? ""}`;
});

test("a bulk requery asks each provider and says what it answered", async () => {
  const accountId = await newClient();
  const orders = await inDoubt(accountId, 2);
  const { body: preview } = await meera.browser.post("/bulk/requery/preview", { order_ids: orders });
  const { body } = await meera.browser.post("/bulk/requery", { selection_id: preview.selection_id, count: 2 });
  await runJobs();
  expect((await meera.browser.get(`/jobs/${body.job.job_id}`)).body).toMatchObject({ state: "done", result: { done: 2 } });
  for (const item of await items(preview)) expect(item).toMatchObject({ state: "done", detail: expect.stringMatching(/^simulator says /) });
  const audited = await api.settings.ctx.sql`select 1 from audit_log where action = 'order.requeried' and subject_id = any(${[...orders]})`;
  expect(audited).toHaveLength(2);
});

test("a bulk requery leaves the orders of an account that is being moved waiting and goes on with the others", async () => {
  const moving = await newClient();
  const orders = [...(await inDoubt(moving, 1)), ...(await inDoubt(await newClient(), 5))];
  const { body: preview } = await meera.browser.post("/bulk/requery/preview", { order_ids: orders });
  const { body } = await meera.browser.post("/bulk/requery", { selection_id: preview.selection_id, count: 6 });
  const job = await findJob(api.settings.ctx.sql, { owner: "staff", jobId: body.job.job_id });
  const ctx = context();
  // Asked for when the provider's answer is applied.
  const isSandbox = (accountId: string) => {
    if (accountId === moving) throw failure(ACCOUNT_MOVED, "The account is being moved.");
    return ctx.orders.isSandbox(accountId);
  };
  const result = await requeryOrders({ ...ctx, orders: { ...ctx.orders, isSandbox } }, job as Job, stoppingAfter(1_000));
  expect(result).toMatchObject({ done: 5, skipped: 0, waiting: 1 });
  await runJobs();
});
