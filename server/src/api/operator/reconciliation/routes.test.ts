import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { createJobRunner } from "../../../domain/jobs/runner.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { money } from "../../../domain/orders/testing/fixture.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { fileOf, type Line, MAPPING } from "../../../domain/reconciliation/testing/fixture.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";
import { STAFF_KINDS } from "../jobs/staff-jobs.ts";

let api: ConsoleFixture;
let accountId: string;
let day: string;
beforeAll(async () => {
  api = await createConsoleFixture();
  // Noon in India: no day ends in the middle of a test.
  const { clock } = api.settings;
  clock.advance((indiaMidnight(indiaDate(clock.now())) ?? 0) + 36 * 3_600_000 - clock.now());
  accountId = (await api.newAccount()).account_id;
  await topUp(api.deps.orders, "test", { accountId, amount: money(10_000), reference: "first", note: "" });
  day = indiaDate(api.settings.clock.now());
});
afterAll(async () => {
  const broken = (await checkLedger(api.settings.database.sql)).filter((check) => check.violations > 0);
  expect(broken).toEqual([]);
  await api.close();
});

const csv = (content: string | Uint8Array) => ({ raw: content, headers: { "content-type": "text/csv" } });
const upload = (content: string | Uint8Array, query = `provider=simulator&day=${day}&name=day.csv`) =>
  api.post(`/reconciliations?${query}`, undefined, csv(content));
const order = (state: "pending" | "SUCCESS", of = accountId) => buildOrder(api.deps.orders, of, { state });

