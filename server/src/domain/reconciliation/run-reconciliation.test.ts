import { afterAll, beforeAll, expect, test } from "vitest";
import { orderIdAt } from "../../platform/core/ids.ts";
import { testDatabase } from "../../testing/database.ts";
import type { JobContext, JobControl, JobKind } from "../jobs/kind.ts";
import { cancelJob } from "../jobs/store.ts";
import { reverseManually } from "../orders/change-manually.ts";
import { findByMadeReference, findByOperatorRef, findByProviderRef } from "./find-orders.ts";
import { runReconciliation } from "./run-reconciliation.ts";
import { createFixture, type Fixture, fileOf, MAPPING, manyOrders, NOON } from "./testing/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const short = async (id: string) =>
  (await fixture.items(id)).map(({ item, outcome, why, orderId, canSettle }) => [item, outcome, why, orderId, canSettle]);

test("each line is matched, differs, or is missing here; what the file does not name is missing there", async () => {
  const [same, otherAmount, otherStatus, inDoubt, both, absent, failed, pendingBoth] = [
    await fixture.order(),
    await fixture.order(),
    await fixture.order({ state: "FAILED" }),
    await fixture.order({ state: "pending" }),
    await fixture.order({ state: "pending" }),
    await fixture.order(),
    await fixture.order({ state: "FAILED" }),
    await fixture.order({ state: "pending" }),
  ];
  const lines = [
    { ref: same },
    { ref: otherAmount, amount: "10.01" },
    { ref: otherStatus },
    { ref: inDoubt, status: "FAILED" },
    { ref: both, status: "FAILED", amount: "11" },
    { ref: "01JQ0Z4V7XABCDEFGH" },
    { ref: pendingBoth, status: "pending" },
    { ref: "", txn: "" },
  ];
  const done = await fixture.reconcile(fileOf(lines));
  expect(await short(done.reconciliationId)).toEqual([
    [2, "matched", null, same, false],
    [3, "differing", "amount", otherAmount, false],
    [4, "differing", "status", otherStatus, false],
    [5, "differing", "status", inDoubt, true],
    [6, "differing", "amount and status", both, false],
    [7, "missing_here", null, null, false],
    [8, "matched", null, pendingBoth, false],
    [9, "unclear", expect.stringContaining("neither"), null, false],
    [10, "missing_there", null, absent, false],
  ]);
  expect(failed).not.toBe(absent);
  expect(done).toMatchObject({ state: "done", open: 7 });
  expect(done.counts).toMatchObject({
    matched: { count: 2, there: "200000", here: "200000" },
    differing: { count: 4, there: "410100", here: "400000" },
    missing_here: { count: 1, there: "100000", here: "0" },
    missing_there: { count: 1, there: "0", here: "100000" },
    duplicate: { count: 0 },
    unclear: { count: 1 },
  });
});

test("what names an order again is a duplicate of the first line that did", async () => {
  const order = await fixture.order();
  const { reconciliationId } = await fixture.reconcile(
    fileOf([{ ref: order }, { ref: order, status: "FAILED" }, { ref: "X" }, { ref: "X" }]),
  );
  expect((await fixture.items(reconciliationId)).slice(0, 4)).toMatchObject([
    { item: 2, outcome: "matched" },
    { item: 3, outcome: "duplicate", why: "Line 2 names the same." },
    { item: 4, outcome: "missing_here" },
    { item: 5, outcome: "duplicate", why: "Line 4 names the same." },
  ]);
});

test("an order that the file names twice with different results is not settled from it", async () => {
  const [twice, unreadable, agreeing] = [
    await fixture.order({ state: "pending" }),
    await fixture.order({ state: "pending" }),
    await fixture.order({ state: "pending" }),
  ];
  const lines = [
    { ref: twice, status: "FAILED" },
    { ref: twice },
    { ref: unreadable },
    { ref: unreadable, amount: "ten" },
    { ref: agreeing, status: "FAILED" },
    { ref: agreeing, status: "FAILED" },
  ];
  const { reconciliationId } = await fixture.reconcile(fileOf(lines));
  expect((await short(reconciliationId)).slice(0, 6)).toEqual([
    [2, "differing", "status (line 3 names the same order and differs)", twice, false],
    [3, "duplicate", "Line 2 names the same.", null, false],
    [4, "differing", "status (line 5 names the same order and differs)", unreadable, false],
    [5, "unclear", expect.any(String), null, false],
    [6, "differing", "status", agreeing, true],
    [7, "duplicate", "Line 6 names the same.", null, false],
  ]);
});

