import { money, newOrder, type OrdersFixture, type OrdersProcess } from "../../orders/testing/fixture.ts";
import { accept, cancel, reverse, settle, topUp, watch } from "../../orders/testing/operations.ts";

/** An account with every kind of transfer. */
export async function newLedger(fixture: OrdersFixture, process: OrdersProcess): Promise<string> {
  const { write } = process.ctx.writer;
  const accountId = await fixture.newAccount(process, 100);
  const agreed = { fee: money(0.5), commission: money(0.2) };
  const order = (amount: number) => newOrder(accountId, { reference: `r${amount}`, amount: money(amount), ...agreed });
  const [pending, succeeded, failed, takenBack, partly, wholly, partlyThenBack] = [
    order(1),
    order(2),
    order(3),
    order(4),
    order(5),
    order(6),
    order(7),
  ];
  for (const one of [pending, succeeded, failed, takenBack, partly, wholly, partlyThenBack]) await write(accept(one));
  await write(watch(pending));
  await write(settle(succeeded, "SUCCESS"));
  await write(settle(failed, "FAILED"));
  await write(settle(takenBack, "SUCCESS"));
  await write(reverse(takenBack));
  for (const one of [partly, wholly, partlyThenBack]) await write(settle(one, "SUCCESS"));
  await write(cancel(partly, 2, false));
  await write(cancel(partly, 1, false));
  await write(cancel(wholly, 5.5, true));
  await write(cancel(partlyThenBack, 2, false));
  await write(reverse(partlyThenBack));
  const credit = (reference: string, amount: number) => newOrder(accountId, { reference, amount: money(amount), ...agreed, credit: true });
  const [open, paid, unpaid, paidBack] = [credit("c1", 1), credit("c2", 2), credit("c3", 3), credit("c4", 4)];
  const enquiry = newOrder(accountId, { reference: "c5", amount: money(0), credit: true });
  for (const one of [open, paid, unpaid, paidBack, enquiry]) await write(accept(one));
  for (const one of [paid, paidBack, enquiry]) await write(settle(one, "SUCCESS"));
  await write(settle(unpaid, "FAILED"));
  await write(reverse(paidBack));
  await write(topUp(accountId, -5, "debit"));
  return accountId;
}

export const SUMS = "the buckets of every wallet sum to zero";
export const OWNED = "every transfer and every order has a wallet";
export const MONTHS = "the sums of every account's months equal its transfers";
export const GAPS = "every wallet's transfers are numbered without a gap";
export const MADE = "every wallet equals the sum of its transfers";
export const RUNNING = "every transfer carries the balance after it";
export const STATES = "every order's transfers match its state";
export const PAID = "every order that credits its wallet has transfers that match its state";
export const EXISTS = "every hold belongs to an existing order";
export const REFERENCED = "every order has its reference";
export const HELD = "the held money equals the cost of pending orders";
export const WATCHED = "every pending order that was answered or is older than an hour has a pending poll";

/** A change of one account that the application could not make, and the checks that find it. */
export type Damage = { readonly damage: string; readonly statement: string; readonly checks: readonly string[] };
const last = "(select max(seq) from transfers where account_id = $1)";

export const DAMAGES: readonly Damage[] = [
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
  ...["r2", "r4", "c2", "c4"].map((reference) => ({
    damage: `a commission that ${reference} never agreed on`,
    statement: `update orders set commission = null where reference = '${reference}'`,
    checks: [reference.startsWith("r") ? STATES : PAID],
  })),
  ...["r2", "r4", "r6", "r7", "c2", "c4"].map((reference) => ({
    damage: `another commission of ${reference} than was agreed`,
    statement: `update orders set commission = commission + 1 where reference = '${reference}'`,
    checks: [reference.startsWith("r") ? STATES : PAID],
  })),
  {
    damage: "a pending order that earns more than it is worth",
    statement: "update orders set commission = amount + 1 where reference = 'r1'",
    checks: [STATES],
  },
  { damage: "a success without its capture", statement: "update orders set state = 1 where reference = 'r1'", checks: [STATES, HELD] },
  { damage: "a failure that kept the money", statement: "update orders set state = 2 where reference = 'r2'", checks: [STATES] },
  { damage: "a failed order that lives again", statement: "update orders set state = 0 where reference = 'r3'", checks: [STATES, HELD] },
  { damage: "an order of another amount", statement: "update orders set amount = amount + 1 where reference = 'r2'", checks: [STATES] },
  {
    damage: "a refund that the order does not know",
    statement: "update orders set refunded = null where reference = 'r5'",
    checks: [STATES],
  },
  {
    damage: "a larger refund than was given",
    statement: "update orders set refunded = refunded + 1 where reference = 'r6'",
    checks: [STATES],
  },
  { damage: "a credit before its time", statement: "update orders set state = 0 where reference = 'c2'", checks: [PAID, HELD] },
  { damage: "a success that paid nothing", statement: "update orders set state = 1 where reference = 'c1'", checks: [PAID, HELD] },
  { damage: "a failure that paid", statement: "update orders set state = 2 where reference = 'c2'", checks: [PAID] },
  { damage: "a credit of another amount", statement: "update orders set amount = amount + 1 where reference = 'c2'", checks: [PAID] },
  { damage: "a pending order that is gone", statement: "delete from orders where reference = 'r1'", checks: [EXISTS, HELD] },
  { damage: "a success that is gone", statement: "delete from orders where reference = 'r2'", checks: [EXISTS] },
  {
    damage: "a lost reference",
    statement: "delete from order_references where order_id in (select order_id from orders where reference = 'r2')",
    checks: [REFERENCED],
  },
  {
    damage: "a reference of another order",
    statement: "update order_references set order_id = 'OTHER' where order_id in (select order_id from orders where reference = 'c2')",
    checks: [REFERENCED],
  },
  { damage: "a pending order nobody asks about", statement: "delete from pending_polls", checks: [WATCHED] },
  {
    damage: "an old order that was never answered and that nobody asks about",
    statement: "update orders set created_at = created_at - interval '61 minutes' where reference = 'c1'",
    checks: [WATCHED],
  },
];

/** Damages one account, as the tables' owner. */
export async function damage(fixture: OrdersFixture, accountId: string, { statement }: Damage): Promise<void> {
  await fixture.owner.unsafe(`${statement} ${statement.includes(" where ") ? "and" : "where"} account_id = $1`, [accountId]);
}

/** Drops the constraints that forbid most violations too. */
export async function dropConstraints({ owner }: OrdersFixture): Promise<void> {
  await owner.unsafe("alter table wallets drop constraint wallets_balanced, drop constraint wallets_covered, drop constraint wallets_held");
}
