import { afterAll, beforeAll, expect, test } from "vitest";
import { moneyOf } from "../../../platform/core/money.ts";
import { codeOf } from "../../../platform/db/database-errors.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { Order } from "../../orders/order.ts";
import { applyReport } from "../../orders/recovery/apply-finding.ts";
import { beat, recoverOrders } from "../../orders/recovery/heartbeat.ts";
import { createReplyRecorder, markUnanswered } from "../../orders/recovery/unanswered-requests.ts";
import { contextOf, newOrder } from "../../orders/testing/fixture.ts";
import { settle, watch } from "../../orders/testing/operations.ts";
import type { SignedContext } from "../../services/signed/context.ts";
import { oncePerReference } from "../../services/signed/once-per-reference.ts";
import { cancelMove, type MoveContext, moveAccount, type Step } from "./move-account.ts";
import { startTwoCells, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

const sqlOf = (cell: number) => cells.sqlOf(cell);
const moving = (more: Partial<MoveContext> = {}) => cells.moving(more);

/** A process that has not learnt of the move, as far as the orders of a cell go. */
function processOf(cell: number): OrdersContext {
  const sql = cells.processSqlOf(cell);
  return contextOf(sql, sql, cells.clock);
}

/** An account at home with money and a callback URL. */
async function newAccount({ callbackVersion = 3 } = {}): Promise<string> {
  const accountId = await cells.newAccount();
  await cells.topUp(0, accountId, "second", moneyOf(900_000n));
  await sqlOf(0)`
    update accounts set callback_url = 'https://client.example/callback', callback_version = ${callbackVersion} where account_id = ${accountId}`;
  return accountId;
}

async function acceptedOrder(ctx: OrdersContext, accountId: string, more: Partial<Order> = {}): Promise<Order> {
  const order = newOrder(accountId, { provider: "first", ...more });
  await ctx.writer.write({ kind: "accept", order, dailyLimit: null });
  return order;
}

async function successfulOrder(ctx: OrdersContext, accountId: string): Promise<Order> {
  const order = await acceptedOrder(ctx, accountId);
  await ctx.writer.write(settle(order, "SUCCESS"));
  return order;
}

/** A process that serves both cells. */
function processOfBoth(): readonly [OrdersContext, OrdersContext] {
  const inHome: OrdersContext = { ...processOf(0), otherCells: () => [inOne] };
  const inOne: OrdersContext = { ...processOf(1), processId: inHome.processId, otherCells: () => [inHome] };
  return [inHome, inOne];
}

/** The process and its machine die: the survivors of both cells find its heartbeats too old, and search for its orders. */
async function die(processId: string): Promise<void> {
  for (const cell of [0, 1])
    await sqlOf(cell)`
      update processes set seen_at = seen_at - interval '20 seconds', host = 'another machine' where process_id = ${processId}`;
  await recoverBoth();
}

async function recoverBoth(): Promise<void> {
  for (const cell of [0, 1]) {
    const survivor = processOf(cell);
    await beat(survivor);
    await recoverOrders(survivor);
  }
}

const EIGHT_SECONDS_AGO = () => ({ createdAt: cells.clock.now() - 8_000, updatedAt: cells.clock.now() - 8_000 });

/** Moves the account to cell 1 and runs something before one of the steps. */
async function moveWith(accountId: string, step: Step, run: () => Promise<unknown>): Promise<void> {
  const before = async (next: Step) => {
    if (next === step) await run();
  };
  expect(await moveAccount(moving({ before }), accountId, 1)).toMatchObject({ kind: "done" });
}

/** The code of the error that a write ends with; "written" when it succeeds. */
const outcomeOf = async (write: Promise<unknown>) => await write.then(() => "written", codeOf);

const countOf = async (table: string, cell: number, accountId: string) =>
  (await sqlOf(cell)`select from ${sqlOf(cell)(table)} where account_id = ${accountId}`).length;

test.each<Step>(["copy", "record copy", "switch", "open", "clean"])(
  "from the fence on, also before %s, the old cell takes no report of a provider that took a success back",
  async (step) => {
    const accountId = await newAccount();
    const old = processOf(0);
    const order = await successfulOrder(old, accountId);
    const report = { reference: order.orderId, finding: { kind: "ask" } } as const;
    const outcomes: string[] = [];
    await moveWith(accountId, step, async () => outcomes.push(await outcomeOf(applyReport(old, report, "first"))));
    expect(outcomes).toEqual(["ACCOUNT_MOVED"]);
    expect(await applyReport(processOf(1), report, "first")).toBeNull();
    expect(await countOf("pending_polls", 1, accountId)).toBe(1);
  },
);

test("the new cell takes a provider's report only after the switch, and the old cell again after a cancelled move", async () => {
  const accountId = await newAccount();
  const order = await successfulOrder(processOf(0), accountId);
  const report = { reference: order.orderId, finding: { kind: "ask" } } as const;
  const killed = new Error("The command was killed.");
  const before = async (step: Step) => {
    if (step === "switch") throw killed;
  };
  await expect(moveAccount(moving({ before }), accountId, 1)).rejects.toBe(killed);
  expect(await outcomeOf(applyReport(processOf(1), report, "first"))).toBe("ACCOUNT_MOVED");
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  expect(await applyReport(processOf(0), report, "first")).toBeNull();
  expect(await countOf("pending_polls", 0, accountId)).toBe(1);
});

test("a record without an order that is written while its account leaves is not acknowledged, and nothing is done for it", async () => {
  const accountId = await newAccount();
  const ctx = { ...processOf(0), vault: cells.accounts.vault } as SignedContext;
  const recordAt = async (requestId: string, make: () => Promise<unknown>) =>
    await outcomeOf(
      oncePerReference(ctx, { accountId, operation: "/bus/block", requestId, fingerprint: "" }, async () => `${await make()}`),
    );
  expect(await recordAt("before", async () => "B1")).toBe("written");
  expect(await recordAt("meanwhile", async () => await moveWith(accountId, "begin", async () => {}))).toBe("ACCOUNT_MOVED");
  const kept = await sqlOf(1)`select request_id from idempotent_requests where account_id = ${accountId}`;
  expect(kept.map((row) => row["request_id"])).toEqual(["before"]);
});

test("the old cell lets nobody be told pending after the fence, and schedules the polls of its other accounts all the same", async () => {
  const [moved, stayed] = [await newAccount({ callbackVersion: 2 }), await newAccount()];
  const old = processOf(0);
  const orders = [await acceptedOrder(old, moved), await acceptedOrder(old, stayed)];
  await moveWith(moved, "record copy", async () => {
    const outcomes = await Promise.all(orders.map(async (order) => await outcomeOf(old.writer.write(watch(order)))));
    expect(outcomes).toEqual(["ACCOUNT_MOVED", "written"]);
  });
  expect([await countOf("pending_polls", 0, stayed), await countOf("pending_polls", 1, moved)]).toEqual([1, 1]);
});

test("a client that was told pending before the fence gets the callback from the new cell", async () => {
  const accountId = await newAccount({ callbackVersion: 2 });
  const order = await acceptedOrder(processOf(0), accountId);
  await moveWith(accountId, "wait", async () => await processOf(0).writer.write(watch(order)));
  await processOf(1).writer.write(settle(order, "SUCCESS"));
  expect(await countOf("callbacks", 1, accountId)).toBe(1);
});

test("a reply that is lost while the account moves is reported by a callback of the new cell", async () => {
  const accountId = await newAccount();
  const [old] = processOfBoth();
  const order = await successfulOrder(old, accountId);
  old.inProgress.awaitReply(order.orderId, order.createdAt);
  const replied = createReplyRecorder(old, order);
  await moveWith(accountId, "record copy", async () => {
    expect(await outcomeOf(markUnanswered(old, order))).toBe("ACCOUNT_MOVED");
    replied(false);
  });
  await expect
    .poll(async () => {
      await beat(old);
      return old.inProgress.oldest();
    })
    .toBeNull();
  expect([await countOf("callbacks", 0, accountId), await countOf("callbacks", 1, accountId)]).toEqual([0, 1]);
});

test.each(["SUCCESS", "pending"] as const)(
  "the client of a process that died before its reply is told when the order, %s, has moved before the death was noticed",
  async (state) => {
    const accountId = await newAccount();
    const [dead, deadInOne] = [processOf(0), processOf(1)];
    const order = newOrder(accountId, { provider: "first", ...EIGHT_SECONDS_AGO() });
    dead.inProgress.awaitReply(order.orderId, order.createdAt);
    await dead.writer.write({ kind: "accept", order, dailyLimit: null });
    await beat(dead);
    // Its heartbeat in the new cell is younger than the order.
    await beat({ ...deadInOne, processId: dead.processId });
    if (state === "SUCCESS") await dead.writer.write(settle(order, "SUCCESS"));
    await moveWith(accountId, "begin", async () => {});
    await die(dead.processId);
    if (state === "pending") await processOf(1).writer.write(settle(order, "SUCCESS"));
    expect(await countOf("callbacks", 1, accountId)).toBe(1);
  },
);

test("a process that has not died yet when the account moves is looked for in the new cell from its oldest order of any cell", async () => {
  const accountId = await newAccount();
  const [old, inOne] = processOfBoth();
  const order = newOrder(accountId, { provider: "first", ...EIGHT_SECONDS_AGO() });
  old.inProgress.awaitReply(order.orderId, order.createdAt);
  await old.writer.write({ kind: "accept", order, dailyLimit: null });
  await old.writer.write(settle(order, "SUCCESS"));
  await moveWith(accountId, "begin", async () => {});
  for (const ctx of [old, inOne]) await beat(ctx);
  await die(old.processId);
  expect(await countOf("callbacks", 1, accountId)).toBe(1);
});

test("a death that is noticed while the account moves is searched for again after the move, or after it was cancelled", async () => {
  for (const end of ["move", "cancel"]) {
    const accountId = await newAccount();
    const dead = processOf(0);
    const order = newOrder(accountId, { provider: "first", ...EIGHT_SECONDS_AGO() });
    dead.inProgress.awaitReply(order.orderId, order.createdAt);
    await dead.writer.write({ kind: "accept", order, dailyLimit: null });
    await beat(dead);
    await dead.writer.write(settle(order, "SUCCESS"));
    const killed = new Error("The command was killed.");
    const before = async (step: Step) => {
      if (step === "copy") await die(dead.processId);
      if (step === "switch") throw killed;
    };
    await expect(moveAccount(moving({ before }), accountId, 1)).rejects.toBe(killed);
    await recoverBoth();
    expect([await countOf("callbacks", 0, accountId), await countOf("callbacks", 1, accountId)]).toEqual([0, 0]);
    expect(end === "move" ? await moveAccount(moving(), accountId, 1) : await cancelMove(moving(), accountId)).toMatchObject({
      kind: "done",
    });
    await recoverBoth();
    expect(await countOf("callbacks", end === "move" ? 1 : 0, accountId)).toBe(1);
    for (const cell of [0, 1]) expect(await sqlOf(cell)`select from processes where process_id = ${dead.processId}`).toHaveLength(0);
  }
});