test("a success that was taken back here differs from one that stands there", async () => {
  const order = await fixture.order();
  await reverseManually(fixture.process.ctx, "test", { orderId: order, reason: "Taken back." });
  const { reconciliationId } = await fixture.reconcile(fileOf([{ ref: order }]));
  expect((await fixture.items(reconciliationId))[0]).toMatchObject({
    outcome: "differing",
    why: "status",
    takenBack: true,
    canSettle: false,
  });
  const again = await fixture.reconcile(fileOf([{ ref: order, status: "FAILED" }]));
  expect((await fixture.items(again.reconciliationId))[0]).toMatchObject({ outcome: "matched", takenBack: true });
});

test("an order that went on to another provider has failed with this one, and one that never came to it is not this one's", async () => {
  const { sql } = fixture.ctx;
  await sql`insert into providers (provider, connector, settings, created_at) values ('other', 'simulator', '{}', now())`;
  const [moved, paidTwice, elsewhere] = [await fixture.order(), await fixture.order(), await fixture.order()];
  await sql`update orders set provider = 'other', attempt = 2 where order_id in ${sql([moved, paidTwice, elsewhere])}`;
  for (const id of [moved, paidTwice]) {
    await sql`
      insert into order_attempts (account_id, order_id, attempt, provider, started_at, outcome, detail, ended_at)
      values (${fixture.accountId}, ${id}, 1, 'simulator', now(), 'declined', 'No.', now())`;
  }
  const lines = [{ ref: moved, status: "FAILED" }, { ref: paidTwice }, { ref: elsewhere }];
  const { reconciliationId } = await fixture.reconcile(fileOf(lines));
  expect((await fixture.items(reconciliationId)).slice(0, 3)).toMatchObject([
    { outcome: "matched", hereStatus: "FAILED" },
    { outcome: "differing", why: "status", hereStatus: "FAILED", canSettle: false },
    { outcome: "differing", why: "provider", hereStatus: null },
  ]);
});

test("without our order ids the provider's references find the orders, where each has one", async () => {
  const [first, second, third] = [await fixture.order(), await fixture.order(), await fixture.order()];
  const { sql } = fixture.ctx;
  await sql`update orders set operator_ref = 'T-1' where order_id = ${first}`;
  await sql`update orders set operator_ref = 'T-2' where order_id in ${sql([second, third])}`;
  const file = fileOf([
    { ref: "", txn: "T-1" },
    { ref: "", txn: "T-2" },
    { ref: "", txn: "T-3" },
    { ref: "", txn: "T-1" },
  ]);
  const { reconciliationId } = await fixture.reconcile(file);
  expect((await short(reconciliationId)).slice(0, 4)).toEqual([
    [2, "matched", null, first, false],
    [3, "unclear", "2 orders have this reference.", null, false],
    [4, "missing_here", null, null, false],
    [5, "duplicate", "Line 2 names the same.", null, false],
  ]);
});

test("the reference that was made for the provider and the provider's own id find the orders", async () => {
  const orders = [await fixture.order(), await fixture.order(), await fixture.order(), await fixture.order()];
  const [made = "", told = "", both = "", moved = ""] = orders;
  const { sql } = fixture.ctx;
  await sql`
    insert into provider_references (provider, reference, subject)
    values ('simulator', '260305000001', ${made}), ('simulator', '260305000002', ${both}), ('another', '260305000003', ${told})`;
  const addRef = async (orderId: string, attempt: number, provider: string, ref: string) =>
    await sql`
      insert into order_provider_refs (account_id, order_id, attempt, provider, provider_ref, at)
      values (${fixture.accountId}, ${orderId}, ${attempt}, ${provider}, ${ref}, ${new Date(NOON)})`;
  await addRef(told, 1, "simulator", "P-1");
  await addRef(both, 1, "simulator", "P-2");
  await addRef(both, 2, "simulator", "P-2");
  await sql`update orders set operator_ref = 'P-2' where order_id = ${both}`;
  // The order was carried out by another provider in the end, which knows it by an id that this one uses for another order.
  await addRef(moved, 1, "simulator", "P-3");
  await addRef(moved, 2, "another", "P-1");
  await sql`update orders set provider = 'another', attempt = 2 where order_id = ${moved}`;
  await sql`
    insert into order_attempts (account_id, order_id, attempt, provider, started_at)
    values (${fixture.accountId}, ${moved}, 1, 'simulator', ${new Date(NOON)})`;
  const { reconciliationId } = await fixture.reconcile(
    fileOf([
      { ref: "260305000001" },
      { ref: "", txn: "P-1" },
      { ref: "", txn: "P-2" },
      { ref: "", txn: "P-3", status: "FAILED" },
      { ref: "260305000002", txn: "P-2" },
      { ref: "260305000003" },
      { ref: "", txn: "260305000001" },
    ]),
  );
  expect((await short(reconciliationId)).slice(0, 7)).toEqual([
    [2, "matched", null, made, false],
    [3, "matched", null, told, false],
    [4, "matched", null, both, false],
    [5, "matched", null, moved, false],
    [6, "matched", null, both, false],
    [7, "missing_here", null, null, false],
    [8, "matched", null, made, false],
  ]);
  const missing = await fixture.ctx.sql<{ order_id: string }[]>`
    select order_id from reconciliation_items where reconciliation_id = ${reconciliationId} and outcome = 'missing_there'`;
  expect(missing.map((row) => row.order_id).filter((orderId) => orders.includes(orderId))).toEqual([]);
});

