import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { listAudit } from "../audit/list.ts";
import type { JobContext, JobKinds } from "../jobs/kind.ts";
import { startJob } from "../jobs/start-job.ts";
import { settleManually } from "../orders/change-manually.ts";
import { findById } from "../orders/store.ts";
import { deleteReconciliation } from "./delete-reconciliation.ts";
import { reopenItem, resolveItems } from "./resolve-items.ts";
import { selectItems } from "./select-items.ts";
import { type SettleContext, settleItem } from "./settle-item.ts";
import { SETTLE_KIND, type SettleInput, settleItems, settleJob } from "./settle-items.ts";
import { createFixture, type Fixture, fileOf, type Line } from "./testing/fixture.ts";

let fixture: Fixture;
let ctx: SettleContext & JobContext;
beforeAll(async () => {
  fixture = await createFixture();
  ctx = { ...fixture.ctx, orders: fixture.process.ctx };
});
afterEach(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  // What is counted as open is open.
  const wrong = await fixture.ctx.sql`
    select reconciliation_id from reconciliations r where finished_at is not null and open <> (
      select count(*) from reconciliation_items i
      where i.reconciliation_id = r.reconciliation_id and outcome <> 'matched' and resolved_at is null)`;
  expect(wrong).toHaveLength(0);
});
afterAll(() => fixture.close());

const stateOf = async (orderId: string) => (await findById(fixture.ctx.sql, orderId))?.state;
const settle = (reconciliationId: string, item: number) =>
  settleItem(ctx, "staff:S1", { reconciliationId, item, reason: "As their file says." });

async function pendingIn(count: number, line: Partial<Line> = {}): Promise<{ readonly orders: readonly string[]; readonly id: string }> {
  const orders: string[] = [];
  for (let one = 0; one < count; one++) orders.push(await fixture.order({ state: "pending" }));
  await sentLongAgo(orders);
  const { reconciliationId } = await fixture.reconcile(fileOf(orders.map((ref, place) => ({ ref, txn: `T-${ref}-${place}`, ...line }))));
  return { orders, id: reconciliationId };
}

test("an order in doubt ends as the file says, and the audit log names file and line", async () => {
  const before = await fixture.orders.balance(fixture.accountId);
  const [first = "", second = ""] = [await fixture.order({ state: "pending" }), await fixture.order({ state: "pending" })];
  const { reconciliationId: id, open } = await fixture.reconcile(
    fileOf([
      { ref: first, txn: "RRN-1" },
      { ref: second, status: "FAILED" },
    ]),
  );
  expect([await settle(id, 2), await settle(id, 3)]).toEqual([
    { kind: "done", count: 1 },
    { kind: "done", count: 1 },
  ]);
  expect(await findById(fixture.ctx.sql, first)).toMatchObject({ state: "SUCCESS", operatorRef: "RRN-1" });
  expect(await findById(fixture.ctx.sql, second)).toMatchObject({
    state: "FAILED",
    operatorRef: null,
    failure: { code: "settled_by_staff", words: "As their file says." },
  });
  expect(await fixture.orders.balance(fixture.accountId)).toBe(before - 10);
  const [entry] = await listAudit(fixture.ctx.sql, { before: null, limit: 1, subject: { kind: "order", id: first } });
  expect([entry?.actor, entry?.action]).toEqual(["staff:S1", "order.settled"]);
  expect(JSON.parse(entry?.details ?? "").evidence).toEqual({
    ...{ reconciliation_id: id, provider: "simulator", day: "2026-03-05", file: "simulator.csv", line: 2 },
  });
  expect((await fixture.items(id))[0]).toMatchObject({
    hereStatus: "SUCCESS",
    resolvedBy: "staff:S1",
    canSettle: false,
    settledAt: expect.any(Date),
  });
  expect((await fixture.read(id)).open).toBe(open - 2);
  expect(await settle(id, 2)).toMatchObject({ kind: "conflict" });
});

test("only what is pending here and final there for the same amount is settled", async () => {
  const [amount, pending, here] = [
    await fixture.order({ state: "pending" }),
    await fixture.order({ state: "pending" }),
    await fixture.order(),
  ];
  const lines = [{ ref: amount, amount: "9" }, { ref: pending, status: "PENDING" }, { ref: here, status: "FAILED" }, { ref: "X" }];
  const { reconciliationId: id } = await fixture.reconcile(fileOf(lines));
  for (const item of [2, 3, 4, 5])
    expect(await settle(id, item)).toMatchObject({ kind: "conflict", reason: expect.stringContaining("Nothing") });
  expect(await settle(id, 999_999)).toEqual({ kind: "not_found" });
  expect([await stateOf(amount), await stateOf(pending), await stateOf(here)]).toEqual(["pending", "pending", "SUCCESS"]);
});

