import { beforeEach, expect, test } from "vitest";
import { orderIdAt } from "../../platform/core/ids.ts";
import { indiaMonth, indiaMonthSpan } from "../../platform/core/india-time.ts";
import { connect, type Sql } from "../../platform/db/connection.ts";
import { testDatabase } from "../../testing/database.ts";
import { runReconciliation } from "./run-reconciliation.ts";
import { settleItem } from "./settle-item.ts";
import { createFixture, type Fixture, fileOf, MAPPING, manyOrders, NOON } from "./testing/fixture.ts";

const MONTH = indiaMonth(NOON);

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
  return () => fixture.close();
});

/** Takes these orders out of the database, as the move of their month does. */
async function archive(owner: Sql, orderIds: readonly string[]): Promise<void> {
  const span = indiaMonthSpan(MONTH);
  await owner`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values (${MONTH}, ${orderIdAt(span?.fromMilliseconds ?? 0)}, ${orderIdAt(span?.toMilliseconds ?? 0)}, '', '', now())`;
  for (const table of ["order_attempts", "order_provider_refs", "orders"])
    await owner`delete from ${owner(table)} where order_id = any(${[...orderIds]})`;
}

const found = (orderId: string) => expect.stringMatching(`${MONTH}, which is archived.*archive find FOLDER --order ${orderId}$`);
const perhaps = expect.stringMatching(`Orders of ${MONTH} are archived.*--provider-reference`);
const short = async (id: string) =>
  (await fixture.items(id)).map(({ item, outcome, why, accountId, orderId }) => [item, outcome, why, accountId, orderId]);

test("a line about an order of an archived month is archived, and one about an order that never was is missing here", async () => {
  const { sql } = fixture.ctx;
  const [named, made, there] = [await fixture.order(), await fixture.order(), await fixture.order()];
  await sql`insert into provider_references (provider, reference, subject) values ('simulator', 'MADE-1', ${made})`;
  await sql`update orders set operator_ref = 'OP-1' where order_id = ${there}`;
  await archive(fixture.orders.owner, [named, made, there]);
  const never = `${named.slice(0, 10)}00000000`;
  const lines = [{ ref: named, amount: "99" }, { ref: "MADE-1", status: "FAILED" }, { ref: "", txn: "OP-1" }, { ref: never }, { ref: "X" }];
  const { reconciliationId, counts, open } = await fixture.reconcile(fileOf(lines));
  expect(await short(reconciliationId)).toEqual([
    [2, "archived", found(named), fixture.accountId, named],
    [3, "archived", found(made), fixture.accountId, made],
    [4, "archived", perhaps, null, null],
    [5, "missing_here", null, null, null],
    [6, "missing_here", null, null, null],
  ]);
  expect(counts).toMatchObject({ archived: { count: 3, there: "1190000", here: "0" }, missing_here: { count: 2 } });
  expect(open).toBe(5);
});

test("nothing is settled from such a line", async () => {
  const orderId = await fixture.order({ state: "FAILED" });
  await archive(fixture.orders.owner, [orderId]);
  const { reconciliationId } = await fixture.reconcile(fileOf([{ ref: orderId }]));
  expect((await fixture.items(reconciliationId))[0]).toMatchObject({ outcome: "archived", canSettle: false });
  const settled = await settleItem({ ...fixture.ctx, orders: fixture.process.ctx }, "staff:S1", {
    reconciliationId,
    item: 2,
    reason: "Try.",
  });
  expect(settled).toMatchObject({ kind: "conflict" });
});

test("an order is archived although its month leaves between two steps of the run", async () => {
  const [named, there] = [await fixture.order(), await fixture.order()];
  await fixture.ctx.sql`update orders set operator_ref = 'OP-2' where order_id = ${there}`;
  const { reconciliationId } = await fixture.upload(fileOf([{ ref: named }, { ref: "", txn: "OP-2" }]));
  await fixture.start(reconciliationId);
  await fixture.work({
    reconcile: (ctx, job, control) =>
      runReconciliation(ctx, job, {
        ...control,
        save: async (step) => {
          await control.save(step);
          const { phase, line } = step.place as { readonly phase: string; readonly line: number };
          if (phase === "match" && line === 0) await archive(fixture.orders.owner, [named, there]);
        },
      }),
  });
  expect(await short(reconciliationId)).toEqual([
    [2, "archived", found(named), fixture.accountId, named],
    [3, "archived", found(there), fixture.accountId, there],
  ]);
});

test("with several cells a month may be archived in one of them and still be in another", async () => {
  const other = await testDatabase();
  const otherOwner = connect({ url: other.url, connections: 1, role: null });
  try {
    const [kept = "", left = ""] = await manyOrders(fixture, 2);
    await fixture.orders.owner`delete from orders where order_id = ${left}`;
    await fixture.orders.owner`delete from order_references`;
    await other.sql`insert into order_references (account_id, digest, order_id) values ('A2', gen_random_uuid(), ${left})`;
    await archive(otherOwner.sql, []);
    const { reconciliationId } = await fixture.upload(fileOf([{ ref: kept }, { ref: left }, { ref: "", txn: "OP-3" }]));
    await fixture.start(reconciliationId, MAPPING);
    const allCells = () => [fixture.ctx.sql, other.sql].map((sql, cell) => ({ cell, sql }));
    await fixture.work({ reconcile: (ctx, job, control) => runReconciliation({ ...ctx, allCells }, job, control) });
    expect(await short(reconciliationId)).toMatchObject([
      [2, "matched", null, fixture.accountId, kept],
      [3, "archived", found(left), "A2", left],
      [4, "archived", perhaps, null, null],
    ]);
  } finally {
    await otherOwner.close();
    await other.drop();
  }
});
