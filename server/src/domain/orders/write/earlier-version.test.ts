import { afterAll, beforeAll, expect, test } from "vitest";
import type { Order } from "../order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, money, newOrder, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, settle } from "../testing/operations.ts";
import type { Operation } from "./operations.ts";
import { planBatch } from "./plan.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
});
afterAll(() => fixture.close());

const NO_COMMISSION = { commission: money(0) };

/** Writes one operation as the previous version would, which knows neither commissions nor fees on credits. */
async function writtenBefore(operation: Extract<Operation, { kind: "accept" | "settle" }>): Promise<string> {
  const known = { ...operation.order, ...NO_COMMISSION, ...(operation.order.credit ? { fee: money(0) } : {}) };
  const plan = planBatch([{ ...operation, order: known }], fixture.clock.now());
  const [wallet] = [...plan.wallets.values()];
  const [made, ended] = [plan.accepts[0]?.order, plan.changes[0]];
  if (!wallet) throw new Error("The operation has no wallet.");
  const one = <Value>(value: Value | undefined) => (value === undefined ? [] : [value]);
  try {
    await process.ctx.sql`
      select available from post_orders(${new Date(plan.at)}, ${plan.today}, 'before',
        ${[wallet.accountId]}::text[], ${[`${wallet.available}`]}::text[]::bigint[], ${[`${wallet.held}`]}::text[]::bigint[],
        ${[`${wallet.cleared}`]}::text[]::bigint[], '{0}', ${[`${wallet.fees}`]}::text[]::bigint[], ${[`${wallet.rows}`]}::text[]::integer[],
        '{0}', '{-1}',
        ${made ? "{1}" : "{}"}, ${one(made?.orderId)}::text[], ${one(made?.service)}::text[], ${one(made?.reference)}::text[],
        ${one(made?.fingerprint)}::text[], ${one(made && `${made.amount}`)}::text[]::bigint[], ${one(made?.amountText)}::text[],
        ${one(made && `${made.fee}`)}::text[]::bigint[], ${one(made?.target)}::text[], ${one(made?.operator)}::text[], ${one(made && "")}::text[],
        ${one(made?.provider)}::text[], ${one(made?.call)}::text[], ${made ? "{0}" : "{}"},
        ${ended ? "{1}" : "{}"}, ${one(ended?.order.orderId)}::text[], ${ended ? "{0}" : "{}"}, ${ended ? "{1}" : "{}"},
        ${one(ended && "OP1")}::text[], ${one(ended && "")}::text[], ${ended ? "{0}" : "{}"}, ${one(ended?.callbackId)}::text[],
        ${one(ended && "pending")}::text[], '{}', '{}', '{}', '{}', '{}',
        ${plan.transfers.map(() => "1")}::text[]::integer[], ${plan.transfers.map((move) => `${move.position}`)}::text[]::integer[],
        ${plan.transfers.map((move) => move.kind)}::text[], ${plan.transfers.map((move) => `${move.amount}`)}::text[]::bigint[],
        ${plan.transfers.map((move) => `${move.availableOffset}`)}::text[]::bigint[], ${plan.transfers.map((move) => move.about)}::text[],
        ${plan.transfers.map((move) => move.note)}::text[])`;
    return "done";
  } catch (error) {
    return error instanceof Error ? error.message : "failed";
  }
}

const stateOf = async (order: Order) => (await findById(fixture.database.sql, order.orderId))?.state;

test("a process of the previous version accepts and settles orders without a commission, including orders of this version", async () => {
  const accountId = await fixture.newAccount(process, 100);
  const [theirs, ours] = [newOrder(accountId, { fee: money(0.5) }), newOrder(accountId, { fee: money(0.5) })];
  expect(await writtenBefore(accept(theirs))).toBe("done");
  await process.ctx.writer.write(accept(ours));
  expect(await writtenBefore(settle(theirs, "SUCCESS"))).toBe("done");
  expect(await writtenBefore(settle(ours, "SUCCESS"))).toBe("done");
  expect(await fixture.balance(accountId)).toBe(79);
  expect(await fixture.violations()).toEqual([]);
});

test("an order accepted by the previous version is settled as agreed then, without a commission", async () => {
  const accountId = await fixture.newAccount(process, 100);
  const theirs = newOrder(accountId, { commission: money(0.2) });
  expect(await writtenBefore(accept(theirs))).toBe("done");
  const taken = (await findById(fixture.database.sql, theirs.orderId)) as Order;
  await process.ctx.writer.write(settle(taken, "SUCCESS"));
  expect(await fixture.balance(accountId)).toBe(90);
  expect(await fixture.violations()).toEqual([]);
});

test.each([
  ["with a commission", { commission: money(0.2) }, 90.2],
  ["that pays the wallet for a fee", { credit: true, fee: money(1) }, 109],
])("an order %s is left alone by the version before, and ended by this one", async (_, more, balance) => {
  const accountId = await fixture.newAccount(process, 100);
  const order = newOrder(accountId, more);
  await process.ctx.writer.write(accept(order));
  expect(await writtenBefore(settle(order, "SUCCESS"))).toMatch(/what this version does not know/);
  expect(await stateOf(order)).toBe("pending");
  expect(await fixture.violations()).toEqual([]);
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  expect(await fixture.balance(accountId)).toBe(balance);
  expect(await fixture.violations()).toEqual([]);
});