test("of many who settle at once, from two files and manually, one succeeds, and the money moves once", async () => {
  for (let round = 0; round < 5; round++) {
    const order = await fixture.order({ state: "pending" });
    const ids: string[] = [];
    for (const status of ["SUCCESS", "FAILED"]) ids.push((await fixture.reconcile(fileOf([{ ref: order, status }]))).reconciliationId);
    const manualChanges = () =>
      settleManually(fixture.process.ctx, "staff:S2", { orderId: order, to: "FAILED", operatorRef: null, reason: "No." });
    const tries = Array.from({ length: 24 }, (_, place) => (place % 3 === 2 ? manualChanges() : settle(ids[place % 3] ?? "", 2)));
    const results = await Promise.all(tries);
    expect(results.filter(({ kind }) => kind === "done")).toHaveLength(1);
    const ends = await fixture.ctx.sql`select kind from transfers where order_id = ${order} and kind in ('capture', 'void')`;
    expect(ends).toHaveLength(1);
    expect(await fixture.orders.violations()).toEqual([]);
  }
});

test("an order that has ended the same way meanwhile is resolved without being settled; another way, it stays open", async () => {
  const { orders, id } = await pendingIn(2);
  for (const [place, to] of (["SUCCESS", "FAILED"] as const).entries())
    await settleManually(fixture.process.ctx, "test", { orderId: orders[place] ?? "", to, operatorRef: null, reason: "By control." });
  expect([await settle(id, 2), await settle(id, 3)]).toEqual([
    { kind: "conflict", reason: "The order is SUCCESS." },
    { kind: "conflict", reason: "The order is FAILED." },
  ]);
  expect((await fixture.items(id)).slice(0, 2)).toMatchObject([
    { hereStatus: "SUCCESS", note: "The order was SUCCESS by then.", settledAt: null, canSettle: false },
    { hereStatus: "FAILED", resolvedAt: null, settledAt: null, canSettle: false },
  ]);
});

test("a provider's word ends nothing that is with another provider now", async () => {
  const { orders, id } = await pendingIn(1, { status: "FAILED" });
  await fixture.ctx.sql`update orders set provider = 'another', attempt = 2 where order_id = ${orders[0] ?? ""}`;
  expect(await settle(id, 2)).toEqual({ kind: "conflict", reason: "The order is with another." });
  expect(await stateOf(orders[0] ?? "")).toBe("pending");
});

type Asked = { readonly status?: "SUCCESS" | "FAILED"; readonly search?: string };

/** What is settled when all is asked for now. */
async function counted(id: string, asked: Asked = {}): Promise<SettleInput> {
  const of = await fixture.read(id);
  const { selectionId, orders } = await selectItems(fixture.ctx.sql, of, asked);
  const selected = { run: of.jobId ?? "", selection_id: selectionId, count: orders.length };
  const { status = null, search = null } = asked;
  return { reconciliation_id: id, ...selected, reason: "All of them.", item: null, status, search, approval_id: null, made_by: null };
}

async function start(input: SettleInput): Promise<string> {
  const job = await startJob(ctx, settleJob(input, "staff:S1"));
  if (!job) throw new Error("The queue is full.");
  return job.jobId;
}

const all = async (id: string, asked: Asked = {}, more: Partial<SettleInput> = {}) =>
  await start({ ...(await counted(id, asked)), ...more });

/** The orders were sent an hour ago, and their providers did not answer. */
async function sentLongAgo(orders: readonly string[]): Promise<void> {
  const at = new Date(fixture.ctx.clock.now() - 3_600_000);
  await fixture.ctx.sql`update orders set updated_at = ${at} where order_id = any(${[...orders]}::text[])`;
  await fixture.ctx.sql`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select ${fixture.accountId}, order_id, '', ${at}, ${at} from unnest(${[...orders]}::text[]) as o (order_id)`;
}

const kinds: JobKinds<JobContext> = { [SETTLE_KIND]: (_ctx, job, control) => settleItems(ctx, job, control) };