/** The orders were sent an hour ago, and their provider did not answer. */
async function sentLongAgo(orders: readonly string[]): Promise<void> {
  const { sql } = api.settings.database;
  const at = new Date(api.settings.clock.now() - 3_600_000);
  await sql`update orders set updated_at = ${at} where order_id = any(${[...orders]}::text[])`;
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select account_id, order_id, '', ${at}, ${at} from orders where order_id = any(${[...orders]}::text[])`;
}

const agree = (approvalId: string) =>
  fetch(`${api.base}/console/api/approvals/${approvalId}/approve`, {
    method: "POST",
    headers: { ...api.as("finance"), "content-type": "application/json" },
    body: "{}",
  });

const statusOf = async (orderId: string) => (await api.get(`/orders/${orderId}`)).body.order.status;

/** Does every job that waits, as the background job would. */
async function work(): Promise<void> {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunner({ ...api.deps, log: createLog("silent") }, { owner: "staff", kinds });
  await runner.look();
  await runner.idle();
}

async function reconcile(lines: readonly Line[]): Promise<string> {
  const { body } = await upload(fileOf(lines));
  expect((await api.post(`/reconciliations/${body.reconciliation_id}/run`, MAPPING)).body).toMatchObject({
    state: "running",
    job: { state: "waiting" },
  });
  await work();
  return body.reconciliation_id;
}

test("a file is uploaded, looked at, mapped and run, and its lines are listed by what came of them", async () => {
  const [same, doubtful] = [await order("SUCCESS"), await order("pending")];
  const file = fileOf([
    { ref: same, txn: "T1" },
    { ref: doubtful, txn: "T2" },
    { ref: "NOT-OURS", txn: "T3" },
  ]);
  const uploaded = await upload(file);
  expect(uploaded).toMatchObject({
    status: 201,
    body: { state: "uploaded", provider: "simulator", day, name: "day.csv", rows: 3, counts: null, same_as: null },
  });
  const id: string = uploaded.body.reconciliation_id;
  const preview = (await api.get(`/reconciliations/${id}/preview`)).body;
  expect(preview).toMatchObject({
    delimiter: ",",
    rows: 3,
    known: false,
    proposal: { amount: "Amount", status: "Status", success: ["SUCCESS"] },
  });
  expect(preview.examples[0]).toEqual({ line: 2, cells: ["T1", same, "05/03/2026", "10.00", "SUCCESS"] });
  expect((await api.post(`/reconciliations/${id}/run`, { ...MAPPING, amount: "Gone" })).body.fields).toEqual({
    amount: "The file has no column Gone.",
  });
  expect((await api.post(`/reconciliations/${id}/run`, MAPPING)).status).toBe(200);
  expect((await api.post(`/reconciliations/${id}/run`, MAPPING)).status).toBe(409);
  expect((await api.get("/reconciliations?state=running")).body.items).toMatchObject([{ reconciliation_id: id }]);
  await work();
  const done = (await api.get(`/reconciliations/${id}`)).body;
  expect(done).toMatchObject({
    state: "done",
    open: 2,
    counts: {
      matched: { count: 1, there: "10.0000", here: "10.0000" },
      differing: { count: 1 },
      missing_here: { count: 1, here: "0.0000" },
    },
    job: { kind: "reconcile", state: "done", result: { rows: 3, matched: 1 } },
    to_settle: { count: 1, amount: "10.0000" },
  });
  const items = (query: string) =>
    api.get(`/reconciliations/${id}/items?${query}`).then(({ body }) => body.items.map((item: { item: number }) => item.item));
  expect(await items("")).toEqual([2, 3, 4]);
  expect(await items("outcome=missing_here")).toEqual([4]);
  expect(await items("can_settle=yes")).toEqual([3]);
  expect(await items("search=not-ours")).toEqual([4]);
  expect(await items("resolved=yes")).toEqual([]);
  const first = (await api.get(`/reconciliations/${id}/items?limit=2`)).body;
  expect(await items(`limit=2&after=${first.next}`)).toEqual([4]);
  expect((await api.get(`/reconciliations/${id}/items/3`)).body).toMatchObject({
    line: 3,
    outcome: "differing",
    why: "status",
    status: "SUCCESS",
    here_status: "pending",
    line_cells: expect.arrayContaining([{ column: "Client Ref", value: doubtful }]),
    account_name: "Asha Stores",
    here: { order: { order_id: doubtful, status: "pending" }, attempts: [{ provider: "simulator" }] },
  });
  const again = await upload(file, `provider=simulator&day=${day}&name=again.csv`);
  expect(again.body.same_as).toBe(id);
  expect((await api.get(`/reconciliations/${again.body.reconciliation_id}/preview`)).body).toMatchObject({
    known: true,
    proposal: { ...MAPPING, failed: [], pending: [] },
  });
});

test.each([
  ["a line that is too short", "a,b\n1,2\n3\n", "Line 3 has 1 cell, the header has 2."],
  ["a quote that is never closed", 'a,b\n"1,2\n', "Line 2 has a quote that is never closed."],
  ["no rows", "a,b\n", "The file has a header and no rows."],
  ["nothing", "", "The file is empty."],
])("a file with %s is refused by its line, and nothing of it is kept", async (_name, file, message) => {
  const before = await api.settings.database.sql`select from reconciliation_file_parts`;
  expect(await upload(file)).toMatchObject({ status: 400, body: { error: "invalid_request", message, fields: { file: message } } });
  expect(await api.settings.database.sql`select from reconciliation_file_parts`).toHaveLength(before.length);
});

test("a long file that is wrong at its beginning is refused all the same", async () => {
  const rows = Array.from({ length: 300_000 }, (_, place) => `${place},2`).join("\n");
  expect(await upload(`a,b\n1\n${rows}`)).toMatchObject({ status: 400, body: { message: "Line 2 has 1 cell, the header has 2." } });
});

test.each([
  ["provider=none", "provider"],
  ["provider=simulator&day=2026-02-30", "day"],
  ["provider=simulator&day=2999-01-01", "day"],
  ["provider=simulator&name=a/b.csv", "name"],
  ["provider=simulator&name=%0a", "name"],
])("an upload with %s is refused by its field", async (query, field) => {
  const whole = new URLSearchParams({ day, name: "a.csv", ...Object.fromEntries(new URLSearchParams(query)) });
  expect(await upload("a,b\n1,2\n", whole.toString())).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});

test("a file is text/csv in UTF-8 of 64 MiB at most; no other call takes one", async () => {
  const path = `/reconciliations?provider=simulator&day=${day}&name=a.csv`;
  const as = (type: string, more = {}) => api.post(path, undefined, { raw: "a,b\n1,2\n", headers: { "content-type": type, ...more } });
  expect((await as("text/csv; charset=UTF-8")).status).toBe(201);
  for (const type of ["text/csv; charset=latin1", "text/plain", "application/octet-stream"]) expect((await as(type)).status).toBe(415);
  expect((await as("text/csv", { "content-encoding": "gzip" })).status).toBe(415);
  expect((await api.post(path, {})).status).toBe(415);
  const megabyte = Buffer.alloc(1024 * 1024, "1,2\n");
  const large = Buffer.concat([Buffer.from("a,b\n"), ...Array.from({ length: 64 }, () => megabyte)]);
  expect(await upload(large)).toMatchObject({ status: 413, body: { error: "body_too_large" } });
  expect((await api.post("/accounts", undefined, csv("a,b\n1,2\n"))).status).toBe(415);
});

test("above the threshold somebody else has to agree, and then the order ends once", async () => {
  await api.post("/approval-rules", { order_threshold: "5.00", keys_included: true });
  const [one, two] = [await order("pending"), await order("pending")];
  await sentLongAgo([one, two]);
  const id = await reconcile([{ ref: one }, { ref: two, status: "FAILED" }]);
  const held = await api.post(`/reconciliations/${id}/items/2/settle`, { reason: "Their file." });
  expect(held).toMatchObject({
    status: 202,
    body: { approval: { kind: "reconcile", state: "waiting", amount: "10.0000", order_id: one } },
  });
  const all = await api.post(`/reconciliations/${id}/settle-all`, { reason: "All.", status: "FAILED" });
  expect(all).toMatchObject({
    status: 202,
    body: { approval: { kind: "reconcile", amount: "10.0000", order_id: null, input: { count: 1 } } },
  });
  const decided = await Promise.all(Array.from({ length: 5 }, () => agree(held.body.approval.approval_id)));
  expect(decided.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect((await agree(all.body.approval.approval_id)).status).toBe(200);
  for (const _ of [1, 2]) await work();
  const states = await Promise.all([one, two].map(statusOf));
  expect(states).toEqual(["SUCCESS", "FAILED"]);
  const { items } = (await api.get(`/audit?subject_kind=order&subject_id=${one}`)).body;
  expect(items).toMatchObject([
    {
      actor: expect.stringMatching(/^staff:/),
      details: { evidence: { line: 2, approval_id: held.body.approval.approval_id, made_by: "operator-key" } },
    },
  ]);
  await api.settings.database.sql`update approval_rules set order_threshold = null`;
});

test("an approval settles what its approver was shown, not an item that appeared before the decision", async () => {
  await api.post("/approval-rules", { order_threshold: "5.00", keys_included: true });
  const orders = [await order("pending"), await order("pending"), await order("pending")];
  await sentLongAgo(orders);
  const id = await reconcile(orders.map((ref) => ({ ref })));
  await api.post(`/reconciliations/${id}/items/4/resolve`, { note: "Their support looks into it." });
  const settleAll = () => api.post(`/reconciliations/${id}/settle-all`, { reason: "All." });
  const held = await settleAll();
  expect(held).toMatchObject({ status: 202, body: { approval: { amount: "20.0000", input: { count: 2 } } } });
  const approvalId: string = held.body.approval.approval_id;
  expect((await settleAll()).body.approval.approval_id).toBe(approvalId);
  await api.post(`/reconciliations/${id}/items/4/reopen`);
  await api.post(`/reconciliations/${id}/items/3/resolve`, { note: "Not this one." });
  expect((await agree(approvalId)).status).toBe(200);
  await work();
  expect(await Promise.all(orders.map(statusOf))).toEqual(["SUCCESS", "pending", "pending"]);
  const { job_id: jobId } = (await api.get(`/approvals/${approvalId}`)).body.result;
  expect((await api.get(`/jobs/${jobId}`)).body.result).toMatchObject({
    settled: 1,
    left: 1,
    skipped: [{ reason: "The item was changed after it was counted.", count: 1, lines: [3] }],
  });
  await api.settings.database.sql`update approval_rules set order_threshold = null`;
});

test("settling all counts each order on its own account, together with what the same person did to that account", async () => {
  const other = (await api.newAccount()).account_id;
  await topUp(api.deps.orders, "test", { accountId: other, amount: money(100), reference: "first", note: "" });
  await api.post("/approval-rules", { order_threshold: "25.00", keys_included: true });
  const all = async (...orders: string[]) => {
    const id = await reconcile(orders.map((ref) => ({ ref })));
    return await api.post(`/reconciliations/${id}/settle-all`, { reason: "All." });
  };
  // Ten rupees each.
  const one = await reconcile([{ ref: await order("pending") }]);
  expect((await api.post(`/reconciliations/${one}/items/2/settle`, { reason: "Their file." })).status).toBe(200);
  expect((await all(await order("pending"), await order("pending", other))).status).toBe(200);
  expect((await all(await order("pending"))).status).toBe(202);
  expect((await all(await order("pending", other))).status).toBe(200);
  expect((await all(await order("pending", other))).status).toBe(202);
  // All of one request come to the threshold, whatever accounts they are of.
  await api.settings.database.sql`delete from unapproved_amounts`;
  const third = (await api.newAccount()).account_id;
  await topUp(api.deps.orders, "test", { accountId: third, amount: money(100), reference: "first", note: "" });
  expect((await all(await order("pending"), await order("pending", other), await order("pending", third))).status).toBe(202);
  await work();
  await api.settings.database.sql`update approval_rules set order_threshold = null`;
});

test("an order is settled, differences are resolved, exported and reopened; a used file is not deleted", async () => {
  const doubtful = await order("pending");
  const id = await reconcile([{ ref: doubtful, txn: "T-9" }, { ref: "A" }, { ref: "B" }]);
  const settled = await api.post(`/reconciliations/${id}/items/2/settle`, { reason: "Their file." });
  expect(settled).toMatchObject({
    status: 200,
    body: { settled_at: expect.any(String), here: { order: { status: "SUCCESS", operator_ref: "T-9" } } },
  });
  expect((await api.post(`/reconciliations/${id}/items/2/settle`, { reason: "Again." })).status).toBe(409);
  expect((await api.post(`/reconciliations/${id}/settle-all`, { reason: "All." })).status).toBe(409);
  expect((await api.post(`/reconciliations/${id}/items/3/resolve`, { note: " " })).body.fields).toEqual({
    note: "Describe the result of the investigation.",
  });
  expect((await api.post(`/reconciliations/${id}/items/3/resolve`, { note: "A test of theirs." })).body).toMatchObject({
    note: "A test of theirs.",
  });
  expect((await api.post(`/reconciliations/${id}/resolve`, { outcome: "missing_here", note: "Theirs." })).body).toEqual({ resolved: 1 });
  expect((await api.post(`/reconciliations/${id}/items/4/reopen`)).body).toMatchObject({ resolved_at: null });
  const exported = await api.post(`/reconciliations/${id}/export`, { outcome: "missing_here" });
  await work();
  const file = await api.get(`/jobs/${exported.body.job.job_id}/file`);
  expect(file.headers.get("content-disposition")).toContain(`reconciliation-simulator-${day}-missing-here.csv`);
  expect(file.text.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^line,outcome,why,reference,/),
    expect.stringMatching(/^3,missing_here,,A,,10\.0000,SUCCESS,,,,,,.*,operator-key,A test of theirs\.,$/),
    "4,missing_here,,B,,10.0000,SUCCESS,,,,,,,,,",
  ]);
  expect((await api.post(`/reconciliations/${id}/delete`)).status).toBe(409);
  const wrong = (await upload("a,b\n1,2\n")).body.reconciliation_id;
  expect((await api.post(`/reconciliations/${wrong}/delete`, { reason: "Wrong." })).body).toEqual({ deleted: true });
  for (const path of ["", "/preview", "/items", "/items/2"]) expect((await api.get(`/reconciliations/${wrong}${path}`)).status).toBe(404);
  expect((await api.get(`/reconciliations/${id}/items/x`)).status).toBe(404);
});
