import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../platform/core/clock.ts";
import { randomIds } from "../../../platform/core/ids.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { connect, type Database, type Sql } from "../../../platform/db/connection.ts";
import { codeOf } from "../../../platform/db/database-errors.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { memoryVault } from "../../accounts/testing/memory-vault.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { Order } from "../../orders/order.ts";
import { applyReport } from "../../orders/recovery/apply-finding.ts";
import { contextOf, newOrder } from "../../orders/testing/fixture.ts";
import { settle } from "../../orders/testing/operations.ts";
import { registerCell } from "../store.ts";
import { cancelMove, type MoveContext, moveAccount, type Step } from "./move-account.ts";

const [ids, clock] = [randomIds(), systemClock(0)];
let [home, other]: TestDatabase[] = [];
let [homeOwner, otherOwner]: Database[] = [];
let accountsMade = 0;

beforeAll(async () => {
  [home, other] = await Promise.all([testDatabase(), testDatabase()]);
  [homeOwner, otherOwner] = [home, other].map(({ url }) => connect({ url, connections: 3, role: null }));
  for (const cell of [0, 1])
    await sqlOf(cell)`
      insert into installation (installation_id, created_at, master_key_file, master_key_id, cell) values ('I1', now(), '', 'K1', ${cell})`;
  await registerCell(sqlOf(0), 1, new Date());
});
afterAll(async () => {
  await Promise.all([homeOwner?.close(), otherOwner?.close()]);
  await Promise.all([home?.drop(), other?.drop()]);
});

/** The owner's connection to a cell. */
function sqlOf(cell: number): Sql {
  const database = cell === 0 ? homeOwner : otherOwner;
  if (!database) throw new Error("The databases are missing.");
  return database.sql;
}

/** A process that has not learnt of the move, as far as the orders of a cell go. */
function processOf(cell: number): OrdersContext {
  const sql = (cell === 0 ? home : other)?.sql;
  if (!sql) throw new Error("The databases are missing.");
  return contextOf(sql, sql, clock);
}

/** An account at home with money and a callback URL. */
async function newAccount({ callbackVersion = 3 } = {}): Promise<string> {
  const ctx = { sql: processOf(0).sql, vault: memoryVault(), clock, ids, refresh: async () => {} };
  accountsMade += 1;
  const made = await createAccount(ctx, "test", { name: `Asha Stores ${accountsMade}`, sandbox: false });
  if (made.kind !== "done") throw new Error("The account could not be made.");
  const { accountId } = made;
  await processOf(0).writer.write({ kind: "topup", accountId, amount: moneyOf(1_000_000n), reference: "first", note: "" });
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

function moving(more: Partial<MoveContext> = {}): MoveContext {
  const cells = [0, 1].map((cell) => ({ cell, sql: sqlOf(cell) }));
  return { cells, ids, now: () => clock.now(), actor: "test", knownMilliseconds: 0, ...more };
}

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