test("all that can be settled are, by a job that says how many had ended otherwise", async () => {
  const { orders, id } = await pendingIn(60);
  await settleManually(fixture.process.ctx, "test", { orderId: orders[7] ?? "", to: "FAILED", operatorRef: null, reason: "By control." });
  const jobId = await all(id);
  await fixture.work(kinds);
  expect(await fixture.job(jobId)).toMatchObject({
    state: "done",
    done: 60,
    total: 60,
    result: {
      ...{ settled: 59, left: 1, skipped: [{ reason: "The order is FAILED.", count: 1, lines: [9] }] },
      message: "59 orders were settled. 1 was skipped. 1: The order is FAILED.",
    },
  });
  const states = await Promise.all(orders.map(stateOf));
  expect(states.filter((state) => state === "SUCCESS")).toHaveLength(59);
  const again = await all(id);
  await fixture.work(kinds);
  expect((await fixture.job(again)).result).toMatchObject({ settled: 0, left: 0 });
});

test("some of them by what the file says or by what they are called; none of a run that is over", async () => {
  const [good = "", bad = ""] = [await fixture.order({ state: "pending" }), await fixture.order({ state: "pending" })];
  await sentLongAgo([good, bad]);
  const { reconciliationId: id } = await fixture.reconcile(fileOf([{ ref: good }, { ref: bad, status: "FAILED" }]));
  await all(id, { status: "FAILED" });
  await fixture.work(kinds);
  expect([await stateOf(good), await stateOf(bad)]).toEqual(["pending", "FAILED"]);
  await all(id, { search: "nothing is called that" });
  await fixture.work(kinds);
  const late = await all(id, {}, { run: "ANOTHER" });
  await fixture.work(kinds);
  expect([await stateOf(good), (await fixture.job(late)).result?.["settled"]]).toEqual(["pending", 0]);
  await all(id, { search: good.toLowerCase().slice(4) });
  await fixture.work(kinds);
  expect(await stateOf(good)).toBe("SUCCESS");
});

test("what was not counted, or changed since, is not settled with the rest, and each reason is reported", async () => {
  const { orders, id } = await pendingIn(5);
  const resolve = (item: number) => resolveItems(ctx, "staff:S1", { reconciliationId: id, which: { item }, note: "Not now." });
  const reopen = (item: number) => reopenItem(ctx, "staff:S1", { reconciliationId: id, item, reason: undefined });
  await resolve(2);
  const input = await counted(id);
  expect(input.count).toBe(4);
  await reopen(2);
  await resolve(3);
  await resolve(4);
  await reopen(4);
  await fixture.ctx.sql`update orders set attempt = 3 where order_id = ${orders[3] ?? ""}`;
  const jobId = await start(input);
  await fixture.work(kinds);
  expect((await fixture.job(jobId)).result).toMatchObject({
    settled: 1,
    left: 3,
    skipped: [
      { reason: "The item was changed after it was counted.", count: 2, lines: [3, 4] },
      { reason: "The order has moved on: it is in attempt 3, with simulator.", count: 1, lines: [5] },
    ],
  });
  expect(await Promise.all(orders.map(stateOf))).toEqual(["pending", "pending", "pending", "pending", "SUCCESS"]);
});

test("an order that is being sent at this moment is not settled with the rest", async () => {
  const { orders, id } = await pendingIn(3);
  const [first = "", second = ""] = orders;
  await fixture.ctx.sql`delete from pending_polls where order_id = ${first}`;
  await fixture.ctx.sql`update pending_polls set resent_at = ${new Date(fixture.ctx.clock.now())} where order_id = ${second}`;
  const jobId = await all(id);
  await fixture.work(kinds);
  expect((await fixture.job(jobId)).result).toMatchObject({
    settled: 1,
    skipped: [
      { reason: expect.stringContaining("at this moment"), lines: [2] },
      { reason: expect.stringContaining("so recently"), lines: [3] },
    ],
  });
  expect(await Promise.all(orders.map(stateOf))).toEqual(["pending", "pending", "SUCCESS"]);
});

test("items that were counted in an earlier run of the file are not settled", async () => {
  const { orders, id } = await pendingIn(1);
  const input = await counted(id);
  await fixture.start(id);
  await fixture.work();
  const run = (await fixture.read(id)).jobId ?? "";
  const request = { reconciliationId: id, item: 2, reason: "All of them." };
  expect(await settleItem(ctx, "staff:S1", { ...request, counted: { run: input.run, version: 0 } })).toMatchObject({ kind: "conflict" });
  expect(await stateOf(orders[0] ?? "")).toBe("pending");
  expect(await settleItem(ctx, "staff:S1", { ...request, counted: { run, version: 0 } })).toEqual({ kind: "done", count: 1 });
});