test("a reference that one kind of search finds for one order and another kind for two is unclear", async () => {
  const orders = [await fixture.order({ state: "pending" }), await fixture.order({ state: "pending" })].toSorted();
  for (const orderId of orders)
    await fixture.ctx.sql`
      insert into order_provider_refs (account_id, order_id, attempt, provider, provider_ref, at)
      values (${fixture.accountId}, ${orderId}, 1, 'simulator', 'P-9', ${new Date(NOON)})`;
  await fixture.ctx.sql`update orders set operator_ref = 'P-9' where order_id = ${orders[0] ?? ""}`;
  const { reconciliationId } = await fixture.reconcile(fileOf([{ ref: "", txn: "P-9" }]));
  expect((await short(reconciliationId))[0]).toEqual([2, "unclear", "2 orders have this reference.", null, false]);
});

test("references are looked up with the indexes of their tables", async () => {
  const own = await createFixture();
  try {
    const { sql } = own.ctx;
    const orders = await manyOrders(own, 20_000);
    await sql`
      insert into provider_references (provider, reference, subject)
      select 'simulator', 'M' || place, order_id from unnest(${[...orders]}::text[]) with ordinality as o (order_id, place)`;
    await sql`
      insert into order_provider_refs (account_id, order_id, attempt, provider, provider_ref, at)
      select ${own.accountId}, order_id, 1, 'simulator', 'P' || place, ${new Date(NOON)}
      from unnest(${[...orders]}::text[]) with ordinality as o (order_id, place)`;
    await sql`update orders set operator_ref = 'O' || substr(reference, 1, 10)`;
    await own.orders.owner`analyze provider_references, order_provider_refs, orders`;
    const references = Array.from({ length: 2_000 }, (_, place) => `${place % 2 === 0 ? "M" : "P"}${place + 1}`);
    const around = { provider: "simulator", firstId: orderIdAt(NOON - 86_400_000), endId: orderIdAt(NOON + 86_400_000) };
    await sql.begin(async (tx) => {
      expect(await findByProviderRef(tx, around, references)).toHaveLength(1_000);
      expect(await findByMadeReference(tx, around, references)).toHaveLength(1_000);
      const scans = await tx<{ table: string; read: number; found: number }[]>`
        select relname as table, seq_scan::int as read, idx_scan::int as found from pg_stat_xact_user_tables
        where relname ~ '^(order_provider_refs|provider_references)' and (seq_scan > 0 or idx_scan > 0)`;
      expect(scans.filter(({ read }) => read > 0)).toEqual([]);
      expect(scans.some(({ table, found }) => table.startsWith("order_provider_refs") && found >= 2_000)).toBe(true);
      expect(scans.some(({ table, found }) => table === "provider_references" && found >= 2_000)).toBe(true);
    });
    // As many lines as one step has, none with our order id.
    const many = [...(await sql<{ ref: string }[]>`select distinct operator_ref as ref from orders`).map(({ ref }) => ref)];
    const asked = [...many, ...Array.from({ length: 100_000 - many.length }, (_, place) => `X${place}`)];
    expect(await findByOperatorRef(sql, around, asked)).toHaveLength(many.length);
    expect(await findByOperatorRef(sql, around, many.slice(0, 5))).toHaveLength(5);
  } finally {
    await own.close();
  }
});

/** A run that stops for good after so many steps, as in a process that is killed. */
function dyingAfter(steps: number): { readonly kind: JobKind<JobContext>; readonly died: Promise<void> } {
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  let left = steps;
  const kind: JobKind<JobContext> = (ctx, job, control) => {
    const save: JobControl["save"] = async (step) => {
      if (left-- > 0) return await control.save(step);
      die();
      return await new Promise<void>(() => {});
    };
    return runReconciliation(ctx, job, { ...control, save });
  };
  return { kind, died };
}

