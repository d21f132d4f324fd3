import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation, Written } from "./operations.ts";
import type { Order } from "./order.ts";
import { ids, money, newOrder, type OrdersHouse, type OrdersProcess, openOrdersHouse } from "./testing/house.ts";
import { accept, reverse, settle, topUp, watch } from "./testing/operations.ts";

let house: OrdersHouse;
let process: OrdersProcess;
beforeAll(async () => {
  house = await openOrdersHouse();
  process = house.startProcess();
});
afterAll(() => house.close());

const ACCOUNTS = 3;
const REFERENCES = 8;

// What anybody may ask for, in any order, sense or no sense.
const step = fc.record({
  kind: fc.constantFrom("accept", "accept", "accept", "success", "failure", "reverse", "watch", "top-up", "debit"),
  account: fc.nat({ max: ACCOUNTS - 1 }),
  reference: fc.nat({ max: REFERENCES - 1 }),
  amount: fc.integer({ min: 1, max: 40 }),
  fee: fc.constantFrom(0, 0, 1),
});
type Step = { readonly kind: string; readonly account: number; readonly reference: number; readonly amount: number; readonly fee: number };

/** The whole ledger in a few lines: spendable money, orders by reference, top-ups by reference. */
class Model {
  readonly balances = Array.from({ length: ACCOUNTS }, () => money(0) as bigint);
  readonly orders = new Map<string, { order: Order; state: Order["state"] }>();
  readonly topUps = new Map<string, bigint>();

  expected(operation: Operation, at: number): string {
    switch (operation.kind) {
      case "accept":
        return this.accept(operation.order, at);
      case "topup":
        return this.topUp(`${at}/${operation.reference}`, operation.amount, at);
      case "settle":
        return this.end(operation.order, "pending", operation.to, operation.to === "FAILED", at);
      case "reverse":
        return this.end(operation.order, "SUCCESS", "FAILED", true, at);
      default:
        return this.stateOf(operation.order) === "pending" ? "done" : "found";
    }
  }

  private accept(order: Order, at: number): string {
    const key = `${at}/${order.reference}`;
    if (this.orders.has(key)) return "found";
    const left = (this.balances[at] ?? 0n) - order.amount - order.fee;
    if (left < 0n) return "thin";
    this.balances[at] = left;
    this.orders.set(key, { order, state: "pending" });
    return "done";
  }

  private topUp(key: string, amount: bigint, at: number): string {
    const known = this.topUps.get(key);
    if (known !== undefined) return known === amount ? "topped up" : "topped up, another amount";
    if ((this.balances[at] ?? 0n) + amount < 0n) return "thin";
    this.balances[at] = (this.balances[at] ?? 0n) + amount;
    this.topUps.set(key, amount);
    return "topped up";
  }

  private end(order: Order, from: Order["state"], to: Order["state"], back: boolean, at: number): string {
    const known = [...this.orders.values()].find((one) => one.order === order);
    if (known?.state !== from) return "found";
    known.state = to;
    if (back) this.balances[at] = (this.balances[at] ?? 0n) + order.amount + order.fee;
    return "done";
  }

  private stateOf(order: Order): Order["state"] | undefined {
    return [...this.orders.values()].find((one) => one.order === order)?.state;
  }
}

function operationOf(one: Step, accounts: readonly string[], model: Model): Operation | null {
  const accountId = accounts[one.account] ?? "";
  const reference = `r${one.reference}`;
  if (one.kind === "accept") return accept(newOrder(accountId, { reference, amount: money(one.amount), fee: money(one.fee) }));
  if (one.kind === "top-up") return topUp(accountId, one.amount * 3, `t${one.reference}`);
  if (one.kind === "debit") return topUp(accountId, -one.amount, `t${one.reference}`);
  const known = model.orders.get(`${one.account}/${reference}`)?.order;
  if (!known) return null;
  if (one.kind === "watch") return watch(known);
  return one.kind === "reverse" ? reverse(known) : settle(known, one.kind === "success" ? "SUCCESS" : "FAILED");
}

function wordOf(written: Written): string {
  return written.kind === "topped up" && !written.sameAmount ? "topped up, another amount" : written.kind;
}

const newAccounts = () => Array.from({ length: ACCOUNTS }, () => ids.account());
const balancesOf = (accounts: readonly string[]) => Promise.all(accounts.map(house.balance));
const rupees = (amounts: readonly bigint[]) => amounts.map((amount) => Number(amount) / 10_000);

test("one after the other, every answer and every balance is the model's, and no invariant is ever broken", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const [model, accounts] = [new Model(), newAccounts()];
      for (const one of steps) {
        const operation = operationOf(one, accounts, model);
        if (!operation) continue;
        const expected = model.expected(operation, one.account);
        expect(wordOf(await process.ctx.writer.write(operation))).toBe(expected);
      }
      expect(await balancesOf(accounts)).toEqual(rupees(model.balances));
      expect(await house.violations()).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 120_000);

/** What an answer says was done to the spendable money. */
function effectOf(operation: Operation, written: Written, topUps: Map<string, bigint>): bigint {
  if (operation.kind === "topup") {
    if (written.kind !== "topped up" || !written.sameAmount || topUps.has(written.entry)) return 0n;
    topUps.set(written.entry, operation.amount);
    return operation.amount;
  }
  if (written.kind !== "done" || operation.kind === "watch" || operation.kind === "fail over") return 0n;
  const total = operation.order.amount + operation.order.fee;
  if (operation.kind === "accept") return -total;
  return operation.kind === "reverse" || (operation.kind === "settle" && operation.to === "FAILED") ? total : 0n;
}

test("all at once, the balances are what the answers add up to, and no invariant is broken", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 }), async (rounds) => {
      const [model, accounts] = [new Model(), newAccounts()];
      const [balances, topUps] = [accounts.map(() => 0n), new Map<string, bigint>()];
      for (const round of rounds) {
        const wanted = round.map((one) => ({ at: one.account, operation: operationOf(one, accounts, model) }));
        const written = await Promise.all(wanted.map(({ operation }) => (operation ? process.ctx.writer.write(operation) : null)));
        wanted.forEach(({ at, operation }, place) => {
          const answer = written[place];
          if (!operation || !answer) return;
          balances[at] = (balances[at] ?? 0n) + effectOf(operation, answer, topUps);
          if (operation.kind === "accept" && answer.kind === "done")
            model.orders.set(`${at}/${operation.order.reference}`, { order: operation.order, state: "pending" });
        });
      }
      expect(await balancesOf(accounts)).toEqual(rupees(balances));
      expect(await house.violations()).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 120_000);