test("an item that was settled by a run of the job that died before it saved its progress counts as settled", async () => {
  const { orders, id } = await pendingIn(2);
  const input = await counted(id);
  const jobId = await start(input);
  const request = { reconciliationId: id, item: 2, reason: "All of them.", counted: { run: input.run, version: 0 } };
  expect(await settleItem(ctx, "staff:S1", request)).toEqual({ kind: "done", count: 1 });
  expect(await settleItem(ctx, "staff:S1", request)).toEqual({ kind: "done", count: 0 });
  expect(await settleItem(ctx, "staff:S2", request)).toMatchObject({ kind: "conflict" });
  await fixture.work(kinds);
  expect((await fixture.job(jobId)).result).toMatchObject({ settled: 2, left: 0, skipped: [] });
  expect(await Promise.all(orders.map(stateOf))).toEqual(["SUCCESS", "SUCCESS"]);
});

test("an item of an account that is being moved is skipped, and the job goes on", async () => {
  const { orders, id } = await pendingIn(2);
  const jobId = await start(await counted(id));
  await fixture.ctx.sql`update wallets set moved_to = 1 where account_id = ${fixture.accountId}`;
  await fixture.work(kinds);
  const reason = "The account is being moved to another cell. Settle the order when it has been moved.";
  expect((await fixture.job(jobId)).result).toMatchObject({ settled: 0, skipped: [{ reason, count: 2, lines: [2, 3] }] });
  await fixture.ctx.sql`update wallets set moved_to = null where account_id = ${fixture.accountId}`;
  expect(await Promise.all(orders.map(stateOf))).toEqual(["pending", "pending"]);
});

test("differences are resolved with a note, one or all of a kind, and opened again", async () => {
  const { reconciliationId: id, open } = await fixture.reconcile(
    fileOf([{ ref: "A" }, { ref: "B" }, { ref: "C" }, { ref: await fixture.order() }]),
  );
  const resolve = (which: Parameters<typeof resolveItems>[2]["which"]) =>
    resolveItems(ctx, "staff:S1", { reconciliationId: id, which, note: "Test transfers of theirs." });
  expect(await resolve({ item: 2 })).toEqual({ kind: "done", count: 1 });
  expect(await resolve({ item: 2 })).toMatchObject({ kind: "conflict" });
  expect(await resolve({ item: 5 })).toMatchObject({ kind: "conflict", reason: expect.stringContaining("nothing to resolve") });
  expect(await resolve({ outcome: "missing_here" })).toEqual({ kind: "done", count: 2 });
  expect((await fixture.read(id)).open).toBe(open - 3);
  expect(await reopenItem(ctx, "staff:S2", { reconciliationId: id, item: 3, reason: undefined })).toMatchObject({ kind: "done" });
  expect(await reopenItem(ctx, "staff:S2", { reconciliationId: id, item: 3, reason: undefined })).toMatchObject({ kind: "conflict" });
  expect((await fixture.read(id)).open).toBe(open - 2);
  const trail = await listAudit(fixture.ctx.sql, { before: null, limit: 9, subject: { kind: "reconciliation", id } });
  expect(trail.map((entry) => entry.action).toReversed()).toEqual([
    ...[
      "reconciliation.uploaded",
      "reconciliation.started",
      "reconciliation.resolved",
      "reconciliation.resolved",
      "reconciliation.reopened",
    ],
  ]);
});

test("a wrong upload goes away with all its parts; one that something was settled from stays", async () => {
  const wrong = await fixture.reconcile(fileOf([{ ref: "A" }]));
  expect(await deleteReconciliation(ctx, "staff:S1", { reconciliationId: wrong.reconciliationId, reason: "Wrong day." })).toEqual({
    kind: "done",
  });
  for (const table of ["reconciliations", "reconciliation_file_parts", "reconciliation_items", "reconciliation_selected_items"])
    expect(await fixture.ctx.sql`select 1 from ${fixture.ctx.sql(table)} where reconciliation_id = ${wrong.reconciliationId}`).toHaveLength(
      0,
    );
  const { id } = await pendingIn(1);
  await settle(id, 2);
  expect(await deleteReconciliation(ctx, "staff:S1", { reconciliationId: id, reason: undefined })).toMatchObject({ kind: "conflict" });
  expect(await reopenItem(ctx, "staff:S1", { reconciliationId: id, item: 2, reason: undefined })).toMatchObject({ kind: "conflict" });
  await expect(fixture.start(id)).rejects.toThrow("conflict");
});