test.each([1, 2, 4, 5, 7, 9, 10])("a run that dies after %i steps is ended by another process with the same result", async (steps) => {
  const own = await createFixture();
  try {
    const orders = await manyOrders(own, 7_000);
    // Of 7,000 orders 2,000 are not named; 100 lines name others, and some name one twice.
    const refs = [...orders.slice(0, 5_000), ...Array.from({ length: 100 }, (_, place) => `X${place}`), ...orders.slice(0, 50)];
    const { reconciliationId } = await own.upload(fileOf(refs.map((ref) => ({ ref }))));
    const jobId = await own.start(reconciliationId);
    const { kind, died } = dyingAfter(steps);
    await own.runner({ reconcile: kind }).look();
    await died;
    own.orders.clock.advance(31_000);
    await own.work();
    expect(await own.job(jobId)).toMatchObject({ state: "done", claims: 2, result: { rows: 5_150, matched: 5_000, missing_there: 2_000 } });
    const { counts } = await own.read(reconciliationId);
    expect([counts?.missing_here.count, counts?.duplicate.count, counts?.differing.count]).toEqual([100, 50, 0]);
    expect(await own.items(reconciliationId)).toHaveLength(7_150);
  } finally {
    await own.close();
  }
});

test("with several cells a run goes on in the cell with the saved number", async () => {
  const own = await createFixture();
  try {
    await manyOrders(own, 3);
    const { reconciliationId } = await own.upload(fileOf([{ ref: "X" }]));
    const jobId = await own.start(reconciliationId);
    const place = JSON.stringify({ phase: "there", line: 2, cell: 2, after: "", missing: 0, orders: 3 });
    await own.ctx.sql`update jobs set resume_from = ${place}::text::jsonb where job_id = ${jobId}`;
    // Home is done. Cell 1 does not exist, so cell 2 is the second in the list.
    const allCells = () => [0, 2].map((cell) => ({ cell, sql: own.ctx.sql }));
    await own.work({ reconcile: (ctx, job, control) => runReconciliation({ ...ctx, allCells }, job, control) });
    expect(await own.job(jobId)).toMatchObject({ state: "done", result: { missing_there: 3 } });
  } finally {
    await own.close();
  }
});

test("an order is missing there although its account moves to a cell that was scanned already", async () => {
  const [own, other] = [await createFixture(), await testDatabase()];
  try {
    const [orderId = ""] = await manyOrders(own, 1);
    const [row] = await own.orders.owner`delete from orders where order_id = ${orderId} returning *`;
    await other.sql`insert into orders ${other.sql(row as never)}`;
    const { reconciliationId } = await own.upload(fileOf([{ ref: "X" }]));
    const jobId = await own.start(reconciliationId);
    const allCells = () => [own.ctx.sql, other.sql].map((sql, cell) => ({ cell, sql }));
    const moveHome = async () => {
      await other.sql`update orders set provider = 'left' where order_id = ${orderId}`;
      await own.ctx.sql`insert into orders ${own.ctx.sql(row as never)}`;
      await own.orders.owner`
        insert into account_moves (move_id, account_id, account_ids, from_cell, to_cell, phase, callbacks_paused, started_by, started_at, phase_at)
        values ('M1', ${row?.["account_id"]}, '{}', 1, 0, 'done', '{}', 'test', now(), now())`;
    };
    let hasMoved = false;
    await own.work({
      reconcile: (ctx, job, control) =>
        runReconciliation({ ...ctx, allCells }, job, {
          ...control,
          save: async (step) => {
            await control.save(step);
            const isHomeScanned = (step.place as { readonly cell?: number } | null)?.cell === 1;
            if (isHomeScanned && !hasMoved) await moveHome();
            hasMoved ||= isHomeScanned;
          },
        }),
    });
    expect(hasMoved).toBe(true);
    expect(await own.job(jobId)).toMatchObject({ state: "done", result: { missing_there: 1 } });
  } finally {
    await other.drop();
    await own.close();
  }
});

test("a run that is cancelled stops, and another one starts from the beginning", async () => {
  const own = await createFixture();
  try {
    await manyOrders(own, 6_000);
    const { reconciliationId } = await own.upload(fileOf(Array.from({ length: 9_000 }, (_, place) => ({ ref: `X${place}` }))));
    const jobId = await own.start(reconciliationId);
    await own.work({
      reconcile: (ctx, job, control) =>
        runReconciliation(ctx, job, {
          ...control,
          save: async (step) => {
            if (step.done === 4_000) await cancelJob(ctx.sql, { owner: "staff", jobId }, new Date());
            await control.save(step);
          },
        }),
    });
    expect(await own.job(jobId)).toMatchObject({ state: "cancelled", done: 4_000 });
    expect(await own.read(reconciliationId)).toMatchObject({ state: "cancelled", counts: null, open: 0 });
    await own.start(reconciliationId, { ...MAPPING, provider_reference: null });
    await own.work();
    const done = await own.read(reconciliationId);
    expect(done).toMatchObject({ state: "done", open: 15_000, mapping: { provider_reference: null } });
    expect([done.counts?.missing_here.count, done.counts?.missing_there.count]).toEqual([9_000, 6_000]);
  } finally {
    await own.close();
  }
});
