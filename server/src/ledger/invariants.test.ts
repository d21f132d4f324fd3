import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { money, newOrder, type OrdersHouse, type OrdersProcess, openOrdersHouse } from "../orders/testing/house.ts";
import { accept, reverse, settle, topUp, watch } from "../orders/testing/operations.ts";
import { checkLedger } from "./invariants.ts";

let house: OrdersHouse;
let process: OrdersProcess;
let sound: string;
beforeAll(async () => {
  house = await openOrdersHouse();
  process = house.startProcess();
  // What breaks an invariant is mostly forbidden twice over: the constraints have to go before a row can be broken.
  await house.owner.unsafe(`
    alter table wallets drop constraint wallets_balanced, drop constraint wallets_covered, drop constraint wallets_held;`);
  sound = await newLedger();
});
afterAll(() => house.close());

/** An account in which everything has happened once. */
async function newLedger(): Promise<string> {
  const { write } = process.ctx.writer;
  const accountId = await house.newAccount(process, 100);
  const [pending, succeeded, failed, takenBack] = [1, 2, 3, 4].map((amount) =>
    newOrder(accountId, { reference: `r${amount}`, amount: money(amount), fee: money(0.5) }),
  ) as [ReturnType<typeof newOrder>, ReturnType<typeof newOrder>, ReturnType<typeof newOrder>, ReturnType<typeof newOrder>];
  for (const order of [pending, succeeded, failed, takenBack]) await write(accept(order));
  await write(watch(pending));
  await write(settle(succeeded, "SUCCESS"));
  await write(settle(failed, "FAILED"));
  await write(settle(takenBack, "SUCCESS"));
  await write(reverse(takenBack));
  await write(topUp(accountId, -5, "debit"));
  return accountId;
}

const found = async (scope: readonly string[] | "all" = "all") =>
  (await checkLedger(house.database.sql, scope)).filter((check) => check.violations > 0).map((check) => check.name);

const SUMS = "the buckets of every wallet sum to zero";
const OWNED = "every transfer and every order has a wallet";
const GAPS = "every wallet's transfers are numbered without a gap";
const MADE = "every wallet is what its transfers made it";
const RUNNING = "every transfer carries the balance after it";
const STATES = "every order's transfers match its state";
const EXISTS = "every order that money was held for exists";
const HELD = "what is held is what pending orders cost";
const WATCHED = "every order that was answered pending is asked about";

type Damage = { readonly damage: string; readonly statement: string; readonly checks: readonly string[] };
const last = "(select max(seq) from transfers where account_id = $1)";

const DAMAGES: readonly Damage[] = [
  { damage: "money out of nowhere", statement: "update wallets set available = available + 1", checks: [SUMS, MADE] },
  {
    damage: "money moved without a transfer",
    statement: "update wallets set available = available + 1, funding = funding - 1",
    checks: [MADE],
  },
  {
    damage: "an overdraft nobody gave",
    statement: "update wallets set available = -1, funding = funding + available + 1",
    checks: [SUMS, MADE],
  },
  { damage: "a lost wallet", statement: "delete from wallets", checks: [OWNED] },
  { damage: "a wallet's number ahead of its transfers", statement: "update wallets set seq = seq + 1", checks: [GAPS] },
  { damage: "a hole in the numbers", statement: "update transfers set seq = seq + 100 where seq = 3", checks: [GAPS, RUNNING] },
  { damage: "a lost transfer", statement: `delete from transfers where seq = ${last}`, checks: [GAPS, MADE] },
  {
    damage: "a wrong running balance",
    statement: "update transfers set available_after = available_after + 1 where kind = 'capture'",
    checks: [RUNNING],
  },
  {
    damage: "another amount in the past",
    statement: "update transfers set amount = amount + 1 where kind = 'topup'",
    checks: [MADE, RUNNING],
  },
  { damage: "a success without its capture", statement: "update orders set state = 1 where reference = 'r1'", checks: [STATES, HELD] },
  { damage: "a failure that kept the money", statement: "update orders set state = 2 where reference = 'r2'", checks: [STATES] },
  { damage: "a failed order that lives again", statement: "update orders set state = 0 where reference = 'r3'", checks: [STATES, HELD] },
  { damage: "an order of another amount", statement: "update orders set amount = amount + 1 where reference = 'r2'", checks: [STATES] },
  { damage: "a pending order that is gone", statement: "delete from orders where reference = 'r1'", checks: [EXISTS, HELD] },
  { damage: "a success that is gone", statement: "delete from orders where reference = 'r2'", checks: [EXISTS] },
  { damage: "a pending order nobody asks about", statement: "delete from order_watch", checks: [WATCHED] },
];

describe("a sound ledger", () => {
  test("has no violation, and every check has looked", async () => {
    expect(await checkLedger(house.database.sql)).toEqual(
      [SUMS, OWNED, GAPS, MADE, RUNNING, STATES, EXISTS, HELD, WATCHED].map((name) => ({ name, violations: 0 })),
    );
  });

  test("that is empty has none either", async () => {
    expect(await found(["A-NOBODY"])).toEqual([]);
  });
});

test.each(DAMAGES)("$damage is found by its checks and by no other, in its own account only", async ({ statement, checks }) => {
  const broken = await newLedger();
  expect(await found([broken, sound])).toEqual([]);
  await house.owner.unsafe(`${statement} ${statement.includes(" where ") ? "and" : "where"} account_id = $1`, [broken]);
  expect(await found([sound])).toEqual([]);
  expect(await found([sound, broken])).toEqual(checks);
});

test("one look over all accounts finds what is broken in any", async () => {
  expect((await found()).length).toBeGreaterThan(0);
});
